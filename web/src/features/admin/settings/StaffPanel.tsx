import type { StaffMember } from '@passerelle/contracts/http/staff'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { type Refusal, refusalOf } from '../../../lib/refusal.ts'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Choice.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { lazyOverlay } from '../../../ui/lazy.tsx'
import { toast } from '../../../ui/toaster/toast-store.ts'
import admin from '../Admin.module.css'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { type Outcome, withProof } from '../model/proof.ts'
import { useBrands } from '../model/use-brands.ts'
import { Panel } from '../Panel.tsx'
import table from '../Table.module.css'
import styles from './StaffPanel.module.css'

const ProofDialog = lazyOverlay(async () => (await import('./ProofDialog.tsx')).ProofDialog)

/** What was asked for, while the password is asked. */
type Asked = { words: string; done: string; work: () => Promise<unknown> }

/** Who administers what; rights are given and taken back with a password proof. */
export function StaffPanel() {
  const queryClient = useQueryClient()
  const me = useUser()
  const { nameOf } = useBrands()
  const { data, isError, refetch } = useQuery({ queryKey: [keys.staff], queryFn: ({ signal }) => api.listStaff(undefined, { signal }) })
  const [asked, setAsked] = useState<Asked | null>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)

  async function run({ work, done }: Asked, password?: string): Promise<Outcome> {
    const outcome = await withProof(password, work, (error) => {
      const refused = refusalOf(error, 'There was a problem saving your changes.')
      setRefusal(refused)
      return { title: 'Failed to Update', description: refused.message }
    })
    if (outcome.kind === 'done') toast({ title: 'Settings Updated', description: done, tone: 'positive' })
    if (outcome.kind === 'failed') toast({ ...outcome.failure, tone: 'negative' })
    if (outcome.kind !== 'password')
      await Promise.all([keys.staff, keys.audit].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
    return outcome
  }

  async function ask(next: Asked): Promise<void> {
    setRefusal(null)
    if ((await run(next)).kind === 'password') setAsked(next)
  }

  async function confirm(password: string): Promise<string | null> {
    const outcome = asked && (await run(asked, password))
    return outcome?.kind === 'password' ? (outcome.refusal ?? 'Please enter your password again.') : null
  }

  const revoke = ({ id, name }: StaffMember) =>
    ask({
      words: `${name} administers nothing any more.`,
      done: `${name} administers nothing any more.`,
      work: () => api.revokeStaff({ params: { id } }),
    })

  return (
    <Panel
      title="Administrators"
      words="Of all brands, or of those that are named: they see and change these brands, their bookings and messages."
    >
      {isError && (
        <div className={admin.part}>
          <LoadFailed words="The administrators could not be loaded." retry={() => void refetch()} />
        </div>
      )}
      {!data && !isError && (
        <div className={admin.part}>
          <LoadingLines words="Loading the administrators" />
        </div>
      )}
      {data && (
        <table className={table.table}>
          <caption className="visually-hidden">Administrators</caption>
          <thead>
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Looks after</th>
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((member) => (
              <tr key={member.id}>
                <th scope="row">
                  <b>{member.name}</b>
                  <small>{member.email}</small>
                </th>
                <td data-label="Looks after">{member.brands ? member.brands.map(nameOf).join(', ') : 'All brands'}</td>
                <td className={styles.act}>
                  {member.id === me?.id ? (
                    <span className="muted">You</span>
                  ) : (
                    <Button size="sm" aria-label={`Take back the rights of ${member.name}`} onClick={() => void revoke(member)}>
                      Take back
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <GrantForm refusal={refusal} onGrant={ask} />
      <ProofDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title="Change who administers"
        description={asked?.words ?? ''}
        cancel="Not now"
        confirm="Save"
        onConfirm={confirm}
      />
    </Panel>
  )
}

function GrantForm({ refusal, onGrant }: { refusal: Refusal | null; onGrant: (asked: Asked) => Promise<void> }) {
  const { data: brands = [], nameOf } = useBrands()
  const [email, setEmail] = useState('')
  const [all, setAll] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [missing, setMissing] = useState<{ email?: string; brands?: string }>({})
  const toggle = (key: string) => setChosen(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const found = {
      ...(email.trim() === '' && { email: 'Please enter an e-mail address' }),
      ...(!all && chosen.length === 0 && { brands: 'Please choose a brand, or all brands' }),
    }
    setMissing(found)
    if (Object.keys(found).length > 0) return
    const what = all ? 'all brands' : chosen.map(nameOf).join(', ')
    const words = `${email.trim()} looks after ${what}.`
    await onGrant({ words, done: words, work: () => api.grantStaff({ body: { email: email.trim(), brands: all ? null : [...chosen] } }) })
  }

  return (
    <form className={admin.part} aria-label="Add an administrator" noValidate onSubmit={(event) => void submit(event)}>
      <h3>Add an administrator</h3>
      <div className={styles.form}>
        <TextField
          label="E-mail"
          type="email"
          autoComplete="off"
          hint="Without an account, one is made, and a link to choose a password is mailed."
          error={missing.email ?? refusal?.fields.email}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <fieldset>
          <legend>Looks after</legend>
          <Check checked={all} onChange={(event) => setAll(event.target.checked)}>
            All brands, the settings and who administers
          </Check>
          {brands.map(({ key, name }) => (
            <Check key={key} checked={all || chosen.includes(key)} disabled={all} onChange={() => toggle(key)}>
              {name}
            </Check>
          ))}
          {missing.brands && (
            <p className={styles.error} role="alert">
              {missing.brands}
            </p>
          )}
        </fieldset>
        <Button type="submit">Give these rights</Button>
      </div>
    </form>
  )
}
