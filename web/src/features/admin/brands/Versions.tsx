import type { BrandVersion, ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import { useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { lazyOverlay } from '../../../ui/lazy.tsx'
import admin from '../Admin.module.css'
import { formatMoment } from '../model/moment.ts'
import { useNames } from '../model/use-people.ts'
import styles from './Brands.module.css'
import { PreviewButton } from './EditorActions.tsx'
import type { BrandActions } from './use-brand-actions.ts'

const ConfirmDialog = lazyOverlay(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog)

/** What was published, newest first. */
export function Versions({ managed, actions }: { managed: ManagedBrand; actions: BrandActions }) {
  const { key, version, published, versions } = managed
  const nameOf = useNames(versions.map(({ by }) => by))
  const [target, setTarget] = useState<BrandVersion | null>(null)

  async function rollBack(): Promise<void> {
    if (!target) return
    const body = { version, to: target.number }
    const answer = await actions.run(() => api.rollBackBrand({ params: { brandKey: key }, body }))
    if ('brand' in answer) actions.show(answer.brand, `Version ${target.number} is published again`)
  }

  if (versions.length === 0) return <p className={styles.part}>Never published. Visitors do not see this brand.</p>
  return (
    <>
      <ol className={admin.entries}>
        {versions.map((entry) => (
          <li key={entry.number}>
            <h2 className={styles.version}>
              Version {entry.number} {entry.number === published && <Badge tone="positive">Published</Badge>}
            </h2>
            <p>{entry.note}</p>
            <p className={admin.who}>
              <span>{nameOf(entry.by)}</span>
              <time dateTime={entry.at}>{formatMoment(entry.at)}</time>
            </p>
            <div className={styles.buttons}>
              <PreviewButton brandKey={key} number={entry.number} />
              {entry.number !== published && (
                <Button size="sm" onClick={() => setTarget(entry)}>
                  Roll back<span className="visually-hidden"> to version {entry.number}</span>
                </Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      <ConfirmDialog
        open={target !== null}
        onClose={() => setTarget(null)}
        title={`Roll back to version ${target?.number ?? ''}?`}
        description={`It is published again as version ${published + 1}, and its host shows it within a minute. The draft stays.`}
        confirm="Roll back"
        onConfirm={rollBack}
      />
    </>
  )
}
