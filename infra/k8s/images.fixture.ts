/** How images are built and named: nothing floats, nothing runs as root. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { readCompose } from './environment.fixture.ts'
import { type Manifest, workloads } from './manifests.fixture.ts'

export function digestProblems(overlay: string, objects: Manifest[]): string[] {
  const images = workloads(objects).flatMap(({ pod }) => pod.containers.map(({ image }) => image))
  return images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image)).map((image) => `${overlay}: ${image} is not pinned by its digest`)
}

export function dockerfileProblems(root: string): string[] {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ').split('\n')
  const stages = lines
    .join('\n')
    .split(/\n(?=FROM )/)
    .slice(1)
  const last = stages.filter((stage) => /AS (base|with-website|service)\b/.test(stage)).join('\n')
  const rules: [boolean, string][] = [
    [
      lines.some(
        (line) => /^(FROM|ARG NODE=)/.test(line) && /:latest\b|^FROM [^$\s:]+( |$)/.test(line.replace(/^FROM (base|service)\b.*/, '')),
      ),
      'builds on no certain version',
    ],
    [!/^ARG NODE=node:\d+(\.\d+)*-[\w-]+/m.test(lines.join('\n')), 'does not name the version of Node'],
    [!/^USER node$/m.test(last), 'runs as root'],
    [/^USER (root|0)/m.test(last), 'runs as root'],
    [lines.some((line) => /npm (install|i)\b/.test(line)), 'installs what the lockfile does not say'],
    [lines.some((line) => /npm ci/.test(line) && !/--ignore-scripts/.test(line)), 'runs scripts of packages'],
    [!/npm ci[^\n]*--omit=dev/.test(lines.join('\n')), 'takes along what only developers need'],
    [!/rm -rf \/usr\/local\/lib\/node_modules\/npm/.test(last), 'keeps npm in the image'],
    [lines.some((line) => /^ADD /.test(line)), 'adds what may come from elsewhere'],
    [/^(ENV|ARG) [^\n]*(PASSWORD|TOKEN|SECRET|_KEY)/m.test(lines.join('\n')), 'has a secret in it'],
    [!/^STOPSIGNAL SIGTERM$/m.test(last), 'does not stop by SIGTERM'],
    [!/^(CMD|ENTRYPOINT) \[.*exec node|^(CMD|ENTRYPOINT) \["node"/m.test(last), 'does not run Node as its first process'],
  ]
  return rules.filter(([wrong]) => wrong).map(([, problem]) => `Dockerfile: ${problem}`)
}

const RELEASED_OVERLAYS = ['staging', 'prod']
const NOTHING_YET = `sha256:${'0'.repeat(64)}`

/**
 * The release writes the digests of all its images into the overlays. Until the first one they are zeros, which name no image: nothing
 * starts. Some zeros beside digests are half a release.
 */
export function releaseProblems(root: string): string[] {
  const made = /^RELEASED := (.*)$/m.exec(readFileSync(join(root, 'Makefile'), 'utf8'))?.[1]?.split(' ') ?? []
  return RELEASED_OVERLAYS.flatMap((overlay) => {
    const file = join(root, 'k8s/overlays', overlay, 'kustomization.yaml')
    const { images } = parse(readFileSync(file, 'utf8')) as { images: { name: string; digest?: string }[] }
    const named = images.map(({ name }) => name.replace('passerelle/', ''))
    const waiting = images.filter(({ digest }) => digest === NOTHING_YET).length
    return [
      ...made.filter((name) => !named.includes(name)).map((name) => `${overlay}: ${name} is released and not deployed`),
      ...named.filter((name) => !made.includes(name)).map((name) => `${overlay}: no release makes ${name}`),
      ...(waiting > 0 && waiting < images.length ? [`${overlay}: half a release, ${waiting} digests are missing`] : []),
    ]
  })
}

type Workflow = { permissions?: unknown; jobs: Record<string, { permissions?: unknown; steps?: { uses?: string }[] }> }

/** Workflows run what a commit names and not what a tag may say tomorrow, with rights that are stated. */
export function workflowProblems(root: string): string[] {
  const folder = join(root, '.github/workflows')
  return readdirSync(folder).flatMap((file) => {
    const { permissions, jobs } = parse(readFileSync(join(folder, file), 'utf8')) as Workflow
    const uses = Object.values(jobs).flatMap(({ steps = [] }) => steps.map((step) => step.uses ?? ''))
    return [
      ...uses
        .filter((one) => one && !one.startsWith('./') && !/@[0-9a-f]{40}$/.test(one))
        .map((one) => `${file}: ${one} is not pinned by a commit`),
      ...(permissions === undefined ? [`${file}: its permissions are not stated`] : []),
    ]
  })
}

/** Open to everybody: that is what they are for. */
const ENTRANCE: Record<string, string[]> = { edge: ['80:80', '443:443', '443:443/udp'] }

/** The layers of Compose: certain versions, hardened, and nothing but the entrance published beyond this machine. */
export function layerProblems(root: string): string[] {
  return ['docker-compose.yml', 'compose.observability.yml', 'compose.load.yml', 'compose.edge.yml'].flatMap((file) => {
    if (!existsSync(join(root, file))) return [`${file} is not there`]
    return Object.entries(readCompose(root, file).services).flatMap(([name, one]) => {
      if (!one.image) return []
      const rules: [unknown, string][] = [
        [!one.image.startsWith('passerelle/') && !/:[\w.-]*\d/.test(one.image), 'runs no certain version'],
        [one.read_only !== true || !one.cap_drop?.includes('ALL'), 'is not hardened'],
        [!one.mem_limit && !one.profiles, 'has no limit of memory'],
        [one.ports?.some((port) => !port.startsWith('127.0.0.1:') && !ENTRANCE[name]?.includes(port)), 'is published beyond this machine'],
      ]
      return rules.filter(([wrong]) => wrong).map(([, problem]) => `${file}, ${name}: ${problem}`)
    })
  })
}
