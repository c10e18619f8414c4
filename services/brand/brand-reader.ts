/** Brands as they are shown: what is missing in a stored brand, or not allowed any more, is replaced by default values. */
import { type Brand, BrandSettings, type MailSender } from '@passerelle/contracts/http/brand'
import { readBrand } from '@passerelle/contracts/rules/brand-values'
import { DEFAULT_BRAND_KEY } from '@passerelle/contracts/rules/default-brand'
import { DEFAULT_MARKUP_PERCENT } from '@passerelle/contracts/rules/money'
import type { Log } from '@passerelle/kit/log'
import { mailSender } from './domain/sender.ts'
import type { ServedBrand, Store } from './store.ts'

export type BrandReader = {
  /** Logs faults of stored values once. */
  read(record: ServedBrand): Brand
  settings(record: ServedBrand): Promise<BrandSettings>
  /** Whom the brand's mails come from. */
  sender(record: ServedBrand): MailSender
  /** The brand that is served under this key, else the default brand; null: there is none at all. */
  served(key: string): Promise<ServedBrand | null>
  /** What is added where a brand has no markup of its own. */
  defaultMarkup(): Promise<number>
}

/** `markupPercent`: of the installation, for a default brand without one. */
export function brandReader(store: Pick<Store, 'find'>, log: Log, markupPercent: number | undefined): BrandReader {
  const loggedFaults = new Set<string>()
  const logFaults = ({ _id, version }: ServedBrand, faults: readonly string[]) => {
    const fault = `${_id} ${version} ${faults.join()}`
    if (faults.length === 0 || loggedFaults.has(fault)) return
    loggedFaults.add(fault)
    log.warn({ brand: _id, version, faults }, 'stored values of a brand cannot be used: the defaults stand in')
  }
  const parse = (record: ServedBrand) => {
    const { brand, replaced } = readBrand(record.brand, record._id)
    const version = BrandSettings.shape.version.safeParse(record.version)
    const markup = BrandSettings.shape.markupPercent.nullish().safeParse(record.markupPercent)
    logFaults(record, [...replaced, ...(version.success ? [] : ['version']), ...(markup.success ? [] : ['markupPercent'])])
    return { brand, version: version.data ?? 0, markup: markup.data ?? null }
  }
  const defaultMarkup = async () => {
    const record = await store.find(DEFAULT_BRAND_KEY)
    return (record && parse(record).markup) ?? markupPercent ?? DEFAULT_MARKUP_PERCENT
  }
  return {
    read: (record) => parse(record).brand,
    async settings(record) {
      const { brand, version, markup } = parse(record)
      const sender = mailSender(record.sender, brand.name)
      return { key: record._id, version, brand, markupPercent: markup ?? (await defaultMarkup()), sender }
    },
    sender: (record) => mailSender(record.sender, parse(record).brand.name),
    served: async (key) => (await store.find(key)) ?? (await store.find(DEFAULT_BRAND_KEY)),
    defaultMarkup,
  }
}
