import type { ListedBrand } from '@passerelle/contracts/http/brand-manager'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../lib/api-client.ts'
import { paths } from '../../../lib/paths.ts'
import { useUser } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { lazyOverlay } from '../../../ui/lazy.tsx'
import admin from '../Admin.module.css'
import { AdminLayout } from '../AdminLayout.tsx'
import { State } from '../host/State.tsx'
import { LoadFailed, LoadingLines } from '../LoadFailed.tsx'
import { keys } from '../model/keys.ts'
import { formatMoment } from '../model/moment.ts'
import { hostWords, listedCertificateWords } from '../model/record-words.ts'
import { useAdminAccess } from '../model/use-admin-access.ts'
import { useNames } from '../model/use-people.ts'
import { Panel } from '../Panel.tsx'
import table from '../Table.module.css'
import { BrandStatusBadges } from './BrandStatusBadges.tsx'
import styles from './Brands.module.css'
import { MarkTile } from './MarkTile.tsx'

const CreateBrandDialog = lazyOverlay(async () => (await import('./CreateBrandDialog.tsx')).CreateBrandDialog)

export function BrandsPage() {
  const [creating, setCreating] = useState(false)
  const ofAll = useUser()?.isAdmin === true
  const { data, error, refetch } = useQuery({
    queryKey: [keys.brands],
    queryFn: ({ signal }) => api.listBrands(undefined, { signal }),
    refetchOnMount: 'always',
  })
  useAdminAccess(error)
  return (
    <AdminLayout
      title="Brands"
      words={data && countsOf(data)}
      actions={
        ofAll && (
          <Button variant="solid" disabled={!data} onClick={() => setCreating(true)}>
            <Plus size={16} strokeWidth={2} aria-hidden="true" />
            Create brand
          </Button>
        )
      }
    >
      {error && <LoadFailed words="The brands could not be loaded." retry={() => void refetch()} />}
      {!data && !error && <LoadingLines words="Loading brand manager..." />}
      {data && (
        <>
          <Panel title="All brands">
            <BrandTable brands={data} />
          </Panel>
          <p className={admin.sub}>
            A published version reaches its host within a minute. A deactivated brand keeps its versions, bookings and mails; its host shows
            the default brand.
          </p>
        </>
      )}
      <CreateBrandDialog open={creating} onClose={() => setCreating(false)} brands={data ?? []} />
    </AdminLayout>
  )
}

/** "3 served, 1 draft, 1 deactivated". */
function countsOf(brands: readonly ListedBrand[]): string {
  const of = (status: ListedBrand['status']) => brands.filter((brand) => brand.status === status).length
  return `${of('live')} served, ${of('draft')} draft, ${of('deactivated')} deactivated`
}

export function BrandTable({ brands }: { brands: readonly ListedBrand[] }) {
  const nameOf = useNames(brands.flatMap(({ publishedBy, draftBy }) => [publishedBy, draftBy]))
  return (
    <table className={table.table}>
      <caption className="visually-hidden">Brands</caption>
      <thead>
        <tr>
          <th scope="col">Brand</th>
          <th scope="col">Host</th>
          <th scope="col">Sender of mails</th>
          <th scope="col">Published</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {brands.map((brand) => (
          <tr key={brand.key}>
            <th scope="row">
              <span className={styles.who}>
                <MarkTile brand={brand} />
                <span>
                  <b>{brand.name}</b>
                  <span className={styles.badges}>
                    <BrandStatusBadges brand={brand} />
                  </span>
                </span>
              </span>
            </th>
            <td data-label="Host">
              <span>
                <b>{brand.key === DEFAULT_BRAND_KEY ? 'Every host without a brand' : brand.key}</b>
                <small>{HOST_WORDS[brand.status]}</small>
                <HostStates brand={brand} />
              </span>
            </td>
            <td data-label="Sender">
              <span>
                {brand.sender.address ? <span className={styles.address}>{brand.sender.address}</span> : 'Uses the default sender'}
                {brand.sender.address && (
                  <State tone={brand.sender.proved ? 'ok' : 'wait'} words={brand.sender.proved ? 'Proved' : 'Not proved'} />
                )}
              </span>
            </td>
            <td data-label="Published">
              {brand.published > 0 ? (
                <span>
                  Version {brand.published}
                  <small>{formatMoment(brand.publishedAt)}</small>
                  <small>{nameOf(brand.publishedBy)}</small>
                </span>
              ) : (
                <span>
                  Never published
                  <small>
                    {nameOf(brand.draftBy)}, {formatMoment(brand.draftAt)}
                  </small>
                </span>
              )}
            </td>
            <td className={styles.edit}>
              <ButtonLink size="sm" to={paths.adminBrand(brand.key)} aria-label={`Edit ${brand.name}`}>
                Edit
              </ButtonLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function HostStates({ brand }: { brand: ListedBrand }) {
  const certificate = listedCertificateWords(brand)
  return (
    brand.host && (
      <span className={styles.states}>
        <State {...hostWords(brand.host)} />
        {certificate && <State {...certificate} />}
      </span>
    )
  )
}

const HOST_WORDS = {
  live: 'Shows this brand',
  draft: 'Preview on a test address',
  deactivated: 'Shows the default brand',
} as const
