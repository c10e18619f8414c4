import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileProblems, OVERLAYS, overlayProblems, STORES, stage, storeProblems } from './checks.fixture.ts'
import { findKustomize } from './manifests.fixture.ts'
import { type Mistake, mistakes } from './mistakes.fixture.ts'

const kustomize = findKustomize()
const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
const hasCompose = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0
const missing = [
  ...(kustomize ? [] : ['kustomize or kubectl: the manifests are not built']),
  ...(has('promtool') ? [] : ['promtool (package prometheus): the rules are not run']),
  ...(hasCompose ? [] : ['docker with Compose: the layers beside docker-compose.yml are not put together']),
  ...(has('amtool') ? [] : ['amtool (package prometheus-alertmanager): the routing of alerts is not checked']),
]
if (missing.length > 0) process.stdout.write(`not checked, because this machine lacks\n  ${missing.join('\n  ')}\n`)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deployment-'))
  stage(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!kustomize)('the manifests', () => {
  for (const overlay of OVERLAYS)
    test(`of ${overlay} build, have known keys only, and keep the rules of workloads, networks and settings`, { timeout: 60_000 }, () =>
      expect(overlayProblems(kustomize as string[], folder, overlay)).toEqual([]),
    )

  for (const store of STORES)
    test(`of the stores of ${store} build, and give the rights that the code says`, () =>
      expect(storeProblems(kustomize as string[], folder, store)).toEqual([]))
})

test('images, workflows, layers of Compose, rules and dashboards keep their rules', () => expect(fileProblems(folder)).toEqual([]))

test.skipIf(!has('promtool'))('every rule is sound; every alert fires and stays silent where it should', { timeout: 120_000 }, () => {
  const run = (...args: string[]) =>
    spawnSync('sh', ['-c', `promtool ${args.join(' ')}`], { cwd: join(folder, 'infra/observability'), encoding: 'utf8' })
  for (const { status, stdout, stderr } of [run('check', 'rules', 'rules/*.yml'), run('test', 'rules', 'rule-tests/*.yml')])
    expect(`${status} ${status === 0 ? '' : stdout + stderr}`).toBe('0 ')
})

test
  .skipIf(!hasCompose)
  .each([
    '',
    'compose.observability.yml',
    'compose.load.yml',
    'compose.edge.yml',
    'compose.observability.yml compose.load.yml compose.edge.yml',
  ])('docker-compose.yml is accepted by Compose, with %s', { timeout: 60_000 }, (layers) => {
  const files = ['docker-compose.yml', ...layers.split(' ').filter(Boolean)].flatMap((file) => ['--file', file])
  const { status, stderr } = spawnSync('docker', ['compose', ...files, 'config', '--quiet'], { cwd: folder, encoding: 'utf8' })
  expect(`${status} ${stderr}`).toBe('0 ')
})

test.skipIf(!has('amtool'))('alerts are routed as they should be', () => {
  const config = join(folder, 'infra/observability/alertmanager.yml')
  const routed = (...labels: string[]) =>
    spawnSync('amtool', ['config', 'routes', 'test', `--config.file=${config}`, ...labels], { encoding: 'utf8' }).stdout.trim()
  expect(routed('severity=page')).toBe('pages')
  expect(routed('severity=ticket')).toBe('tickets')
  expect(routed('severity=none')).toBe('watchdog')
})

describe.skipIf(!kustomize)('seeded mistakes', () => {
  const problemsOf = (where: string) => {
    if (where === 'files') return fileProblems(folder)
    return where === 'kafka' ? storeProblems(kustomize as string[], folder, where) : overlayProblems(kustomize as string[], folder, where)
  }

  function found({ file, from, to, where = 'prod' }: Mistake): string[] {
    const path = join(folder, file)
    const sound = readFileSync(path, 'utf8')
    const mistaken = sound.replace(from, to)
    expect(mistaken, `${file} has no ${from}`).not.toBe(sound)
    writeFileSync(path, mistaken)
    try {
      return problemsOf(where)
    } finally {
      writeFileSync(path, sound)
    }
  }

  for (const mistake of mistakes)
    test(`${mistake.what} is found, and not only because it does not build`, { timeout: 60_000 }, () => {
      const problems = found(mistake)
      expect(problems).not.toEqual([])
      expect(problems.join('\n')).not.toContain('does not build')
    })

  test('there are more than forty of them', () => expect(new Set(mistakes.map(({ what }) => what)).size).toBeGreaterThan(40))
})
