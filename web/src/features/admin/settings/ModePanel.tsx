import type { AdminSettings } from '@passerelle/contracts/http/admin'
import { useQueryClient } from '@tanstack/react-query'
import { Check, CreditCard, type LucideIcon, Plane, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Switch } from '../../../ui/Choice.tsx'
import { lazyOverlay } from '../../../ui/lazy.tsx'
import { toast, toastNext } from '../../../ui/toaster/toast-store.ts'
import admin from '../Admin.module.css'
import { keys } from '../model/keys.ts'
import { type Failure, type Outcome, switchMode } from '../model/proof.ts'
import { Panel } from '../Panel.tsx'
import styles from './SettingsPage.module.css'

const ProofDialog = lazyOverlay(async () => (await import('./ProofDialog.tsx')).ProofDialog)
const RELOAD_AFTER_MS = 1000
const HINT = 'live-mode-hint'

export function ModePanel({ settings }: { settings: AdminSettings }) {
  const { enableLiveMode: live, duffelApiConfigured, stripeConfigured } = settings
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const switchable = duffelApiConfigured || live

  async function change(password?: string): Promise<Outcome> {
    setFailure(null)
    setBusy(true)
    const outcome = await switchMode(!live, password)
    setBusy(false)
    if (outcome.kind === 'failed') {
      setFailure(outcome.failure)
      toast({ ...outcome.failure, tone: 'negative' })
      void queryClient.invalidateQueries({ queryKey: [keys.audit] })
    }
    if (outcome.kind === 'done') {
      toast({ title: 'Settings Updated', description: `The site is in ${live ? 'test' : 'live'} mode now.`, tone: 'positive' })
      if (outcome.unverified) toastNext({ ...outcome.unverified, tone: 'negative' })
      setTimeout(() => window.location.reload(), RELOAD_AFTER_MS)
    }
    return outcome
  }

  /** Turning off asks nothing; only a proof that is too old makes it ask for the password. */
  async function press(): Promise<void> {
    if (!live) return setAsking(true)
    const outcome = await change()
    if (outcome.kind === 'password') setAsking(true)
  }

  async function confirm(password: string): Promise<string | null> {
    const outcome = await change(password)
    if (outcome.kind !== 'password') return null
    toast({ title: 'Authentication Failed', description: outcome.refusal ?? 'Please enter your password again.', tone: 'negative' })
    return outcome.refusal ?? 'Please enter your password again.'
  }

  return (
    <Panel title="Mode" foot="Live mode needs both providers. Keys are never shown. Turning live mode off needs no question.">
      <div className={styles.modes}>
        <p className="visually-hidden">The site is in {live ? 'live' : 'test'} mode.</p>
        <ModeMark on={!live}>Test</ModeMark>
        <i aria-hidden="true" />
        <ModeMark on={live}>Live</ModeMark>
      </div>
      {failure && (
        <div className={admin.part}>
          <Alert tone="negative" title={`${failure.title}.`}>
            {failure.description}
          </Alert>
        </div>
      )}
      <div className={admin.part}>
        <Switch checked={live} disabled={!switchable || busy} aria-describedby={HINT} onChange={() => void press()}>
          <b>Live mode</b>
        </Switch>
        <p id={HINT} className={styles.hint}>
          {switchable
            ? 'Off: test cards only, and no airline issues a ticket. On: real cards are charged and real tickets are ordered, on every brand.'
            : 'Live mode cannot be turned on: the flight API is not configured.'}
        </p>
      </div>
      <div className={admin.part}>
        <h3>Providers</h3>
        <ul className={styles.providers}>
          <Provider icon={Plane} name="Flight API" configured={duffelApiConfigured} />
          <Provider icon={CreditCard} name="Card payment provider" configured={stripeConfigured} />
        </ul>
      </div>
      <ProofDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={live ? 'Turn live mode off' : 'Turn live mode on?'}
        description={live ? 'Your last proof is too old.' : 'From then on, on all brands:'}
        cancel={live ? 'Stay in live mode' : 'Stay in test mode'}
        confirm={live ? 'Turn live mode off' : 'Turn live mode on'}
        danger={!live}
        onConfirm={confirm}
      >
        {!live && (
          <ol className={styles.then}>
            <li>Real cards are charged and airlines issue real tickets.</li>
            <li>The test badge and the test card disappear.</li>
            <li>Visitors who are in checkout now must search again; nobody is charged for a test offer.</li>
          </ol>
        )}
      </ProofDialog>
    </Panel>
  )
}

function ModeMark({ on, children }: { on: boolean; children: string }) {
  return (
    <span className={styles.mode} data-on={on || undefined} aria-hidden="true">
      {on && <Check size={16} strokeWidth={2} />}
      {children}
    </span>
  )
}

function Provider({ icon: Icon, name, configured }: { icon: LucideIcon; name: string; configured: boolean }) {
  return (
    <li>
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <b>{name}</b>
      {configured ? (
        <Badge tone="positive" icon={Check}>
          Configured
        </Badge>
      ) : (
        <Badge tone="warning" icon={TriangleAlert}>
          Not configured
        </Badge>
      )}
    </li>
  )
}
