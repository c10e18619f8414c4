import { useLocation } from 'react-router-dom'
import { Toaster } from '../ui/toaster/Toaster.tsx'
import { useDefaultTitle } from './document-title.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Footer } from './layout/Footer.tsx'
import { Header } from './layout/Header.tsx'
import { OfflineNotice } from './layout/OfflineNotice.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'
import { AppRoutes } from './routes.tsx'
import { useScrollRestoration } from './scroll.ts'

/** Header, screen, footer: the same around every address. */
export function App() {
  useDefaultTitle()
  useScrollRestoration()
  const { pathname } = useLocation()
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header />
      <OfflineNotice />
      <main id="main" className="main" tabIndex={-1}>
        <ErrorBoundary resetKey={pathname}>
          <AppRoutes />
        </ErrorBoundary>
      </main>
      <Footer />
      <RouteAnnouncer />
      <Toaster />
    </>
  )
}
