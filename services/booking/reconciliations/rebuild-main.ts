import { runCommand } from '@passerelle/kit/command'
import { rebuildCommand } from './rebuild-command.ts'

await runCommand(rebuildCommand)
