/** The seat maps of an offer in the cache of reads; the key is the path. */
export const seatMapsKey = (offerId: string) => [`/api/flights/seatmaps/${encodeURIComponent(offerId)}`] as const
