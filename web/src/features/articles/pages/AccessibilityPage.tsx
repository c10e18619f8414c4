import { ArticlePage } from '../ArticlePage.tsx'
import { accessibility } from '../content/accessibility.ts'

export function AccessibilityPage() {
  return <ArticlePage name="accessibility" article={accessibility} />
}
