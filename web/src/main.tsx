// First: it says in which order the layers of all other styles count.
import './theme/global.css'

import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Providers } from './app/providers.tsx'
import { isReady } from './app/ready.ts'
import { replaceShell } from './app/replace-shell.tsx'
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

// What was rendered at build stays until the same can take its place. Awaited here, it would never come: the screens' code waits for this
// file to end. Both ways render in slices: a slow phone answers a press between two of them.
if (root.hasChildNodes()) replaceShell(root, application, isReady(router))
else startTransition(() => createRoot(root).render(application))
