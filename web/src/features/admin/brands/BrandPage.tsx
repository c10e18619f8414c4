import { useQuery } from '@tanstack/react-query'
import { ApiError, api } from '../../../lib/api-client.ts'
import { paths } from '../../../lib/paths.ts'
import { useParams } from '../../../lib/router.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AdminLayout } from '../AdminLayout.tsx'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'
import { BrandEditor } from './BrandEditor.tsx'

export function BrandPage() {
  const { brandKey = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: [keys.brands, brandKey],
    queryFn: ({ signal }) => api.getManagedBrand({ params: { brandKey } }, { signal }),
    refetchOnMount: 'always',
  })
  useAdminAccess(error)
  // What somebody has saved or published fills the fields afresh; a change beside them, such as the sender's, does not.
  if (data) return <BrandEditor key={`${data.key} ${data.published} ${data.draftAt}`} managed={data} reload={() => void refetch()} />
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <div className="wrap">
        <EmptyState
          level={1}
          title="This brand does not exist."
          actions={
            <ButtonLink variant="solid" to={paths.adminBrands}>
              All brands
            </ButtonLink>
          }
        />
      </div>
    )
  }
  return (
    <AdminLayout title="Brand">
      {error ? (
        <LoadFailed words="The brand could not be loaded." retry={() => void refetch()} />
      ) : (
        <LoadingLines words="Loading brand manager..." />
      )}
    </AdminLayout>
  )
}
