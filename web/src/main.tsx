// First: it says in which order the layers of all other styles count.
import './theme/global.css'

import { StrictMode, startTransition } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { watchEarlyInput } from './app/early-input.ts'
import { Providers } from './app/providers.tsx'
import { isReady } from './app/ready.ts'
import { routes } from './app/routes.tsx'
import { injectedBrand } from './brand/BrandProvider.tsx'
import { createBrowserRouter, RouterProvider } from './lib/router.ts'
import { ErrorBoundary } from './ui/ErrorBoundary.tsx'

// The content policy forbids eval. The schemas read this when their code arrives, which is after this file's.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const brand = injectedBrand(document)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no place for the application')

/** Without styles of ours: what should give them may be what broke. */
function Broken() {
  return (
    <p role="alert">
      Something went wrong, and this page could not be shown. <a href="/">Load the website again</a>
    </p>
  )
}

const router = createBrowserRouter(routes)

const application = (
  <StrictMode>
    <ErrorBoundary fallback={<Broken />}>
      <Providers brand={brand}>
        <RouterProvider router={router} />
      </Providers>
    </ErrorBoundary>
  </StrictMode>
)

// What was rendered at build stays until the same can take its place. It is replaced, not hydrated: brand, visitor and day may differ.
// Awaited here, it would never come: the screens' code waits for this file to end.
if (root.hasChildNodes()) {
  const early = watchEarlyInput(root)
  void isReady(router).then(() => {
    const restore = early()
    // At once: whoever is typing goes on in the same field.
    flushSync(() => createRoot(root).render(application))
    restore()
  })
} else {
  // In slices: a slow phone answers a press between two of them.
  startTransition(() => createRoot(root).render(application))
}
