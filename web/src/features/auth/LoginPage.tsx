export function LoginPage() {
  return <h1 className="wrap">LoginPage</h1>
}
