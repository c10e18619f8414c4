import { ArticlePage } from '../ArticlePage.tsx'
import { about } from '../content/about.ts'

export function AboutPage() {
  return <ArticlePage name="about" article={about} />
}
