import { useEffect, useRef, useState } from 'react'
import { useBrand } from '../../brand/BrandProvider.tsx'
import { telephone } from '../../lib/paths.ts'
import { type AdConsent, type ConversionTag, keepConsent, loadConversionTag, readConsent, reportThenDial } from './conversion-tag.ts'

type Conversion = {
  /** Whether the visitor has to be asked. */
  asks: boolean
  answer: (consent: AdConsent) => void
  onCall: (event: { preventDefault(): void }) => void
}

/** Consent, tag and phone links of the partner page. */
export function useConversion(): Conversion {
  const { content, contact } = useBrand()
  const id = content.conversionId
  const [consent, setConsent] = useState(readConsent)
  const tag = useRef<ConversionTag | null>(null)

  useEffect(() => {
    if (!id || consent !== 'granted') return
    loadConversionTag(id).then(
      (loaded) => {
        tag.current = loaded
      },
      () => {
        tag.current = null
      },
    )
  }, [id, consent])

  return {
    asks: id !== '' && consent === null,
    answer(given) {
      keepConsent(given)
      setConsent(given)
    },
    onCall: (event) => reportThenDial(event, telephone(contact.phone), tag.current),
  }
}
