/** Where a mail's links lead: the brand's own stored domain, never a Host header; `fallback` for brands without one on the internet. */
export function brandSite(domain: string, fallback: string): string {
  const onTheInternet = domain.includes('.') && !/\.(example|test|localhost|invalid)$/.test(domain)
  return onTheInternet ? `https://${domain}` : fallback.replace(/\/$/, '')
}
