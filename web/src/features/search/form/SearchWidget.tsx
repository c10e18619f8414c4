import { useState } from 'react'
import { useBrand } from '../../../brand/BrandProvider.tsx'
import { paths, telephone } from '../../../lib/paths.ts'
import { Link } from '../../../lib/router.ts'
import { Check } from '../../../ui/Choice.tsx'
import { CABINS } from '../model/search-form.ts'
import { PassengersField } from './PassengersField.tsx'
import { RouteFields } from './RouteFields.tsx'
import styles from './SearchForm.module.css'
import widget from './SearchWidget.module.css'
import { TripTypes } from './TripTypes.tsx'
import { rememberTripType, useSearchForm } from './use-search-form.ts'

type Props = { onCall?: ((event: { preventDefault(): void }) => void) | undefined }

/** The search of the partner page: three trip types, of which the last is for the phone, and the cabin in plain sight. */
export function SearchWidget({ onCall }: Props) {
  const form = useSearchForm(null)
  const { values, change, changeTripType, error, onSubmit } = form
  const [multiCity, setMultiCity] = useState(false)

  function choose(tripType: typeof values.tripType | 'multi-city'): void {
    setMultiCity(tripType === 'multi-city')
    if (tripType === 'multi-city') rememberTripType(tripType)
    else changeTripType(tripType)
  }

  return (
    <form
      className={styles.search}
      id="search"
      aria-label="Search flights"
      noValidate
      onSubmit={(event) => (multiCity ? event.preventDefault() : onSubmit(event))}
    >
      <div className={styles.top}>
        <TripTypes multiCity value={multiCity ? 'multi-city' : values.tripType} onChange={choose} />
        {!multiCity && (
          <PassengersField
            value={values}
            onChange={change}
            error={error('adultsCount') ?? error('childrenCount') ?? error('infantsCount')}
          />
        )}
      </div>
      {multiCity ? (
        <MultiCity onCall={onCall} />
      ) : (
        <>
          {values.tripType === 'one-way' && (
            <p className={widget.note} role="status">
              One way only? Please use the <Link to={`${paths.home}#search`}>main search form</Link>, or search here without a return date.
            </p>
          )}
          <RouteFields form={form} searchingText="Searching..." />
          <fieldset className={widget.cabins}>
            <legend className="visually-hidden">Cabin class</legend>
            {CABINS.map(([cabin, label]) => (
              <Check
                key={cabin}
                type="radio"
                name="cabinClass"
                value={cabin}
                checked={values.cabinClass === cabin}
                onChange={() => change({ cabinClass: cabin })}
              >
                {label}
              </Check>
            ))}
          </fieldset>
        </>
      )}
    </form>
  )
}

/** Several cities are planned by people. */
function MultiCity({ onCall }: Props) {
  const { contact } = useBrand()
  return (
    <div className={widget.multiCity} role="status">
      <p>
        <strong>Several cities?</strong> Please call our travel experts. They plan the order with you and book it on the line.
      </p>
      <a href={telephone(contact.phone)} onClick={onCall}>
        {contact.phone}
      </a>
    </div>
  )
}
