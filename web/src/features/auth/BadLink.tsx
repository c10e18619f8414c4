import { paths } from '../../lib/paths.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** In place of the form when the link of a mail cannot be used: `spent` means expired or used before, otherwise a part of it is missing. */
export function BadLink({ spent = false }: { spent?: boolean }) {
  return (
    <div className="wrap">
      <EmptyState
        level={1}
        role="alert"
        title={spent ? 'This link has expired or was used already' : 'This link is not complete'}
        actions={
          <ButtonLink variant="solid" to={paths.forgotPassword}>
            Ask for a new link
          </ButtonLink>
        }
      >
        {spent
          ? 'For your safety a link works once, and only for a while. Another one takes a minute.'
          : 'Open it again from our e-mail, or copy it whole into the address bar.'}
      </EmptyState>
    </div>
  )
}
