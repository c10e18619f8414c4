import { type ReactNode, useEffect } from 'react'
import { useBrand } from '../brand/BrandProvider.tsx'
import { paths, signInAddress } from '../lib/paths.ts'
import { Navigate, useLocation } from '../lib/router.ts'
import { useUser } from '../lib/session.ts'
import { lazyPart } from '../ui/lazy.tsx'
import { toast } from '../ui/toaster/toast-store.ts'
import { Loading } from './Loading.tsx'
import { admit, type Screen } from './screen.ts'

const NotFoundPage = lazyPart(async () => (await import('./NotFoundPage.tsx')).NotFoundPage)

/** Lets in whom a screen is for. */
export function Gate({ screen, children }: { screen: Screen; children: ReactNode }) {
  const brand = useBrand()
  const user = useUser()
  const { pathname, search } = useLocation()
  switch (admit(screen, brand, user)) {
    case 'in':
      return children
    case 'wait':
      return <Loading text={screen.waiting} />
    case 'sign-in':
      return <Navigate to={signInAddress(pathname + search)} replace />
    case 'denied':
      return <Denied />
    case 'missing':
      return <NotFoundPage waiting={<Loading />} />
  }
}

function Denied() {
  useEffect(() => {
    toast({ title: 'Access Denied', description: "You don't have permission to access admin settings.", tone: 'negative' })
  }, [])
  return <Navigate to={paths.home} replace />
}
