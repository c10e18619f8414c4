export function OfferPage() {
  return <h1 className="wrap">OfferPage</h1>
}
