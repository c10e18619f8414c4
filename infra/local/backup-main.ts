/** `make backup DIR=` and `make restore DIR=`: a copy of all databases, and back. */
import { createLog } from '@passerelle/kit/log'
import { BackupError, backUp, restore } from './backup.ts'

const [what, folder, ...flags] = process.argv.slice(2)
const { MONGO_URL: url, NAMESPACE: namespace = '' } = process.env

try {
  if (!url) throw new BackupError('MONGO_URL says where the databases are (make start prints it)')
  if (!folder || (what !== 'backup' && what !== 'restore'))
    throw new BackupError('make backup DIR=folder, or make restore DIR=folder [APPLY=1]')
  const where = { url, namespace, folder, log: createLog('backup', 'error') }
  if (what === 'backup') {
    const { counts, oneMoment } = await backUp(where)
    report(counts, `copied into ${folder}${oneMoment ? ', as of one moment' : ', one after the other: this server has no snapshots'}`)
  } else {
    const apply = flags.includes('--apply')
    report(await restore(where, apply), apply ? 'put back' : 'would be put back; with APPLY=1 they are, and what is there now goes')
  }
} catch (error) {
  console.error(error instanceof BackupError ? error.message : error)
  process.exitCode = error instanceof BackupError ? 2 : 1
}

function report(counts: Record<string, number>, what: string): void {
  for (const [name, count] of Object.entries(counts)) console.log(`${String(count).padStart(8)}  ${name}`)
  console.log(`${Object.values(counts).reduce((sum, count) => sum + count, 0)} documents ${what}`)
}
