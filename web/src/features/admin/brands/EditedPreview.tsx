import { readBrand } from '@passerelle/contracts/rules/brand-values'
import { useMemo } from 'react'
import { type BrandFields, inputOf } from '../model/brand-form.ts'
import { BrandPreview } from './BrandPreview.tsx'

/** What the editor's fields make of the brand. What cannot be used falls back to the default brand's value, as on a page. */
export function EditedPreview({ brandKey, values }: { brandKey: string; values: BrandFields }) {
  const brand = useMemo(() => readBrand({ ...inputOf(values), domain: brandKey }, brandKey).brand, [values, brandKey])
  return <BrandPreview brand={brand} />
}
