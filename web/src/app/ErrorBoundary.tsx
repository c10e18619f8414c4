import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

type Props = { children: ReactNode /** Another value tries again: the address of the screen. */; resetKey: string }
type State = { failed: boolean; resetKey: string }

/** A screen that broke does not take the header and the footer with it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(): Partial<State> {
    return { failed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { failed: false, resetKey: props.resetKey }
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    // biome-ignore lint/suspicious/noConsole: the only trace of a defect in a visitor's browser
    console.error(error, info.componentStack)
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className="wrap">
        <EmptyState
          level={1}
          role="alert"
          title="Something went wrong"
          actions={
            <Button variant="solid" onClick={() => window.location.reload()}>
              Load the page again
            </Button>
          }
        >
          This page could not be shown. Your bookings and payments are not affected.
        </EmptyState>
      </div>
    )
  }
}
