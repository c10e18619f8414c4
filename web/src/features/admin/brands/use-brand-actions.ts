import type { ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../lib/api-client.ts'
import { type Refusal, refusalOf } from '../../../lib/refusal.ts'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { keys } from '../model/keys.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'

/** `race`: somebody else has changed the brand since it was loaded. */
export type BrandRefusal = Refusal & { race: boolean }

export type BrandActions = {
  busy: boolean
  refusal: BrandRefusal | null
  /** Gives what the server made of the brand, or why it refused. The editor shows the new version when `show` is called. */
  run(call: () => Promise<ManagedBrand>): Promise<{ brand: ManagedBrand } | { refusal: BrandRefusal }>
  show(brand: ManagedBrand, done: string): void
}

export function useBrandActions(): BrandActions {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<BrandRefusal | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useAdminAccess(failure)
  return {
    busy,
    refusal,
    async run(call) {
      setBusy(true)
      setRefusal(null)
      try {
        return { brand: await call() }
      } catch (error) {
        const refused = {
          ...refusalOf(error, 'This could not be saved. Please try again.'),
          race: error instanceof ApiError && error.code === 'BRAND_RACE',
        }
        setRefusal(refused)
        setFailure(error)
        return { refusal: refused }
      } finally {
        setBusy(false)
      }
    },
    show(brand, done) {
      queryClient.setQueryData([keys.brands, brand.key], brand)
      void queryClient.invalidateQueries({ queryKey: [keys.brands], exact: true })
      void queryClient.invalidateQueries({ queryKey: [keys.audit] })
      toast({ title: done, tone: 'positive' })
    },
  }
}
