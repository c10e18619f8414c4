import { ArticlePage } from '../ArticlePage.tsx'
import { privacy } from '../content/privacy.ts'

export function PrivacyPage() {
  return <ArticlePage name="privacy" article={privacy} />
}
