import { ArticlePage } from '../ArticlePage.tsx'
import { cancellation } from '../content/cancellation.ts'

export function CancellationPage() {
  return <ArticlePage name="cancellation" article={cancellation} />
}
