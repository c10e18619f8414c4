/** Which file and which package imports which, tests included, and the rings in that. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importsOf, read, root, sourceFiles } from './source-files.ts'

type Graph = Map<string, Set<string>>

/** Workspaces by folder and name. */
export function packages(): { folder: string; name: string }[] {
  const inside = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
  return [...inside('packages'), ...inside('services'), 'gateway', 'web', ...inside('infra')]
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, name: JSON.parse(read(`${folder}/package.json`)).name }))
}

export function fileImports(): Graph {
  const workspaces = packages()
  const files = new Set(workspaces.flatMap(({ folder }) => sourceFiles(folder)))
  const resolve = (from: string, name: string): string | undefined => {
    const workspace = workspaces.find((one) => name.startsWith(`${one.name}/`))
    const path = name.startsWith('.')
      ? join(dirname(from), name)
      : name.startsWith('@/')
        ? `web/src/${name.slice(2)}`
        : workspace && workspace.folder + name.slice(workspace.name.length)
    return path && ['', '.ts', '.tsx', '/index.ts'].map((ending) => path + ending).find((one) => files.has(one))
  }
  return new Map([...files].map((path) => [path, new Set(importsOf(read(path)).flatMap((name) => resolve(path, name) ?? []))]))
}

export function packageImports(): Graph {
  const folders = packages().map(({ folder }) => folder)
  const folderOf = (path: string) => folders.find((folder) => path.startsWith(`${folder}/`)) ?? path
  const graph: Graph = new Map(folders.map((folder) => [folder, new Set()]))
  for (const [path, targets] of fileImports())
    for (const target of targets) if (folderOf(target) !== folderOf(path)) graph.get(folderOf(path))?.add(folderOf(target))
  return graph
}

/** Groups of nodes that all reach each other, each in order of name (Tarjan's strongly connected components). */
export function cyclesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const rings: string[][] = []
  const visit = (node: string): number => {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) low.set(node, Math.min(low.get(node)!, visit(next)))
      else if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, index.get(next)!))
    }
    if (low.get(node) === index.get(node)) {
      const ring = stack.splice(stack.indexOf(node))
      if (ring.length > 1) rings.push(ring.sort())
    }
    return low.get(node)!
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return rings
}
