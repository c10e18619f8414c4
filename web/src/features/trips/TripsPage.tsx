export function TripsPage() {
  return <h1 className="wrap">TripsPage</h1>
}
