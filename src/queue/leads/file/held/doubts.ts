// The columns of which a person has to say whether they say who must not be called: the header may be about e-mail, or
// asks whether one may be called, or cells say it for themselves. Found in the whole file, whatever its columns are
// used for.
import { answerOf, nameSays } from '../../no/judge.ts'
import { isAdded, plainHeader } from '../columns.ts'
import { openGroups } from '../groups.ts'
import type { Doubt, DoubtKind } from './doubt.ts'
import { saidReader } from './said-cells.ts'

/** Remembered of a column, so that a status that thousands of rows have is read once. */
const rememberedCells = 1_000
const shownChars = 40

export function openDoubts(headers: readonly string[]) {
  const columns = headers.flatMap((header, place) => {
    const kind = isAdded(header) ? null : kindOf(header)
    return kind === null ? [] : [{ place, kind, isNo: remembered(readerOf(kind, header)) }]
  })
  const groups = openGroups<`${number}`>()
  return {
    add(row: number, cells: readonly string[]): void {
      for (const { place, isNo } of columns) {
        const cell = cells[place] ?? ''
        if (cell !== '' && isNo(cell))
          groups.add(`${place}`, { row, value: cell.trim().slice(0, shownChars) })
      }
    },
    all(): readonly Doubt[] {
      const found = groups.all()
      return columns.flatMap(({ place, kind }) => {
        const { count = 0, first = [] } = found.find(({ name }) => name === `${place}`) ?? {}
        const header = plainHeader(headers[place] ?? '')
        return count > 0 || kind === 'maybe' ? [{ place, header, kind, count, first }] : []
      })
    },
  }
}

function kindOf(header: string): DoubtKind | null {
  const said = nameSays(plainHeader(header))
  return said === 'no' ? null : (said ?? 'value')
}

function readerOf(kind: DoubtKind, header: string): (cell: string) => boolean {
  if (kind === 'permission') return (cell) => answerOf(cell, 'permission') === 'no'
  if (kind === 'maybe') return (cell) => ['yes', 'unclear'].includes(answerOf(cell, 'maybe'))
  return saidReader(header)
}

function remembered(read: (cell: string) => boolean): (cell: string) => boolean {
  const known = new Map<string, boolean>()
  return (cell) => {
    const before = known.get(cell)
    if (before !== undefined) return before
    const now = read(cell)
    if (known.size < rememberedCells && cell.length <= shownChars) known.set(cell, now)
    return now
  }
}
