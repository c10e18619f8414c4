/** For tests: what a visitor would first see of a part of the page, without a browser. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { BrandProvider } from '../brand/BrandProvider.tsx'
import { createQueryClient } from './query-client.ts'
import { createMemoryRouter, RouterProvider } from './router.ts'

type Around = { at?: string; queryClient?: QueryClient; brand?: Brand | null; host?: string }

export type Rendered = {
  html: string
  /** What can be read, in one line. */
  text: string
  /** Address of the link with these words. */
  linkTo(words: string): string | undefined
}

/** The part inside everything but the router. */
export function surround(
  part: ReactNode,
  { queryClient = createQueryClient(), brand = defaultBrand, host = 'localhost' }: Omit<Around, 'at'> = {},
): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <BrandProvider injected={brand} location={{ host, search: '' }}>
        {part}
      </BrandProvider>
    </QueryClientProvider>
  )
}

export function render(part: ReactNode, { at = '/', ...around }: Around = {}): Rendered {
  const router = createMemoryRouter([{ path: '*', element: part }], { initialEntries: [at] })
  const markup = renderToStaticMarkup(surround(<RouterProvider router={router} />, around))
  const html = markup.replace(/<style[\s\S]*?<\/style>/g, '')
  return {
    html,
    text: textOf(html),
    linkTo: (words) =>
      [...html.matchAll(/<a\b([^>]*)>([\s\S]*?)<\/a>/g)]
        .find(([, , inside = '']) => textOf(inside).includes(words))?.[1]
        ?.match(/href="([^"]*)"/)?.[1]
        ?.replaceAll('&amp;', '&'),
  }
}

function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
}
