/** An earlier commit of this repository in a folder of its own, so that its processes run beside those of this release. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = new URL('../../', import.meta.url).pathname
const OWN_PACKAGES = '@passerelle'
const LOCK = 'package-lock.json'
const git = (...words: string[]) => execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' }).trim()

/** The last tag before this commit; where nothing was tagged, what stood here six hours before this commit. */
function lastRelease(): string {
  const tags = git('tag', '--merged', 'HEAD~1', '--sort=-creatordate').split('\n').filter(Boolean)
  const sixHoursBefore = Number(git('show', '-s', '--format=%ct', 'HEAD')) - 6 * 3600
  return tags[0] ?? git('rev-list', '-1', `--before=${sixHoursBefore}`, 'HEAD')
}

/**
 * Writes the files of `commit` into a folder, with its packages: those of this release where the lock files are equal, its own otherwise.
 * @param commit anything that git knows; undefined: the last release
 */
export function checkOut(commit: string | undefined, folder: string): { commit: string; root: string } {
  const hash = git('rev-parse', '--verify', `${commit || lastRelease()}^{commit}`)
  const earlier = join(folder, 'earlier-release')
  mkdirSync(earlier, { recursive: true })
  const archive = execFileSync('git', ['-C', root, 'archive', hash], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', earlier], { input: archive })
  if (readFileSync(join(earlier, LOCK)).equals(readFileSync(join(root, LOCK)))) linkPackages(earlier)
  else execFileSync('npm', ['ci', '--no-fund', '--no-audit', '--ignore-scripts', '--loglevel=error'], { cwd: earlier, stdio: 'inherit' })
  return { commit: git('log', '-1', '--format=%h, %ci', hash), root: `${earlier}/` }
}

/** What comes from the registry is linked to; the workspaces are the earlier release's own. */
function linkPackages(earlier: string): void {
  const own = join(earlier, 'node_modules', OWN_PACKAGES)
  mkdirSync(own, { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== OWN_PACKAGES) symlinkSync(join(root, 'node_modules', name), join(earlier, 'node_modules', name))
  cpSync(join(root, 'node_modules', OWN_PACKAGES), own, { recursive: true, verbatimSymlinks: true })
  for (const link of readdirSync(own).filter((name) => lstatSync(join(own, name)).isSymbolicLink())) {
    const inside = relative(earlier, join(own, readlinkSync(join(own, link))))
    const nested = join(root, inside, 'node_modules')
    if (existsSync(nested) && existsSync(join(earlier, inside))) symlinkSync(nested, join(earlier, inside, 'node_modules'))
  }
}
