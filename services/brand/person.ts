import { runCommand } from '@passerelle/kit/command'
import { messagesOfPerson } from './person-command.ts'

await runCommand(messagesOfPerson)
