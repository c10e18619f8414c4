/** Runs once, after the build: what a screen shows before anything is known of its visitor. Never part of what a browser loads. */
import type { Brand } from '@passerelle/contracts/http/brand'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { BrandProvider } from '../brand/BrandProvider.tsx'
import { createQueryClient } from '../lib/query-client.ts'
import { createMemoryRouter, RouterProvider } from '../lib/router.ts'
import { isReady } from './ready.ts'
import { routes } from './routes.tsx'

const NOWHERE = { host: '', search: '' }

export async function shellOf(path: string, brand: Brand): Promise<string> {
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  await isReady(router)
  if (router.state.errors) throw new Error(`${path} cannot be rendered`, { cause: Object.values(router.state.errors)[0] })
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={createQueryClient()}>
      <BrandProvider injected={brand} location={NOWHERE}>
        <RouterProvider router={router} />
      </BrandProvider>
    </QueryClientProvider>,
  )
  return (
    markup
      // The content policy takes no style attributes from a document; they come with the scripts, which set them one by one.
      .replace(/ style="[^"]*"/g, '')
      // Outside a dialog this method sends nothing: a browser would put what was typed into the address.
      .replace(/<form /g, '<form method="dialog" ')
  )
}
