import type { DnsRecord } from '@passerelle/contracts/http/brand-host'
import { Copy, RefreshCw } from 'lucide-react'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import admin from '../Admin.module.css'
import { formatMoment } from '../model/moment.ts'
import { recordWords } from '../model/record-words.ts'
import styles from './Host.module.css'
import { State } from './State.tsx'

type Props = { label: string; records: readonly DnsRecord[]; lookedAt: string | null; busy: boolean; check: () => void }

/** Records to set, how each was found, and when that was. */
export function RecordList({ label, records, lookedAt, busy, check }: Props) {
  return (
    <>
      <ul className={styles.records} aria-label={label}>
        {records.map((record) => (
          <li key={`${record.type} ${record.name} ${record.value}`}>
            <span className={styles.type}>{record.type}</span>
            <span className={styles.name}>{record.name}</span>
            <div className={styles.value}>
              <code>{record.value}</code>
              <IconButton aria-label={`Copy the value of ${record.type} ${record.name}`} onClick={() => void copyText(record.value)}>
                <Copy size={16} strokeWidth={2} aria-hidden="true" />
              </IconButton>
            </div>
            <div className={styles.found}>
              <State {...recordWords(record, lookedAt !== null)} />
            </div>
          </li>
        ))}
      </ul>
      <div className={admin.foot}>
        <span className={styles.looked}>{lookedAt ? `Looked up ${formatMoment(lookedAt)}` : 'Not looked up yet'}</span>
        <span className={styles.check}>
          <Button size="sm" busy={busy} onClick={check}>
            <RefreshCw size={16} strokeWidth={2} aria-hidden="true" />
            Check now
          </Button>
        </span>
      </div>
    </>
  )
}
