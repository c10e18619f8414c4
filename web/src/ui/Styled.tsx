/** Chakra's styles around the parts that are made with it. They arrive with the first of them, not with the page. */
import { ChakraProvider } from '@chakra-ui/react'
import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { createContext, type ReactNode, use } from 'react'
import { system } from '../theme/system.ts'

const Inside = createContext(false)

const cache = createCache({ key: 'ck' })

export function Styled({ children }: { children: ReactNode }) {
  if (use(Inside)) return children
  return (
    <Inside value={true}>
      <CacheProvider value={cache}>
        <ChakraProvider value={system}>{children}</ChakraProvider>
      </CacheProvider>
    </Inside>
  )
}
