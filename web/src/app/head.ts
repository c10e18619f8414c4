import { useEffect } from 'react'
import { useBrand } from '../brand/BrandProvider.tsx'
import { useMatches } from '../lib/router.ts'
import { headOf, type Screen } from './screen.ts'

function setMeta(name: string, content: string | null): void {
  const meta = document.querySelector(`meta[name="${name}"]`)
  if (content === null) meta?.remove()
  else if (meta) meta.setAttribute('content', content)
  else document.head.append(Object.assign(document.createElement('meta'), { name, content }))
}

/** The screen of the route that is shown; undefined on an unknown address. */
function useScreen(): Screen | undefined {
  return useMatches().at(-1)?.handle as Screen | undefined
}

/** Keeps the document's title, description and robots those of the screen. Used once, by the layout. */
export function useHead(): void {
  const { title, description, robots } = headOf(useScreen(), useBrand())
  useEffect(() => {
    document.title = title
    setMeta('description', description)
    setMeta('robots', robots)
  }, [title, description, robots])
}
