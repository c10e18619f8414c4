/** Characters of the secret in a mail's link. */
export const LINK_TOKEN = { min: 20, max: 200 } as const
