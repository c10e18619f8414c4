import type { Brand } from '@passerelle/contracts/http/brand'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BrandProvider } from '../brand/BrandProvider.tsx'
import { queryClient } from '../lib/query-client.ts'

export function Providers({ children, brand }: { children: ReactNode; brand: Brand | null }) {
  return (
    <QueryClientProvider client={queryClient}>
      <BrandProvider injected={brand} location={window.location}>
        {children}
      </BrandProvider>
    </QueryClientProvider>
  )
}
