import { runCommand } from '@passerelle/kit/command'
import { paymentsOfPerson } from './person-command.ts'

await runCommand(paymentsOfPerson)
