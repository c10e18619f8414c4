import { Outlet, ScrollRestoration, useNavigation } from '../lib/router.ts'
import { LazyToaster } from '../ui/toaster/LazyToaster.tsx'
import { useHead } from './head.ts'
import { Footer } from './layout/Footer.tsx'
import { Header } from './layout/Header.tsx'
import { OfflineNotice } from './layout/OfflineNotice.tsx'
import { OpenAttempts } from './OpenAttempts.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'
import { WAITING } from './screen.ts'
import { SCREENS } from './screens.ts'

/** Header, screen, footer: the same around every address. */
export function Layout() {
  useHead()
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Header />
      <OfflineNotice />
      <OpenAttempts />
      <Progress />
      <main id="main" className="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
      <RouteAnnouncer />
      <LazyToaster />
      <ScrollRestoration />
    </>
  )
}

/** A line at the top while the next screen's code is on its way. */
function Progress() {
  const { location } = useNavigation()
  if (!location) return null
  return (
    <div className="screen-progress" role="status">
      <span className="visually-hidden">{SCREENS.find(({ path }) => path === location.pathname)?.waiting ?? WAITING}</span>
    </div>
  )
}
