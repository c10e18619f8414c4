export function RegisterPage() {
  return <h1 className="wrap">RegisterPage</h1>
}
