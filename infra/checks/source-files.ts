/** The repository's own source files and what they import, read as text. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = new URL('../..', import.meta.url).pathname

const SKIPPED = new Set(['node_modules', 'dist', '.data', '.git', 'test-results'])

/** Paths relative to the root. */
export function sourceFiles(folder: string, ending = /\.tsx?$/): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : sourceFiles(path, ending)
    return ending.test(entry.name) ? [path] : []
  })
}

export const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Module names of import and export statements and of import(). */
export function importsOf(text: string): string[] {
  const found = text.matchAll(
    /^\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

export const isTest = (path: string) => /\.test\.tsx?$|\/e2e\/|\/testing\.ts$|\.fixture\.tsx?$|conformance\/|\/test\//.test(path)
