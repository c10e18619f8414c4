import { runCommand } from '@passerelle/kit/command'
import { bookingsOfPerson } from './person-command.ts'

await runCommand(bookingsOfPerson)
