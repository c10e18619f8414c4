/** Every check of what is deployed, over a folder that looks like the repository. */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { busProblems } from './bus.fixture.ts'
import { composeProblems, environmentProblems, secretProblems } from './environment.fixture.ts'
import { digestProblems, dockerfileProblems, layerProblems, releaseProblems, workflowProblems } from './images.fixture.ts'
import { build, type Manifest } from './manifests.fixture.ts'
import { metricProblems } from './metrics.fixture.ts'
import { monitoringFiles } from './monitoring.ts'
import { networkProblems } from './network.fixture.ts'
import { policyProblems } from './policy.fixture.ts'
import { schemaProblems } from './schemas.fixture.ts'

const repository = new URL('../..', import.meta.url).pathname
export const OVERLAYS = ['local', 'dev', 'staging', 'prod']
export const STORES = ['kafka', 'mongodb']
const FILES = [
  'k8s',
  'infra/mongo',
  'infra/observability',
  'docs/operations',
  'Dockerfile',
  'docker-compose.yml',
  'compose.observability.yml',
  'compose.load.yml',
  'compose.edge.yml',
  '.github/workflows',
  'Makefile',
]

/** Copies what is judged to `folder`, with secrets for the overlays of developers. */
export function stage(folder: string): void {
  for (const path of FILES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    if (existsSync(join(repository, path))) cpSync(join(repository, path), join(folder, path), { recursive: true })
  }
  execFileSync(process.execPath, [join(repository, 'infra/docker/main.ts'), join(folder, 'k8s/components/local-secrets/secrets')], {
    stdio: 'pipe',
  })
}

/** What is wrong with one overlay; what kustomize itself refuses is one problem. */
export function overlayProblems(kustomize: string[], root: string, overlay: string): string[] {
  let objects: Manifest[]
  try {
    objects = build(kustomize, root, `k8s/overlays/${overlay}`)
  } catch (error) {
    return [`${overlay}: does not build: ${String((error as { stderr?: string }).stderr ?? error).slice(0, 400)}`]
  }
  const isReleased = overlay === 'staging' || overlay === 'prod'
  return [
    ...schemaProblems(objects),
    ...policyProblems(objects),
    ...networkProblems(objects),
    ...environmentProblems(objects),
    ...secretProblems(objects, isReleased),
    ...busProblems(objects),
    ...(isReleased ? digestProblems(overlay, objects) : []),
    ...(overlay === 'local' ? composeProblems(root, objects) : []),
  ].map((problem) => `${overlay}: ${problem}`)
}

export function storeProblems(kustomize: string[], root: string, store: string): string[] {
  const objects = build(kustomize, root, `k8s/stores/${store}`)
  return [...schemaProblems(objects), ...policyProblems(objects), ...busProblems(objects)]
}

/** What needs no kustomize. */
export function fileProblems(root: string): string[] {
  const stale = Object.entries(monitoringFiles(root)).filter(
    ([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
  )
  return [
    ...metricProblems(root),
    ...dockerfileProblems(root),
    ...workflowProblems(root),
    ...layerProblems(root),
    ...releaseProblems(root),
    ...stale.map(([path]) => `${path} is not what \`make monitoring\` writes`),
  ]
}
