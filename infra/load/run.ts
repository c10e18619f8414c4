/**
 * `make load SCENARIO=steady`: runs one scenario of infra/load/k6 with the k6 of this machine, or else its official image, against BASE_URL.
 * Summary, figures and picture go to .data/load. Ends with k6's exit code: 99 when a threshold is broken.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const IMAGE = 'grafana/k6:1.8.1'
/** What a scenario may be given; its file says what it means. */
const SETTINGS = ['RATE', 'RATES', 'DURATION', 'WARM', 'STEP_SECONDS', 'VISITORS', 'ROUTES', 'DAYS']
const root = join(import.meta.dirname, '../..')
const results = join(root, '.data/load')
const scenarios = readdirSync(join(import.meta.dirname, 'k6'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))

const baseUrl = process.env.BASE_URL || 'http://localhost:8080'
const scenario = process.argv[2] ?? 'smoke'

function fail(why: string): never {
  console.error(why)
  process.exit(2)
}

const has = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0

if (!scenarios.includes(scenario)) fail(`There is no scenario "${scenario}". There are: ${scenarios.join(', ')}`)
const answers = await fetch(`${baseUrl}/livez`, { signal: AbortSignal.timeout(5000) }).then(
  () => true,
  () => false,
)
if (!answers) fail(`Nothing answers at ${baseUrl}. Start a system whose limits are lifted: RATE_LIMIT_FACTOR=1000 make start`)

mkdirSync(results, { recursive: true })
const given = {
  BASE_URL: baseUrl,
  ...Object.fromEntries(SETTINGS.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
}
const settings = (folder: string) => Object.entries({ ...given, RESULTS: folder }).flatMap(([name, value]) => ['-e', `${name}=${value}`])
const k6 = (folder: string, path: string) => ['run', '--no-usage-report', ...settings(folder), `${path}/infra/load/k6/${scenario}.ts`]

if (has('k6', 'version')) process.exit(spawnSync('k6', k6(results, root), { stdio: 'inherit' }).status ?? 1)
if (has('docker', 'info')) {
  const mounts = ['infra/load', 'packages/contracts'].flatMap((folder) => ['-v', `${root}/${folder}:/src/${folder}:ro`])
  const own = ['--rm', '--network', 'host', '--user', `${process.getuid?.() ?? 0}`, ...mounts, '-v', `${results}:/results`]
  process.exit(spawnSync('docker', ['run', ...own, IMAGE, ...k6('/results', '/src')], { stdio: 'inherit' }).status ?? 1)
}
fail('Neither k6 nor docker is here. k6 is one program: https://grafana.com/docs/k6/latest/set-up/install-k6/ (1.8 or newer)')
