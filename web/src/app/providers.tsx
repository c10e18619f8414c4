import { ChakraProvider } from '@chakra-ui/react'
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import type { Brand } from '@passerelle/contracts/http/brand'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BrandProvider } from '../brand/BrandProvider.tsx'
import { queryClient } from '../lib/query-client.ts'
import { system } from '../theme/system.ts'

type Props = { children: ReactNode; brand: Brand | null; nonce: string | undefined }

export function Providers({ children, brand, nonce }: Props) {
  const cache = createCache({ key: 'ck', ...(nonce && { nonce }) })
  return (
    <CacheProvider value={cache}>
      <ChakraProvider value={system}>
        <QueryClientProvider client={queryClient}>
          <BrandProvider injected={brand} location={window.location}>
            {children}
          </BrandProvider>
        </QueryClientProvider>
      </ChakraProvider>
    </CacheProvider>
  )
}
