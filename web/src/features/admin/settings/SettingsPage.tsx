import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { api } from '../../../lib/api-client.ts'
import { paths } from '../../../lib/paths.ts'
import { Link } from '../../../lib/router.ts'
import { useUser } from '../../../lib/session.ts'
import admin from '../Admin.module.css'
import { AdminLayout } from '../AdminLayout.tsx'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'
import { AuditPanel } from './AuditPanel.tsx'
import { MarkupPanel } from './MarkupPanel.tsx'
import { ModePanel } from './ModePanel.tsx'
import styles from './SettingsPage.module.css'
import { StaffPanel } from './StaffPanel.tsx'

/** Of the whole system; staff of named brands sees their markups and their audit. */
export function SettingsPage() {
  const ofAll = useUser()?.isAdmin !== false
  const { data, error, refetch } = useQuery({
    queryKey: [keys.settings],
    queryFn: ({ signal }) => api.getSettings(undefined, { signal }),
    enabled: ofAll,
  })
  useAdminAccess(error)
  return (
    <AdminLayout
      crumb={
        <>
          <ArrowLeft size={16} strokeWidth={2} aria-hidden="true" />
          <Link to={paths.account}>Back to Account</Link>
        </>
      }
      title={<>Admin Settings {data && <Environment name={data.environment} />}</>}
    >
      {error && <LoadFailed words="Failed to load admin settings. Please try again later." retry={() => void refetch()} />}
      {ofAll && !data && !error && <LoadingLines words="Loading admin settings" />}
      {(data || !ofAll) && (
        <div className={admin.two}>
          <div>
            {data && <ModePanel settings={data} />}
            <MarkupPanel />
            {data && <StaffPanel />}
          </div>
          <div>
            <AuditPanel />
          </div>
        </div>
      )}
    </AdminLayout>
  )
}

/** Production stands out: what is changed there, travellers see. */
function Environment({ name }: { name: string }) {
  return (
    <span className={styles.environment} data-highlighted={name === 'production' || undefined}>
      {name}
    </span>
  )
}
