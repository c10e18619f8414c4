/** What a local system keeps is for the user alone who started it: data, secrets, logs, process ids. */
import { chmodSync, mkdirSync } from 'node:fs'

/** From here on this process and its children make files with mode 0600 and folders with 0700. Not for worker threads. */
export function keepFilesPrivate(): void {
  process.umask(0o077)
}

/** Makes a folder that nobody else can look into, or closes the one that is there. */
export function privateFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
  return path
}
