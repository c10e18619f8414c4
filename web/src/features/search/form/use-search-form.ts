import { type FormEvent, useEffect } from 'react'
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form'
import { ApiError, api } from '../../../lib/api-client.ts'
import { today } from '../../../lib/format/dates.ts'
import { type LastSearch, saveLastSearch, searchAddress, type TripType } from '../../../lib/last-search.ts'
import { useNavigate } from '../../../lib/router.ts'
import { useLoadLater } from '../../../lib/schema-resolver.ts'
import { readText, writeText } from '../../../lib/storage.ts'
import { useAirports } from '../../../lib/use-airports.ts'
import { toast } from '../../../ui/toaster/toast-store.ts'
import { freshValues, type SearchValues, valuesOf, withTripType } from '../model/search-form.ts'

const LAST_TRIP_TYPE = 'lastTripType'

const loadSchema = () => import('../model/search-schema.ts')
const resolver: Resolver<SearchValues, unknown, LastSearch> = async (values) => (await loadSchema()).resolveSearch(values)
const LATER = 'Please try again later.'

export type SearchFormState = ReturnType<typeof useSearchForm>

/** For the next visit; a browser that refuses loses nothing else. */
export function rememberTripType(tripType: string): void {
  writeText('local', LAST_TRIP_TYPE, tripType)
}

/** What every search form does, however it looks. `initial` is a search to change; without one the form is fresh. */
export function useSearchForm(initial: LastSearch | null, onSearched?: (search: LastSearch) => void) {
  const navigate = useNavigate()
  const airports = useAirports()
  const { control, watch, reset, getValues, setValue, handleSubmit, clearErrors, formState } = useForm({
    resolver,
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

  async function submit(search: LastSearch): Promise<void> {
    try {
      const { tripType: _tripType, ...body } = search
      await api.startSearch({ body })
      saveLastSearch(search)
      onSearched?.(search)
      await navigate(searchAddress(search))
    } catch (failure) {
      const refused = failure instanceof ApiError && failure.status >= 400 && failure.status < 500 && failure.code !== null
      toast({ title: 'Search failed', description: refused ? failure.displayMessage : LATER, tone: 'negative' })
    }
  }

  useLoadLater(loadSchema)

  // A search to change may arrive while the form is on the screen.
  useEffect(() => {
    if (initial) reset(valuesOf(initial, today()))
  }, [initial, reset])

  return {
    control,
    values,
    airports,
    searching: formState.isSubmitting,
    change,
    changeTripType,
    error: (name: keyof SearchValues) => formState.errors[name]?.message,
    onSubmit: (event: FormEvent) => void handleSubmit(submit, explain)(event).catch(fail),
  }
}

/** What is wrong with the search as a whole. */
function explain({ root }: FieldErrors<SearchValues>): void {
  if (root?.message) toast({ title: root.message, tone: 'negative' })
}

/** The schemas did not arrive. */
function fail(): void {
  toast({ title: 'Search failed', description: LATER, tone: 'negative' })
}
