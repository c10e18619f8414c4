import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError, api } from '../../../lib/api-client.ts'
import { today } from '../../../lib/format/dates.ts'
import { type LastSearch, saveLastSearch, searchAddress, type TripType } from '../../../lib/last-search.ts'
import { useNavigate } from '../../../lib/router.ts'
import { readText, writeText } from '../../../lib/storage.ts'
import { useAirports } from '../../../lib/use-airports.ts'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { freshValues, type SearchValues, searchProblems, toCriteria, toLastSearch, valuesOf, withTripType } from '../model/search-form.ts'

const LAST_TRIP_TYPE = 'lastTripType'

export type Focusable = { focus: () => void }
export type SearchFormState = ReturnType<typeof useSearchForm>

/** For the next visit; a browser that refuses loses nothing else. */
export function rememberTripType(tripType: string): void {
  writeText('local', LAST_TRIP_TYPE, tripType)
}

/** What every search form does, however it looks. `initial` is a search to change; without one the form is fresh. */
export function useSearchForm(initial: LastSearch | null) {
  const navigate = useNavigate()
  const airports = useAirports()
  const [searching, setSearching] = useState(false)
  const refs = {
    origin: useRef<Focusable>(null) as RefObject<Focusable | null>,
    destination: useRef<Focusable>(null) as RefObject<Focusable | null>,
    departureDate: useRef<Focusable>(null) as RefObject<Focusable | null>,
  }
  const { control, watch, reset, getValues, setValue, handleSubmit, setError, clearErrors, formState } = useForm<SearchValues>({
    defaultValues: initial ? valuesOf(initial, today()) : freshValues(today(), readText('local', LAST_TRIP_TYPE)),
  })
  const values = watch()

  function change(changed: Partial<SearchValues>): void {
    for (const [name, value] of Object.entries(changed)) {
      setValue(name as keyof SearchValues, value, { shouldDirty: true })
      clearErrors(name as keyof SearchValues)
    }
  }

  function changeTripType(tripType: TripType): void {
    reset(withTripType(getValues(), tripType), { keepErrors: true })
    clearErrors('returnDate')
    rememberTripType(tripType)
  }

  async function submit(wishes: SearchValues): Promise<void> {
    const { fields: messages, toast: whole } = searchProblems(wishes, today())
    const wrong = Object.entries(messages) as [keyof SearchValues, string][]
    for (const [name, message] of wrong) setError(name, { message })
    const first = wrong[0]?.[0]
    if (first) return refs[focusedFor(first)].current?.focus()
    if (whole) return void toast({ title: whole, tone: 'negative' })
    setSearching(true)
    try {
      await api.startSearch({ body: toCriteria(wishes) })
      const search = toLastSearch(wishes)
      saveLastSearch(search)
      await navigate(searchAddress(search))
    } catch (failure) {
      const refused = failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.code !== null
      toast({ title: 'Search failed', description: refused ? failure.displayMessage : 'Please try again later.', tone: 'negative' })
    } finally {
      setSearching(false)
    }
  }

  // A search to change may arrive while the form is on the screen.
  useEffect(() => {
    if (initial) reset(valuesOf(initial, today()))
  }, [initial, reset])

  return {
    control,
    values,
    airports,
    refs,
    searching,
    change,
    changeTripType,
    error: (name: keyof SearchValues) => formState.errors[name]?.message,
    onSubmit: (event: FormEvent) => void handleSubmit(submit)(event),
  }
}

/** The field that takes the focus for a problem of another one. */
function focusedFor(name: keyof SearchValues): 'origin' | 'destination' | 'departureDate' {
  if (name === 'destination') return name
  return name === 'departureDate' || name === 'returnDate' ? 'departureDate' : 'origin'
}
