/** Updates: which operators may stand in one, and what the real server would refuse. Changing the document itself is mingo's. */
import { update as change } from 'mingo/updater'
import { badValue, CommandError, refused } from './errors.ts'
import { checkCondition, checkFilter } from './filter.ts'
import { type Doc, isDoc, opaqueType } from './values.ts'

/** What must be at the path already, unless there is nothing. */
const OPERATORS: Record<string, 'number' | 'array' | 'anything'> = {
  $set: 'anything',
  $setOnInsert: 'anything',
  $unset: 'anything',
  $inc: 'number',
  $max: 'anything',
  $min: 'anything',
  $push: 'array',
  $addToSet: 'array',
  $pull: 'array',
}
/** They leave a document alone in which there is nothing at the path; the others make what is missing. */
const REMOVING = new Set(['$unset', '$pull'])
const MOST_POSITION = 10_000

export type Update = {
  /** Changes the document in place. @throws CommandError, and then the document is of no more use. */
  apply(doc: Doc, inserting: boolean): void
}

/** @throws CommandError for anything that this server does not have, or that makes no sense. */
export function compileUpdate(update: unknown): Update {
  if (!isDoc(update)) throw refused('an update with a pipeline')
  const changes = Object.entries(update).flatMap(([operator, fields]) => readOperator(operator, fields))
  checkConflicts(changes.map(({ path }) => path))
  return {
    apply(doc, inserting) {
      const modifier: Record<string, Doc> = {}
      for (const { operator, path, operand } of changes) {
        if (operator === '$setOnInsert' && !inserting) continue
        const name = operator === '$setOnInsert' ? '$set' : operator
        modifier[name] ??= {}
        for (const target of targets(doc, path.split('.'), !REMOVING.has(operator))) {
          checkTarget(operator, path, target.value)
          modifier[name][target.path.join('.')] = operand
        }
      }
      setFields(doc, modifier)
    },
  }
}

/** A document with these values at these paths. */
export function setFields(doc: Doc, modifier: Record<string, Doc>): void {
  try {
    // Nothing is copied: the document was decoded for this, and what goes into it is never changed in place.
    change(doc, modifier, [], {}, { cloneMode: 'none' })
  } catch (error) {
    throw badValue((error as Error).message)
  }
}

type Change = { operator: string; path: string; operand: unknown }

function readOperator(operator: string, fields: unknown): Change[] {
  if (!operator.startsWith('$')) throw refused('a replacement document')
  if (!Object.hasOwn(OPERATORS, operator)) throw refused(`the update operator ${operator}`)
  if (!isDoc(fields)) throw new CommandError(9, `Modifiers operate on fields but we found another type for ${operator}`)
  return Object.entries(fields).map(([path, operand]) => {
    const parts = path.split('.')
    if (parts.includes('')) throw badValue(`The update path '${path}' contains an empty field name`)
    const positional = parts.find((part) => part.startsWith('$') && part !== '$[]')
    if (positional) throw refused(`the positional operator ${positional}`)
    if (parts[0] === '_id') throw refused('an update of _id')
    checkOperand(operator, operand)
    return { operator, path, operand }
  })
}

function checkOperand(operator: string, operand: unknown): void {
  const opaque = opaqueType(operand)
  if (opaque) throw refused(`an update with a value of type ${opaque}`)
  if (operator === '$inc' && typeof operand !== 'number') throw new CommandError(14, 'Cannot increment with non-numeric argument')
  const names = isDoc(operand) ? Object.keys(operand).filter((name) => name.startsWith('$')) : []
  if (operator === '$pull') {
    if (isDoc(operand) && names.length === 0) checkFilter(operand)
    else checkCondition(operand)
    return
  }
  const hasEach = (operator === '$push' || operator === '$addToSet') && names[0] === '$each'
  const other = names.find((name) => !(hasEach && name === '$each'))
  if (other) throw refused(`${other} in ${operator}`)
  if (hasEach && !Array.isArray((operand as Doc).$each)) throw badValue(`The argument to $each in ${operator} must be an array`)
}

function checkConflicts(paths: string[]): void {
  for (const [index, path] of paths.entries()) {
    const other = paths.slice(index + 1).find((one) => `${one}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${one}.`))
    if (other) throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${other}'`)
  }
}

type Target = { path: string[] /** What is there now, undefined for nothing. */; value: unknown }

/** The places that a path stands for: `$[]` is every element. @throws CommandError when it cannot be walked or made. */
function* targets(value: unknown, rest: readonly string[], makes: boolean, path: string[] = []): Generator<Target> {
  const [part, ...others] = rest
  if (part === undefined) yield { path, value }
  else if (part === '$[]') {
    if (!Array.isArray(value)) throw badValue('The path must exist in the document, as an array, in order to apply array updates')
    for (const [position, element] of value.entries()) yield* targets(element, others, makes, [...path, String(position)])
  } else if (value === undefined) yield* targets(undefined, others, makes, [...path, part])
  else if (isDoc(value) || (Array.isArray(value) && /^\d+$/.test(part))) {
    if (Array.isArray(value) && Number(part) > MOST_POSITION) throw refused(`position ${part} of an array`)
    const there = Object.hasOwn(value, part) ? (value as Doc)[part] : undefined
    yield* targets(there, others, makes, [...path, part])
  } else if (makes) throw new CommandError(28, `Cannot create field '${part}' in an element that is not an object`)
}

function checkTarget(operator: string, path: string, target: unknown): void {
  const wanted = OPERATORS[operator]
  if (target === undefined || wanted === 'anything') return
  if (wanted === 'number' && typeof target !== 'number')
    throw new CommandError(14, `Cannot apply ${operator} to the value at '${path}', which is not a number`)
  if (wanted === 'array' && !Array.isArray(target))
    throw badValue(`Cannot apply ${operator} to the value at '${path}', which is not an array`)
}
