import { ArticlePage } from '../ArticlePage.tsx'
import { terms } from '../content/terms.ts'

export function TermsPage() {
  return <ArticlePage name="terms" article={terms} />
}
