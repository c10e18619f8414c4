import { useQuery } from '@tanstack/react-query'
import { api } from '../../../lib/api-client.ts'
import { keys } from './keys.ts'

const PERSON = /^usr_[A-Za-z0-9_-]{1,40}$/
/** The server names as many in one call. */
const MOST = 50

/** Names for user ids; `null` stands for the installation, "operator" for a command on its servers, "link" for whoever opened a mail's link. */
export function useNames(ids: readonly (string | null)[]): (id: string | null) => string {
  const wanted = [...new Set(ids)].filter((id): id is string => id !== null && PERSON.test(id)).sort()
  const asked = wanted.slice(0, MOST).join(',')
  const { data } = useQuery({
    queryKey: [keys.people, asked],
    queryFn: ({ signal }) => api.listPeople({ query: { ids: asked } }, { signal }),
    enabled: asked !== '',
  })
  return (id) => nameOf(id, data ?? [])
}

export function nameOf(id: string | null, people: readonly { id: string; name: string }[]): string {
  if (id === null) return 'Installation'
  if (id === 'operator') return 'Operator'
  if (id === 'link') return 'Link in a mail'
  return people.find((person) => person.id === id)?.name ?? 'Administrator'
}
