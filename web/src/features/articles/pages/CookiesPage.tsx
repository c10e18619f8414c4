import { ArticlePage } from '../ArticlePage.tsx'
import { cookies } from '../content/cookies.ts'

export function CookiesPage() {
  return <ArticlePage name="cookies" article={cookies} />
}
