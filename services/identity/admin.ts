import { runCommand } from '@passerelle/kit/command'
import { adminCommand } from './admin-command.ts'

await runCommand(adminCommand)
