import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DataFile, StorageError } from './data-file.ts'

const open = () => new DataFile(undefined, 'test', 'CREATE TABLE numbers (n INTEGER PRIMARY KEY)')
const numbers = (file: DataFile) => file.all('SELECT n FROM numbers ORDER BY n').map(({ n }) => n)
const insert = (file: DataFile, n: number) => file.change('INSERT INTO numbers VALUES (?)', n)

test('every commit is on disk before it is answered', () => {
  // In memory there is no journal; the setting that matters is the same for both.
  expect(Object.values(open().get('PRAGMA synchronous')!)).toEqual([2])
})

test('jobs run in their order, and each resolves with its own result', async () => {
  const file = open()
  const results = await Promise.all([1, 2, 3].map((n) => file.write(() => insert(file, n) * 10)))
  expect(results).toEqual([10, 20, 30])
  expect(numbers(file)).toEqual([1, 2, 3])
})

test('a job that fails undoes those that share its transaction, and memory is read again', async () => {
  const file = open()
  await file.write(() => insert(file, 1))
  let readAgain = 0
  file.onRollback(() => readAgain++)
  const jobs = [2, 1, 3].map((n) => file.write(() => insert(file, n)))
  for (const job of jobs) await expect(job).rejects.toThrow(StorageError)
  expect(readAgain).toBe(1)
  expect(numbers(file)).toEqual([1])
  await file.write(() => insert(file, 2))
  expect(numbers(file)).toEqual([1, 2])
})

test('what was deleted or replaced is nowhere in the folder once the file is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'data-file-'))
  const inFolder = (text: string) => readdirSync(folder).some((name) => readFileSync(join(folder, name), 'latin1').includes(text))
  const file = new DataFile(folder, 'notes', 'CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT)')
  const long = 'Ysolde '.repeat(2000)
  await file.write(() => file.change('INSERT INTO notes VALUES (1, ?), (2, ?)', long, 'short Ysolde'))
  expect(inFolder('Ysolde')).toBe(true)
  await file.write(() => file.change('UPDATE notes SET note = NULL WHERE id = 1'))
  await file.write(() => file.change('DELETE FROM notes WHERE id = 2'))
  file.close()
  expect(inFolder('Ysolde')).toBe(false)
  rmSync(folder, { recursive: true })
})

test('what was asked for before the end is written, what comes after it is refused', async () => {
  const file = open()
  const before = file.write(() => insert(file, 1))
  file.close()
  expect(await before).toBe(1)
  await expect(file.write(() => insert(file, 2))).rejects.toThrow('the emulator has been stopped')
})
