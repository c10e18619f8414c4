const CABINS: Readonly<Record<string, string>> = {
  economy: 'Economy',
  premium_economy: 'Premium Economy',
  business: 'Business',
  first: 'First Class',
}

/** A cabin that an address made up is shown as it is written; the server says what it thinks of it. */
export function cabinName(cabin: string): string {
  return CABINS[cabin] ?? cabin
}
