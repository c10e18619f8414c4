/**
 * What the gateway writes into the page of each address: title, description, robots, the files that its screen needs, so that they are
 * asked for with the page instead of after it, and what it first shows where that is the same for everybody. Run after the build, from
 * the table of screens and Vite's manifest.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { build } from 'vite'
import { defaultBrand } from '../packages/contracts/rules/default-brand.ts'
import { headOf, type Screen } from './src/app/screen.ts'
import { SCREENS } from './src/app/screens.ts'

type Chunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

/** Stands for the brand's name until the gateway knows it. */
const BRAND = '__BRAND__'
/** A brand of placeholders: the gateway puts in the values of the host's own (gateway/shell.ts). */
const PLACEHOLDERS = {
  ...defaultBrand,
  name: BRAND,
  contact: { email: '__EMAIL__', phone: '+99900000001', address: '__ADDRESS__' },
}

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

/** The website's code for this process: the same modules and class names as in the browser. */
async function prerenderer(): Promise<typeof import('./src/app/prerender.tsx')> {
  const outDir = mkdtempSync(new URL('.prerender-', import.meta.url).pathname)
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }))
  await build({
    configFile: new URL('vite.config.ts', import.meta.url).pathname,
    logLevel: 'error',
    build: { ssr: new URL('src/app/prerender.tsx', import.meta.url).pathname, outDir, manifest: false },
  })
  return await import(join(outDir, 'prerender.js'))
}

const dist = new URL('./dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8')) as Manifest
const { shellOf } = await prerenderer()
const pages = await Promise.all(
  SCREENS.map(async (screen) => ({
    path: screen.path,
    ...headOf(screen, { name: BRAND }),
    ...filesOf(manifest, modulesOf(screen)),
    shells: {
      plain: screen.prerendered ? await shellOf(screen.path, PLACEHOLDERS) : '',
      logo: screen.prerendered ? await shellOf(screen.path, { ...PLACEHOLDERS, logo: '/__LOGO__' }) : '',
    },
  })),
)
const other = { path: '*', ...headOf(undefined, { name: BRAND }), scripts: [], styles: [], shells: { plain: '', logo: '' } }
writeFileSync(new URL('pages.json', dist), JSON.stringify([...pages, other]))
