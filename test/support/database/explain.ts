// How SQLite carries out statements, on an empty database with the project's tables: without statistics, which neither
// D1 nor a company's own store ever gathers, its plans do not depend on what the tables hold.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const migrationsDir = join(import.meta.dirname, '../../../migrations')

export type Explained = {
  /** Each line as deep as it is nested. */
  readonly plan: readonly string[]
  /**
   * What grows with the store, or may: whole tables and indexes that are read, indexes that are built, sorts under a
   * limit.
   */
  readonly findings: readonly string[]
}

type Op = { readonly addr: number; readonly opcode: string; readonly p1: number; readonly p2: number }

type Line = { readonly id: number; readonly parent: number; readonly detail: string }

/** A table or an index. */
type Stored = { readonly rootpage: number; readonly name: string; readonly table: string }

export function openExplainer() {
  const db = new DatabaseSync(':memory:')
  for (const name of readdirSync(migrationsDir).sort())
    if (name.endsWith('.sql')) db.exec(readFileSync(join(migrationsDir, name), 'utf8'))
  const schema = db
    .prepare('select rootpage, name, tbl_name as "table" from sqlite_schema where rootpage > 0')
    .all() as Stored[]
  const programsOf = (text: string) => db.prepare(`explain ${text}`).all() as Op[]

  /**
   * Whole tables and indexes that are read. The plan says what is read so, but by the names of the statement; the
   * program says which table it is, but ends early where the plan says so, for example at a bound or behind a maximum.
   */
  function scansOf(text: string, lines: readonly Line[]): string[] {
    const scanned = new Set(lines.flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? []))
    const named = [...text.matchAll(/\b(\w+)(?: indexed by \w+)? as (\w+)\b/g)]
    const planned = new Set([
      ...scanned,
      ...named.flatMap(([, table, name = '']) => (scanned.has(name) ? table : [])),
    ])
    if (!schema.some(({ table }) => planned.has(table))) return []
    const [own = []] = splitPrograms(programsOf(text))
    return rewound(own, schema).flatMap((stored) => (planned.has(stored.table) ? nameOf(stored) : []))
  }

  return {
    explain(text: string): Explained {
      const lines = db.prepare(`explain query plan ${text}`).all() as Line[]
      const built = lines.flatMap(({ detail }) => (/AUTOMATIC/.test(detail) ? 'builds an index' : []))
      const isSorting = lines.some(({ detail }) =>
        /USE TEMP B-TREE FOR (?:LAST TERM OF )?ORDER BY/.test(detail),
      )
      const sorted = isSorting && /\blimit (?!-1\b)/.test(text) ? ['sorts, and has a limit'] : []
      return {
        plan: indented(lines),
        findings: [...new Set([...scansOf(text, lines), ...built, ...sorted])].sort(),
      }
    },
    /** Of all triggers: whole tables and indexes that they read, by the table that they are of. */
    triggerScans(): Record<string, string[]> {
      const tables = new Set(
        db
          .prepare(`select tbl_name as name from sqlite_schema where type = 'trigger'`)
          .all()
          .map(({ name }) => String(name)),
      )
      const found = [...tables].map((table) => {
        const changes = [
          `insert into ${table} default values`,
          `update ${table} set ${columnsOf(table)
            .map((column) => `${column} = ${column}`)
            .join()}`,
          `delete from ${table}`,
        ]
        const programs = changes.flatMap((text) => splitPrograms(programsOf(text)).slice(1))
        return [
          table,
          [...new Set(programs.flatMap((program) => rewound(program, schema).map(nameOf)))].sort(),
        ] as const
      })
      return Object.fromEntries(found)
    },
  }

  function columnsOf(table: string): string[] {
    const columns = db.prepare(`select name from pragma_table_xinfo('${table}') where hidden = 0`).all()
    return columns.map(({ name }) => String(name))
  }
}

const nameOf = ({ name, table }: Stored) => `reads all of ${name === table ? table : `${table} by ${name}`}`

function indented(lines: readonly Line[]): string[] {
  const depths = new Map([[0, 0]])
  return lines.map(({ id, parent, detail }) => {
    const depth = depths.get(parent) ?? 0
    depths.set(id, depth + 1)
    return '  '.repeat(depth) + detail
  })
}

/** Each begins at 0: the statement's, then those of triggers. */
function splitPrograms(ops: readonly Op[]): Op[][] {
  const starts = ops.flatMap(({ addr }, i) => (addr === 0 ? i : []))
  return starts.map((start, i) => ops.slice(start, starts[i + 1]))
}

/** What a cursor begins at the first or last row, and then goes on. */
function rewound(program: readonly Op[], schema: readonly Stored[]): Stored[] {
  const cursors = new Map<number, Stored>()
  const begun = new Set<number>()
  const found: Stored[] = []
  let skippedUntil = 0
  for (const { opcode, addr, p1, p2 } of program) {
    // Looks for the children of a row, which need none where nothing is violated.
    if (opcode === 'FkIfZero') skippedUntil = Math.max(skippedUntil, p2)
    if (/^(?:OpenRead|OpenWrite|ReopenIdx)$/.test(opcode)) {
      const stored = schema.find(({ rootpage }) => rootpage === p2)
      if (stored === undefined) cursors.delete(p1)
      else cursors.set(p1, stored)
      begun.delete(p1)
    }
    const cursor = cursors.get(p1)
    if (addr < skippedUntil || cursor === undefined) continue
    if (opcode === 'Rewind' || opcode === 'Last') begun.add(p1)
    if ((opcode === 'Next' || opcode === 'Prev') && begun.has(p1)) found.push(cursor)
  }
  return found
}
