/** Who may import whom. The product's shape holds only while this does. */

import { matchesGlob } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cyclesIn, fileImports, packageImports, packages } from './import-graph.ts'
import { importsOf, isTest, read, sourceFiles } from './source-files.ts'

/** A browser that is fetched by whoever has none, and what k6 itself gives its scripts: never installed with the rest. */
const GIVEN = ['@sparticuz/chromium', 'k6']

type Rule = { what: string; files: string[]; allowed(name: string, path: string): boolean }

const services = ['search', 'booking', 'payment', 'identity', 'brand']
const code = (folder: string) => sourceFiles(folder).filter((path) => !isTest(path))
const own = (name: string) => name.startsWith('.') || name.startsWith('node:')
const contracts = (name: string) => name.startsWith('@passerelle/contracts/')
const kit = (name: string) => name.startsWith('@passerelle/kit/')
const product = (name: string) => name.startsWith('@passerelle/')

const all = [...code('packages'), ...code('services'), ...code('gateway'), ...code('web/src'), ...code('infra')]

const PURE_RULES = [
  'airports',
  'booking-reference',
  'brand',
  'card',
  'default-brand',
  'local-time',
  'money',
  'passengers',
  'passport',
  'search',
]
/** Imports that are left when the types are taken away. */
const valueImports = (text: string) => importsOf(text.replace(/^(import|export) type .*$/gm, ''))

const rules: Rule[] = [
  { what: 'contracts depend on zod only', files: code('packages/contracts'), allowed: (name) => name.startsWith('.') || name === 'zod' },
  {
    what: 'the pure rules that the website imports bring no schemas along',
    files: ['addresses', 'client', 'error', ...PURE_RULES.map((rule) => `rules/${rule}`)].map((name) => `packages/contracts/${name}.ts`),
    allowed: (name, path) => name !== 'zod' && !valueImports(read(path)).some((value) => value.includes('http/')),
  },
  { what: 'kit sees contracts and no service', files: code('packages/kit'), allowed: (name) => !product(name) || contracts(name) },
  { what: 'web sees contracts only', files: code('web/src'), allowed: (name) => !product(name) || contracts(name) },
  {
    what: 'the gateway sees contracts and kit, never a service',
    files: code('gateway'),
    allowed: (name) => !product(name) || contracts(name) || kit(name),
  },
  ...services.map((service) => ({
    what: `${service} sees contracts and kit, never another service`,
    files: code(`services/${service}`),
    allowed: (name: string) => !product(name) || contracts(name) || kit(name),
  })),
  {
    what: 'domain/ is pure: contracts and its own folder only',
    files: services.flatMap((service) => code(`services/${service}/domain`)),
    allowed: (name) => contracts(name) || name === 'zod' || (name.startsWith('./') && name.endsWith('.ts')) || name === '@duffel/api/types',
  },
  {
    what: 'mongoose is seen by store.ts, kit and the tools of local servers only',
    files: all,
    allowed: (name, path) =>
      name !== 'mongoose' || path.startsWith('packages/kit/') || path.endsWith('/store.ts') || path.startsWith('infra/'),
  },
  {
    what: 'kafkajs is seen by kit only',
    files: all,
    allowed: (name, path) => name !== 'kafkajs' || path.startsWith('packages/kit/') || path.startsWith('infra/'),
  },
  {
    what: 'ioredis is seen by kit only',
    files: all,
    allowed: (name, path) => name !== 'ioredis' || path.startsWith('packages/kit/') || path.startsWith('infra/'),
  },
  {
    what: '@duffel/api is seen by duffel.ts only',
    files: all,
    allowed: (name, path) => name !== '@duffel/api' || path.endsWith('/duffel.ts') || path.startsWith('infra/'),
  },
  {
    what: 'stripe is seen by stripe.ts and stripe-events.ts only',
    files: all,
    allowed: (name, path) => name !== 'stripe' || path.startsWith('infra/') || /\/stripe(-events)?\.ts$/.test(path),
  },
  {
    what: 'Chakra is seen by ui/ and theme/ only, inside its own provider',
    files: code('web/src'),
    allowed: (name, path) => name !== '@chakra-ui/react' || /^web\/src\/(ui|theme)\//.test(path),
  },
  { what: 'emulators know nothing of the product', files: code('infra/emulators'), allowed: (name) => !product(name) },
]

describe('import directions', () => {
  for (const rule of rules) {
    test(rule.what, () => {
      expect(rule.files.length).toBeGreaterThan(0)
      const broken = rule.files.flatMap((path) =>
        importsOf(read(path))
          .filter((name) => !rule.allowed(name, path))
          .map((name) => `${path} imports ${name}`),
      )
      expect(broken).toEqual([])
    })
  }

  test('a feature of the website never imports another feature', () => {
    const broken = code('web/src/features').flatMap((path) => {
      const feature = path.split('/')[3]
      return importsOf(read(path))
        .filter((name) => {
          const other = /features\/([^/]+)/.exec(name)?.[1] ?? (name.startsWith('../') ? resolveFeature(path, name) : undefined)
          return other !== undefined && other !== feature
        })
        .map((name) => `${path} imports ${name}`)
    })
    expect(broken).toEqual([])
  })

  test('the website’s rooms import downwards: app, features, ui and brand, lib', () => {
    const forbidden: Record<string, RegExp> = {
      lib: /\/(app|features|ui|brand|theme)\//,
      ui: /\/(app|features)\//,
      brand: /\/(app|features|ui)\//,
      features: /\/app\//,
    }
    const broken = Object.entries(forbidden).flatMap(([room, others]) =>
      code(`web/src/${room}`).flatMap((path) =>
        importsOf(read(path))
          .filter((name) => name.startsWith('.') && others.test(name))
          .map((name) => `${path} imports ${name}`),
      ),
    )
    expect(broken).toEqual([])
  })

  test('the router is seen by one file of the website', () => {
    const seers = code('web/src').filter((path) => importsOf(read(path)).some((name) => name.startsWith('react-router')))
    expect(seers).toEqual(['web/src/lib/router.ts'])
  })

  test('every workspace lists what it imports, tests and campaigns included', () => {
    const missing = packages().flatMap(({ folder, name: self }) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${folder}/package.json`)) as Record<
        string,
        Record<string, string>
      >
      const known = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)])
      const root = JSON.parse(read('package.json')).devDependencies as Record<string, string>
      return sourceFiles(folder).flatMap((path) =>
        importsOf(read(path))
          .filter((name) => !own(name) && !name.startsWith('@/') && !name.startsWith('virtual:'))
          .map((name) =>
            name
              .split('/')
              .slice(0, name.startsWith('@') ? 2 : 1)
              .join('/'),
          )
          .filter((name) => !known.has(name) && name !== self && !(isTest(path) && name in root) && !GIVEN.includes(name))
          .map((name) => `${folder} lacks ${name} (${path})`),
      )
    })
    expect([...new Set(missing)]).toEqual([])
  })
})

describe('import cycles', () => {
  test('no file imports itself through others, types and tests included', () => {
    expect(cyclesIn(fileImports())).toEqual([])
  })

  test('no package imports itself through others, tests and campaigns included', () => {
    expect(cyclesIn(packageImports())).toEqual([])
  })

  test('a ring is found', () => {
    const graph = new Map(Object.entries({ a: new Set(['b']), b: new Set(['c']), c: new Set(['a', 'd']), d: new Set<string>() }))
    expect(cyclesIn(graph)).toEqual([['a', 'b', 'c']])
  })
})

/** `../trips/x` seen from features/booking/a.tsx is the feature trips. */
function resolveFeature(path: string, name: string): string | undefined {
  const parts = path.split('/').slice(0, -1)
  for (const step of name.split('/')) {
    if (step === '..') parts.pop()
    else if (step !== '.') parts.push(step)
  }
  return parts[2] === 'features' ? parts[3] : undefined
}

describe('house rules', () => {
  test('the environment is read by kit, infra and configuration files only', () => {
    const readers = [...code('services'), ...code('gateway'), ...code('web/src'), ...code('packages/contracts')].filter((path) =>
      /process\.env/.test(read(path)),
    )
    expect(readers).toEqual([])
  })

  test('what ships imports no test code: images are built without it', () => {
    const shipped = [...code('services'), ...code('gateway'), ...code('packages'), ...code('web/src')]
    const imports = shipped.flatMap((path) =>
      importsOf(read(path))
        .filter((name) => isTest(`/${name}`) || isTest(`/${name}.ts`))
        .map((name) => `${path} imports ${name}`),
    )
    expect(imports).toEqual([])
  })

  test('no test code reaches an image: the build context leaves it out', () => {
    const patterns = read('.dockerignore').trim().split('\n')
    const left = [
      ...sourceFiles('packages'),
      ...sourceFiles('services'),
      ...sourceFiles('gateway'),
      ...sourceFiles('infra'),
      ...sourceFiles('web'),
    ]
      .filter(isTest)
      .filter((path) => !patterns.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)))
    expect(left).toEqual([])
  })

  test('nothing is left to do in the code, and no test is skipped', () => {
    const words = [`TO${'DO'}`, `FIX${'ME'}`, `(test|it|describe)\\.(only|skip|to${'do'})\\(`]
    const marked = [...all, ...sourceFiles('infra/checks')].filter((path) =>
      words.some((word) => new RegExp(`(^|\\W)${word}`).test(read(path))),
    )
    expect(marked).toEqual([])
  })
})
