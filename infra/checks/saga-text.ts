import { allTransitions, awaitsOutcome, isOpen, mayHaveTicket, publicStatus, sagaStates } from '@passerelle/booking/domain/state'

const DAY_MS = 86_400_000
const yes = (holds: boolean) => (holds ? 'yes' : '')

/** docs/saga.md as it is committed: the states and transitions of `services/booking/domain/state.ts`, as a diagram and as tables. */
export function sagaText(): string {
  const before = new Date(0)
  const arrows = allTransitions.map(({ from, to, event }) => `    ${from} --> ${to}${event ? ` : ${event}` : ''}`)
  const rows = sagaStates.map((state) => {
    const told = publicStatus(state, new Date(before.getTime() + DAY_MS), before)
    const next = allTransitions.filter(({ from }) => from === state).map(({ to }) => to)
    const cells = [state, told, yes(isOpen(state)), yes(awaitsOutcome(state)), yes(mayHaveTicket(state)), next.join(', ') || 'none: final']
    return `| ${cells.join(' | ')} |`
  })
  return `# The states of a booking

Written by \`make saga\` from the table that the service asks before every write (\`services/booking/domain/state.ts\`); a check compares the two. An
arrow with a name is written only together with that event.

\`\`\`mermaid
stateDiagram-v2
    [*] --> REQUESTED
${arrows.join('\n')}
\`\`\`

| State | The visitor is told | A worker goes on | The outcome is awaited | There is or may be a ticket | May become |
|---|---|---|---|---|---|
${rows.join('\n')}

What each step does, and what a crash in the middle of it leaves, stands in the files of its phase: \`order.ts\`, \`capture.ts\`, \`cancel.ts\` and
\`refund.ts\` of \`services/booking\`. Before any of these arrows is written the invariants of \`domain/invariants.ts\` are asked; a broken one stops
the request, counts and raises an alarm.
`
}
