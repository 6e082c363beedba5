// Checks a whole file before anything is sent: counts, how its cells are read, the problems of invalid rows (each, and
// by cause), and the first rows for a preview.

import { describeCause } from '../../../queue/leads/file/cells/number-reading.ts'
import type { LeadPart } from '../../../queue/leads/file/columns.ts'
import type { NumberedRow } from '../../../queue/leads/file/csv-rows.ts'
import { openGroups } from '../../../queue/leads/file/groups.ts'
import type { Change } from '../../../queue/leads/file/row-item.ts'
import { see } from '../../../queue/leads/file/tally.ts'
import {
  type Check,
  type PreviewRow,
  type Problem,
  previewColumns,
  previewRows,
  triedAtOnce,
} from '../import-messages.ts'
import { type JudgeRow, sentence } from './judge-rows.ts'

/** What the rows say themselves; the rest of a check is found beside them. */
type Survey = Omit<Check, 'guess' | 'hasDates' | 'clocks' | 'costly' | 'nos' | 'overruled' | 'doubts'> & {
  readonly problems: readonly Problem[]
  /** How many numbers each country has. */
  readonly counts: ReadonlyMap<string, number>
  /** What the rows are to the service, where they are so few that they are tried at once. */
  readonly content: string | null
}

/** Of a row that says do-not-call, more is behind it. */
const emptyNumber = sentence(describeCause({ cause: 'missing' })).slice(0, -1)

export async function survey(
  all: AsyncIterable<NumberedRow>,
  judge: JudgeRow,
  shorten: (cell: string) => string,
): Promise<Survey> {
  const problems: Problem[] = []
  const causes = openGroups<string>()
  const changes = openGroups<Change['kind']>()
  const unusable = openGroups<LeadPart>()
  const preview: PreviewRow[] = []
  const seen = new Set<number>()
  const counts = new Map<string, number>()
  const sent: string[] = []
  let [rows, repeated, held, unreadableDoNotCall] = [0, 0, 0, 0]
  for await (const one of all) {
    rows++
    const { row, cells } = one
    const judged = judge(one)
    const problem = 'problem' in judged ? judged.problem : null
    for (const { field, value } of judged.unusable ?? []) unusable.add(field, { row, value: shorten(value) })
    for (const { kind, before, after } of judged.changes ?? [])
      changes.add(kind, { row, value: shorten(before), number: after })
    if ('problem' in judged && judged.no != null) held++
    else if ('problem' in judged) {
      if (judged.no === null) unreadableDoNotCall++
      const value = shorten(judged.value ?? judged.phoneNumber)
      problems.push({ row, value, problem: judged.problem })
      causes.add(judged.problem, { row, value })
    } else {
      if (sent.length <= triedAtOnce) sent.push(`${row} ${judged.json}`)
      if (see(seen, judged.phoneNumber)) repeated++
      else if (judged.country !== undefined) counts.set(judged.country, (counts.get(judged.country) ?? 0) + 1)
    }
    if (preview.length < previewRows)
      preview.push({ row, cells: cells.slice(0, previewColumns).map(shorten), problem })
  }
  const invalid = problems.length
  const groups = { causes: causes.all(), changes: changes.all(), unusable: unusable.all() }
  const hasEmptyNumbers = groups.causes.some(({ name }) => name.startsWith(emptyNumber))
  const ofRows = { rows, valid: rows - invalid - held, invalid, repeated, held, unreadableDoNotCall }
  const content = sent.length > triedAtOnce ? null : JSON.stringify([ofRows, sent])
  return { ...ofRows, preview, problems, hasEmptyNumbers, counts, content, ...groups }
}
