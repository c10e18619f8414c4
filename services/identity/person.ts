import { runCommand } from '@passerelle/kit/command'
import { accountOfPerson } from './person-command.ts'

await runCommand(accountOfPerson)
