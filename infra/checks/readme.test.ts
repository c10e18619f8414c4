/** What README.md and the services' pages say of routes, commands, settings and files; of events, see readme-events.test.ts. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { allContracts } from '@passerelle/contracts/http/all'
import { describe, expect, test } from 'vitest'
import { isTest, read, root, sourceFiles } from './source-files.ts'

const services = ['search', 'booking', 'payment', 'identity', 'brand']
const rows = read('README.md')
  .split('\n')
  .filter((line) => /^\| \[\w+\]\(services\//.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const rowOf = (service: string) => rows.find(([, name]) => name?.startsWith(`[${service}]`)) ?? []
const code = (folder: string) =>
  sourceFiles(folder)
    .filter((path) => !isTest(path))
    .map(read)
    .join('\n')

describe('the table of services', () => {
  test('has a row for every service', () => {
    expect(rows.map(([, name]) => /\[(\w+)\]/.exec(name ?? '')?.[1]).sort()).toEqual([...services].sort())
  })

  test.each(services)('%s owns the routes of its contract', (service) => {
    const prefixes = [...(rowOf(service)[2] ?? '').matchAll(/`([^`*]+)\*?`/g)].map(([, prefix = '']) => prefix)
    const routes = allContracts.filter((contract) => contract.service === service).flatMap((contract) => Object.values(contract.routes))
    const outside = routes.filter(({ access, path }) => access !== 'internal' && !prefixes.some((prefix) => path.startsWith(prefix)))
    expect(outside.map(({ path }) => path)).toEqual([])
    expect(prefixes.filter((prefix) => !routes.some(({ path }) => path.startsWith(prefix)))).toEqual([])
  })
})

test('every `make` command that is named is a target of the Makefile', () => {
  const targets = new Set([...read('Makefile').matchAll(/^([a-z0-9-]+):/gm)].map(([, target]) => target))
  const pages = [
    'README.md',
    ...services.map((service) => `services/${service}/README.md`),
    ...sourceFiles('docs', /\.md$/),
    ...sourceFiles('infra', /\.md$/),
  ]
  const named = pages.flatMap((path) =>
    [...read(path).matchAll(/(?:`|^|\s)make ([a-z0-9-]+)(?=[`\s]+|$)/gm)].map(([, target]) => `${path}: ${target}`),
  )
  expect(named.length).toBeGreaterThan(5)
  const commands = named.filter(
    (one) => /`/.test(read(one.split(': ')[0] ?? '')) && read(one.split(': ')[0] ?? '').includes(`\`make ${one.split(': ')[1]}`),
  )
  expect(commands.filter((one) => !targets.has(one.split(': ')[1]))).toEqual([])
})

test.each(services)('every setting that the page of %s names is read somewhere', (service) => {
  const line =
    read(`services/${service}/README.md`)
      .split(/\n(?=- \*\*)/)
      .find((part) => part.startsWith('- **Environment**')) ?? ''
  const settings = [...new Set(line.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g))]
  const source = `${code(`services/${service}`)}${code('packages/kit')}`
  expect(settings.length).toBeGreaterThan(0)
  expect(settings.filter((name) => !source.includes(name))).toEqual([])
})

test('every file that a page links to is there', () => {
  const pages = ['README.md', ...services.map((service) => `services/${service}/README.md`), ...sourceFiles('infra', /\.md$/)]
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target = '']) => join(page, '..', target))
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${page} links to ${target}`),
  )
  expect(missing).toEqual([])
})

test('the pictures of the README are small: together at most 400 KB', () => {
  const pictures = [...read('README.md').matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file = '']) => join(root, file))
  expect(pictures).toHaveLength(4)
  expect(pictures.reduce((bytes, file) => bytes + statSync(file).size, 0)).toBeLessThanOrEqual(400 * 1024)
})
