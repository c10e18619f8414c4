/** Looks for marked secrets in everything that a system has written and kept. */

const PREFIX = 8

/** The text as it is, without its blanks, and as it would look inside Base64 or hex. */
function guises(secret: string): string[] {
  return [...new Set([secret, secret.replace(/\s/g, '')])].flatMap((text) => {
    const shifted = [0, 1, 2].map((offset) => {
      const encoded = Buffer.from('x'.repeat(offset) + text).toString('base64')
      // The first and the last group hold bits of what is beside it.
      return encoded.slice(offset === 0 ? 0 : 4, -4)
    })
    return [text, Buffer.from(text).toString('hex'), ...shifted.filter((part) => part.length >= PREFIX)]
  })
}

/** Each secret with the names of the places that it is in, in any guise. One pass over every place, however many secrets there are. */
export function findSecrets(stores: ReadonlyMap<string, string>, secrets: Iterable<string>): Map<string, string[]> {
  const wanted = new Map<string, { guise: string; secret: string }[]>()
  const found = new Map<string, string[]>()
  for (const secret of secrets) {
    if (secret.replace(/\s/g, '').length < PREFIX) throw new Error('a secret of less than eight characters is found by chance')
    found.set(secret, [])
    for (const guise of guises(secret)) {
      const prefix = guise.slice(0, PREFIX)
      wanted.set(prefix, [...(wanted.get(prefix) ?? []), { guise, secret }])
    }
  }
  for (const [place, content] of stores) for (const secret of secretsIn(content, wanted)) found.get(secret)?.push(place)
  return found
}

function secretsIn(content: string, wanted: ReadonlyMap<string, readonly { guise: string; secret: string }[]>): Set<string> {
  const found = new Set<string>()
  for (let i = 0; i + PREFIX <= content.length; i++)
    for (const { guise, secret } of wanted.get(content.slice(i, i + PREFIX)) ?? []) if (content.startsWith(guise, i)) found.add(secret)
  return found
}

/** Four digits occur by chance: the code counts where it stands by itself in quotes, in BSON, or beside its name. */
export function placesOfCode(stores: ReadonlyMap<string, string>, code: string): string[] {
  const ways = [`"${code}"`, `'${code}'`, `\\"${code}\\"`, `\x05\0\0\0${code}\0`, `cvv=${code}`]
  const named = new RegExp(`cv[vc]\\W{1,6}${code}`, 'i')
  return [...stores].filter(([, content]) => ways.some((way) => content.includes(way)) || named.test(content)).map(([place]) => place)
}
