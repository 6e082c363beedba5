// What is said of a file before anything is sent: how its numbers and dates are read, and which rows are not sent, by
// cause.

import { costlyNumbers, describeChange } from '../../queue/leads/file/cells/number-reading.ts'
import type { Group } from '../../queue/leads/file/groups.ts'
import type { Change } from '../../queue/leads/file/row-item.ts'
import { counted } from '../text/print.ts'
import type { Survey } from './lead-rows.ts'

/** How much of a cell is shown. */
const shownChars = 40

export function groupLines(
  {
    hasHeader = true,
    guessed = [],
    instead = null,
    changes,
    problems,
  }: Pick<Survey, 'changes' | 'problems'> & Partial<Pick<Survey, 'hasHeader' | 'guessed' | 'instead'>>,
  isPlusAdded = false,
): readonly string[] {
  const isOffered = (name: Change['kind']) => name === 'plus' && !isPlusAdded
  const ofNumbers = changes.flatMap(({ name, ...group }) =>
    name === 'date' || name === 'costly' || isOffered(name)
      ? []
      : lineOf({ ...group, name: describeChange(name) }, 'number'),
  )
  const ofDates = changes.filter(({ name }) => name === 'date')
  return [
    ...(hasHeader ? [] : ['The file has no header: row 1 is imported']),
    ...(guessed.length === 0 ? [] : [`Columns by their headers: ${guessed.join(', ')}. Another: --map`]),
    ...(instead === null
      ? []
      : [`If the phone number is empty, ${instead} is used. Another: --or-column; none: --no-or-column`]),
    ...ofNumbers,
    ...changes.filter(({ name }) => isOffered(name)).map(offerOf),
    ...ofDates.map((group) => lineOf({ ...group, name: 'in the time zone of the campaign' }, 'date')),
    ...problems.map((group) => lineOf(group, 'row')),
  ]
}

/** Said of every file: nobody else looks at its numbers before they are called. */
export const costlyLines = ({ changes }: Pick<Survey, 'changes'>): readonly string[] =>
  changes.flatMap((group) =>
    group.name === 'costly' ? [lineOf({ ...group, name: costlyNumbers }, 'number')] : [],
  )

const offerOf = ({ count, first }: Group<string>) =>
  `Plus added: ${counted(count, 'number')}, if you say --plus-added: ${rowsOf(first, count)}`

const lineOf = ({ name, count, first }: Group<string>, what: string) =>
  `${counted(count, what)}: ${name}: ${rowsOf(first, count)}`

function rowsOf(first: Group<string>['first'], count: number): string {
  const rows = first.map(({ row, value, number }) => {
    const shown = JSON.stringify(value.slice(0, shownChars))
    return `row ${row} ${shown}${number === undefined ? '' : ` is ${number}`}`
  })
  return `${rows.join(', ')}${count > first.length ? ', …' : ''}`
}
