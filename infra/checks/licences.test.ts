import { expect, test } from 'vitest'
import { read } from './source-files.ts'

/** May be given away with the product, as it is; fonts by their own licence. */
const ALLOWED = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'ISC',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'OFL-1.1',
]

type Package = { version?: string; license?: string; dev?: boolean; link?: boolean; integrity?: string; resolved?: string }

const installed = Object.entries((JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> }).packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
)

test('everything that runs in production has a licence that lets us ship it', () => {
  const others = installed.filter(([, { dev, license = 'none' }]) => !dev && !license.split(' OR ').some((one) => ALLOWED.includes(one)))
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
})

test('every package comes from the registry that npm is set up with, and has the hash that it had when it was chosen', () => {
  const loose = installed.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined)
  expect(loose.map(([path]) => path)).toEqual([])
})

test('packages are named by exact versions', () => {
  const files = ['package.json', 'gateway/package.json', 'web/package.json', 'packages/kit/package.json', 'packages/contracts/package.json']
  const more = ['booking', 'brand', 'identity', 'payment', 'search'].map((name) => `services/${name}/package.json`)
  const infra = ['chaos', 'checks', 'docker', 'emulators', 'k8s', 'kafka', 'local', 'simulators'].map(
    (name) => `infra/${name}/package.json`,
  )
  const ranges = [...files, ...more, ...infra].flatMap((file) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(file)) as Record<string, Record<string, string>>
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name]) => `${file}: ${name}`)
  })
  expect(ranges).toEqual([])
})
