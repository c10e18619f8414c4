import type { HostAndSender as Answer, BrandSender } from '@passerelle/contracts/http/brand-host'
import type { ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf } from '../../../lib/api-client.ts'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'
import styles from './Host.module.css'
import { HostPanel } from './HostPanel.tsx'
import { SenderPanel } from './SenderPanel.tsx'

/** Records are looked up without us, and links opened elsewhere. */
const AGAIN_MS = 10_000
/** A link is on its way. */
const SENDING_MS = 2000

const isSending = (sender: BrandSender | undefined) => sender !== undefined && sender.fromAddress !== '' && !sender.proved && !sender.link

export function HostAndSender({ managed: { key, brand } }: { managed: ManagedBrand }) {
  const queryClient = useQueryClient()
  const queryKey = [keys.brands, key, 'host']
  const params = { brandKey: key }
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.getHostAndSender({ params }, { signal }),
    refetchInterval: ({ state }) => (isSending(state.data?.sender) ? SENDING_MS : AGAIN_MS),
    refetchOnMount: 'always',
  })
  const [busy, setBusy] = useState(false)
  useAdminAccess(error)

  async function run(call: () => Promise<Answer>, done: string): Promise<void> {
    setBusy(true)
    try {
      queryClient.setQueryData(queryKey, await call())
      // The brand's document has moved on, and the next change has to name its version.
      void queryClient.invalidateQueries({ queryKey: [keys.brands, key], exact: true })
      void queryClient.invalidateQueries({ queryKey: [keys.audit] })
      toast({ title: done, tone: 'positive' })
    } finally {
      setBusy(false)
    }
  }

  const check = () =>
    void run(() => api.checkRecords({ params, body: {} }), 'Records looked up').catch((failure) =>
      toast({ title: 'Not looked up', description: messageOf(failure, 'Please try again.'), tone: 'negative' }),
    )

  if (!data)
    return error ? (
      <LoadFailed words="Host and sender could not be loaded." retry={() => void refetch()} />
    ) : (
      <LoadingLines words="Loading host and sender..." />
    )
  return (
    <div className={styles.panels}>
      <HostPanel host={data.host} busy={busy} check={check} />
      <SenderPanel brandKey={key} name={brand.name} sender={data.sender} busy={busy} check={check} run={run} />
    </div>
  )
}
