// What is said of a file's numbers before anything is sent: how they are read, and which rows are not sent, by cause.
import type { Group } from '../../leads/file/groups.ts'
import { describeChange } from '../../leads/file/number-reading.ts'
import { counted } from '../text/print.ts'
import type { Survey } from './lead-rows.ts'

/** Of a cell. */
const shownChars = 40

export function groupLines({ changes, problems }: Pick<Survey, 'changes' | 'problems'>): readonly string[] {
  return [
    ...changes.map((group) => lineOf({ ...group, name: describeChange(group.name) }, 'number')),
    ...problems.map((group) => lineOf(group, 'row')),
  ]
}

function lineOf({ name, count, first }: Group<string>, what: string): string {
  const rows = first.map(({ row, value, number }) => {
    const shown = JSON.stringify(value.slice(0, shownChars))
    return `row ${row} ${shown}${number === undefined ? '' : ` is ${number}`}`
  })
  return `${counted(count, what)}: ${name}: ${rows.join(', ')}${count > first.length ? ', …' : ''}`
}
