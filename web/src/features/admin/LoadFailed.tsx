import { Alert } from '../../ui/Alert.tsx'
import { LinkButton } from '../../ui/Button.tsx'

/** In place of what could not be read from the server. */
export function LoadFailed({ words, retry }: { words: string; retry: () => void }) {
  return (
    <Alert tone="negative" title={words}>
      <LinkButton onClick={retry}>Try again</LinkButton>
    </Alert>
  )
}

/** While it is read. */
export function LoadingLines({ words }: { words: string }) {
  return (
    <p className="muted" role="status">
      {words}
    </p>
  )
}
