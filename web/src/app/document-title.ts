/** The document's title and description: a screen may set its own and leaves the brand's behind. */
import { useEffect } from 'react'
import { useBrand } from '../brand/BrandProvider.tsx'

const DESCRIPTION = 'Compare airline fares, pay the total you see and call a person at any hour.'

export function defaultTitle(brandName: string): string {
  return `${brandName} - Flight Booking`
}

function describe(text: string): void {
  document.querySelector('meta[name="description"]')?.setAttribute('content', text)
}

/** Keeps "<brand> - Flight Booking" while no screen says otherwise. Used once, by the layout. */
export function useDefaultTitle(): void {
  const { name } = useBrand()
  useEffect(() => {
    document.title = defaultTitle(name)
  }, [name])
}

/** This screen's own title and description; the default ones return when it is left. */
export function usePageTitle(title: string, description: string = DESCRIPTION): void {
  const { name } = useBrand()
  useEffect(() => {
    document.title = title
    describe(description)
    return () => {
      document.title = defaultTitle(name)
      describe(DESCRIPTION)
    }
  }, [title, description, name])
}
