import { defaultBrand } from '@passerelle/contracts/rules/default-brand'
import { createRoot } from 'react-dom/client'
import { Footer } from '../../app/layout/Footer.tsx'
import { Header } from '../../app/layout/Header.tsx'
import { Providers } from '../../app/providers.tsx'
import { useScrollRestoration } from '../../app/scroll.ts'
import { applyBrand } from '../../brand/BrandProvider.tsx'
import '../../theme/global.css'
import { Toaster } from '../../ui/toaster/Toaster.tsx'
import { BookingPage } from './BookingPage.tsx'

applyBrand(defaultBrand, document.documentElement)
function App() {
  useScrollRestoration()
  return (
    <>
      <Header />
      <main id="main" className="main">
        <BookingPage />
      </main>
      <Footer />
      <Toaster />
    </>
  )
}
createRoot(document.getElementById('root')!).render(
  <Providers brand={null} nonce={undefined}>
    <App />
  </Providers>,
)
