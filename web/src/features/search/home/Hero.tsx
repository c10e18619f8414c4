import { Mail } from 'lucide-react'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { useOwnText } from '../../../brand/facts.ts'
import { mail } from '../../../lib/paths.ts'
import { ButtonAnchor } from '../../../ui/Button.tsx'
import { HeroBanner, heroStyles } from '../../../ui/HeroBanner.tsx'
import { scrollToSearch } from '../../../ui/scroll-to-search.ts'

export function Hero() {
  const { contact } = useBrand()
  const title = useOwnText('home.title')?.join(' ')
  const words = useOwnText('home.words')?.join(' ')
  return (
    <HeroBanner
      title={title ?? 'Good flights, plainly priced.'}
      words={words ?? 'Search the airlines’ own fares, pay the total you see, and reach a person in Paris at any hour.'}
    >
      <ButtonAnchor className={heroStyles.onBrand} href="#search" onClick={scrollToSearch}>
        Search flights
      </ButtonAnchor>
      <ButtonAnchor className={heroStyles.ghost} href={mail(contact.email)}>
        <Mail size={20} strokeWidth={1.75} aria-hidden="true" />
        E-mail us
      </ButtonAnchor>
    </HeroBanner>
  )
}
