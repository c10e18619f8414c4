export function ResultsPage() {
  return <h1 className="wrap">ResultsPage</h1>
}
