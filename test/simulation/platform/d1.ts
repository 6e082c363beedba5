// D1: a batch runs when its turn comes, not at the call, and its answer comes later or never.
import type { Seen } from '../model/seen.ts'
import type { Commit } from '../observed.ts'
import type { Agenda } from './agenda.ts'
import type { Outgoing } from './outgoing.ts'
import { type Changed, type Ran, type Sqlite, writtenTable } from './sqlite.ts'

type Bound = { readonly text: string; readonly values: readonly unknown[] }

/** Called with what was committed, in the context of the work that wrote it. */
export type OnCommit = (commit: Commit, seen: Seen | null) => void
/** What a transaction leaves behind, where it is looked at. */
export type Look = (sqlite: Sqlite, changed: readonly Changed[]) => Seen | null

export function createD1(agenda: Agenda, sqlite: Sqlite, outgoing: Outgoing, onCommit: OnCommit, look: Look) {
  const batch = (statements: readonly Bound[]) => {
    outgoing.count(statements.length)
    return outgoing.call('d1', () => {
      sqlite.begin()
      try {
        const ran = statements.map(({ text, values }) => [text, sqlite.run(text, values)] as const)
        sqlite.commit()
        const changed = changedBy(ran)
        const commit = { store: null, changed, moment: agenda.moment(), atMs: agenda.nowMs() }
        onCommit(commit, look(sqlite, changed))
        return ran.map(([, { rows, changes }]) => ({
          results: rows.map(withBytes),
          success: true,
          meta: { changes, rows_read: rows.length, rows_written: changes },
        }))
      } catch (error) {
        sqlite.rollBack()
        throw new Error(`D1_ERROR: ${(error as Error).message}`)
      }
    })
  }
  const bound = (text: string, values: readonly unknown[]) => {
    const run = async () => (await batch([{ text, values }]))[0]
    const first = async (column?: string) => {
      const row = (await run())?.results[0] ?? null
      return row === null || column === undefined ? row : row[column]
    }
    return { text, values, run, all: run, first, bind: (...more: unknown[]) => bound(text, more) }
  }
  return { prepare: (text: string) => bound(text, []), batch }
}

export const changedBy = (ran: readonly (readonly [text: string, Ran])[]): Changed[] =>
  ran
    .filter(([, { changes }]) => changes > 0)
    .map(([text, { changes }]) => ({ table: writtenTable(text), rows: changes }))

/** D1 gives bytes as numbers. */
function withBytes(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) if (value instanceof Uint8Array) row[name] = [...value]
  return row
}
