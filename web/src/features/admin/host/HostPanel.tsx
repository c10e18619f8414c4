import type { BrandHost } from '@passerelle/contracts/http/brand-host'
import { Badge } from '../../../ui/Badge.tsx'
import { certificateWords, recordsBadge } from '../model/record-words.ts'
import { Panel } from '../Panel.tsx'
import styles from './Host.module.css'
import { RecordList } from './RecordList.tsx'
import { State } from './State.tsx'

type Props = { host: BrandHost | null; busy: boolean; check: () => void }

export function HostPanel({ host, busy, check }: Props) {
  if (!host)
    return (
      <Panel title="Host">
        <p className={styles.none}>Every host without a brand of its own shows this brand, so there are no records to set.</p>
      </Panel>
    )
  const badge = recordsBadge(host.records)
  return (
    <Panel
      title="Host"
      aside={<Badge tone={badge.tone}>{badge.words}</Badge>}
      words={`Set these records where ${host.host} is managed. We look again by ourselves; a change can take an hour to be seen.`}
    >
      <RecordList label="Records of the host" records={host.records} lookedAt={host.lookedAt} busy={busy} check={check} />
      <div className={styles.certificates}>
        <h3>Certificate</h3>
        <dl>
          {host.certificates.map((certificate) => (
            <div key={certificate.host}>
              <dt>{certificate.host}</dt>
              <dd>
                <State {...certificateWords(certificate, host.host)} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  )
}
