import { runCommand } from '@passerelle/kit/command'
import { reconcileCommand } from './command.ts'

await runCommand(reconcileCommand)
