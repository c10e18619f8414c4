/**
 * What the gateway writes into the head of each address: title, description, robots, and the files that its screen needs, so that they
 * are asked for with the page instead of after it. Run after the build, from the table of screens and Vite's manifest.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { headOf, type Screen } from './src/app/screen.ts'
import { SCREENS } from './src/app/screens.ts'

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

/** Stands for the brand's name until the gateway knows it. */
const BRAND = '__BRAND__'

/** The modules that a row loads, as the manifest names them. */
function modulesOf({ load, path }: Screen): string[] {
  const modules = [...load.toString().matchAll(/import\(['"]([^'"]+)['"]\)/g)].map(([, module = '']) => join('src/app', module))
  if (modules.length === 0) throw new Error(`The code of ${path} is not known`)
  return modules
}

function filesOf(manifest: Manifest, modules: readonly string[]): { scripts: string[]; styles: string[] } {
  const [scripts, styles] = [new Set<string>(), new Set<string>()]
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`${name} is not in the manifest`)
    if (chunk.isEntry || scripts.has(`/${chunk.file}`)) return
    scripts.add(`/${chunk.file}`)
    for (const style of chunk.css ?? []) styles.add(`/${style}`)
    for (const next of chunk.imports ?? []) visit(next)
  }
  for (const module of modules) visit(module)
  return { scripts: [...scripts], styles: [...styles] }
}

const dist = new URL('./dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Manifest
const pages = SCREENS.map((screen) => ({
  path: screen.path,
  ...headOf(screen, { name: BRAND }),
  ...filesOf(manifest, modulesOf(screen)),
}))
const other = { path: '*', ...headOf(undefined, { name: BRAND }), scripts: [], styles: [] }
writeFileSync(new URL('pages.json', dist), JSON.stringify([...pages, other]))
