export function BookingPage() {
  return <h1 className="wrap">BookingPage</h1>
}
