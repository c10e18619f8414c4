/** Code that is gone from the server since a deploy: the page is loaded again, once. */
import { readText, writeText } from './storage.ts'

const KEY = 'reloadedBuild'

/** The code of a screen did not arrive. */
export class ChunkError extends Error {
  constructor(cause: unknown) {
    super('A part of the website could not be loaded.', { cause })
    this.name = 'ChunkError'
  }
}

/** @throws ChunkError */
export async function loadPage<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new ChunkError(cause)
  }
}

/** Whether loading the page again may help: the code of a screen is missing, and this build was not loaded again for it yet. */
export function shouldReload(error: unknown, build: string = import.meta.url): boolean {
  return error instanceof ChunkError && readText('session', KEY) !== build
}

/** Remembers the build that is given up, so that a file which stays missing does not reload for ever. */
export function reload(build: string = import.meta.url, page: Pick<Location, 'reload'> = window.location): void {
  writeText('session', KEY, build)
  page.reload()
}
