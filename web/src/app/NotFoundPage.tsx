import { paths } from '../lib/paths.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

export function NotFoundPage() {
  return (
    <div className="wrap">
      <EmptyState
        level={1}
        title="404 Page Not Found"
        actions={
          <ButtonLink variant="solid" to={paths.home}>
            Search flights
          </ButtonLink>
        }
      >
        Did you forget to add the page to the router?
      </EmptyState>
    </div>
  )
}
