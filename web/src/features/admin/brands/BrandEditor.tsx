import type { ManagedBrand } from '@passerelle/contracts/http/brand-manager'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { type FieldErrors, type FieldPath, FormProvider, useForm, useWatch } from 'react-hook-form'
import { FIGURES } from '../../../brand/facts.ts'
import { api } from '../../../lib/api-client.ts'
import { paths } from '../../../lib/paths.ts'
import { Link, useSearchParams } from '../../../lib/router.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { LinkButton } from '../../../ui/Button.tsx'
import { lazyPart } from '../../../ui/lazy.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import admin from '../Admin.module.css'
import { AdminLayout } from '../AdminLayout.tsx'
import { type BrandFields, brandResolver, fieldAt, fieldsOf, inputOf, tabOf } from '../model/brand-form.ts'
import { Panel } from '../Panel.tsx'
import { BrandStatusBadges } from './BrandStatusBadges.tsx'
import styles from './Brands.module.css'
import { EditorActions } from './EditorActions.tsx'
import { Legibility } from './Legibility.tsx'
import { LookFields } from './LookFields.tsx'
import { TextFields } from './TextFields.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'
import { type BrandRefusal, useBrandActions } from './use-brand-actions.ts'

const EditedPreview = lazyPart(async () => (await import('./EditedPreview.tsx')).EditedPreview)
const HostAndSender = lazyPart(async () => (await import('../host/HostAndSender.tsx')).HostAndSender)
const Versions = lazyPart(async () => (await import('./Versions.tsx')).Versions)

export function BrandEditor({ managed, reload }: { managed: ManagedBrand; reload: () => void }) {
  const { key, version, brand } = managed
  const [query, setQuery] = useSearchParams()
  const tab = query.get('tab') ?? 'look'
  const showTab = (value: string) => setQuery(value === 'look' ? {} : { tab: value }, { replace: true, preventScrollReset: true })
  const form = useForm<BrandFields>({ resolver: brandResolver, defaultValues: fieldsOf(brand, Object.keys(FIGURES)) })
  const { control, formState, setError, getValues, trigger } = form
  const actions = useBrandActions()
  const values = useDeferredValue(useWatch({ control }) as BrandFields)

  function showErrors(refusal: BrandRefusal): void {
    const wrong = Object.entries(refusal.fields).map(
      ([path, message]) => [fieldAt(path.split('.'), getValues()).join('.'), message] as const,
    )
    for (const [path, message] of wrong) setError(path as FieldPath<BrandFields>, { message })
    if (wrong[0]) showTab(tabOf(wrong[0][0]))
  }

  /** True when every field may be saved; else the first tab with an error is shown. */
  async function check(): Promise<boolean> {
    if (await trigger(undefined, { shouldFocus: true })) return true
    const errors = form.formState.errors as FieldErrors<BrandFields>
    const wrong = Object.keys(errors)
    if (wrong[0] && !wrong.some((name) => tabOf(name) === tab)) showTab(tabOf(wrong[0]))
    return false
  }

  async function save(): Promise<ManagedBrand | null> {
    const body = { version, brand: inputOf(getValues()) }
    const answer = await actions.run(() => api.saveDraft({ params: { brandKey: key }, body }))
    if ('brand' in answer) return answer.brand
    showErrors(answer.refusal)
    return null
  }

  const hostWords = key === DEFAULT_BRAND_KEY ? 'Every host without a brand' : key
  const versions = <Versions managed={managed} actions={actions} waiting={null} />

  return (
    <FormProvider {...form}>
      <UnsavedChanges unsaved={formState.isDirty} />
      <AdminLayout
        crumb={
          <>
            <Link to={paths.adminBrands}>Brands</Link>
            <ChevronRight size={16} strokeWidth={2} aria-hidden="true" />
            <span>{hostWords}</span>
          </>
        }
        title={
          <>
            {brand.name} <BrandStatusBadges brand={managed} />
            {formState.isDirty && <Badge tone="warning">Unsaved changes</Badge>}
          </>
        }
        actions={<EditorActions managed={managed} actions={actions} check={check} save={save} />}
      >
        {actions.refusal && (
          <Alert tone="negative" title={actions.refusal.message}>
            {actions.refusal.race && <LinkButton onClick={reload}>Load it again</LinkButton>}
          </Alert>
        )}
        <div className={tab === 'host' ? admin.two : styles.editor}>
          <div className={tab === 'host' ? undefined : 'card'}>
            <Tabs
              label="Parts of the brand"
              value={tab}
              onChange={showTab}
              listClassName={tab === 'host' ? undefined : styles.tabs}
              tabs={[
                {
                  value: 'look',
                  label: 'Look',
                  content: (
                    <Fields>
                      <LookFields brandKey={key} />
                    </Fields>
                  ),
                },
                {
                  value: 'texts',
                  label: 'Content',
                  content: (
                    <Fields>
                      <TextFields />
                    </Fields>
                  ),
                },
                { value: 'host', label: 'Host and sender', content: <HostAndSender managed={managed} waiting={null} /> },
                { value: 'versions', label: 'Versions', content: versions },
              ]}
            />
          </div>
          {tab === 'host' ? (
            <div>
              <Panel
                title="Versions"
                words={`Publishing and rolling back reach ${key === DEFAULT_BRAND_KEY ? 'every host without a brand' : key} within a minute.`}
              >
                {versions}
              </Panel>
            </div>
          ) : (
            <div className={styles.beside}>
              <EditedPreview brandKey={key} values={values} waiting={null} />
              <Legibility colors={values.theme} />
            </div>
          )}
        </div>
      </AdminLayout>
    </FormProvider>
  )
}

/** Saved by the buttons of the page, so Enter does nothing. */
function Fields({ children }: { children: ReactNode }) {
  return (
    <form aria-label="Brand" noValidate onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  )
}
