// SQLite in this process, for D1 and for objects alike: statements prepared once, changes counted truly, `random()`
// drawn. A database with all migrations goes from one world to the next: a world is one transaction of it, which is
// rolled back.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

export type Row = Record<string, unknown>
export type Ran = { readonly rows: Row[]; readonly changes: number }
/** What a statement has changed. */
export type Changed = { readonly table: string; readonly rows: number }
export type Sqlite = ReturnType<typeof openSqlite>
/** `store`: of a company, with its own record of migrations. */
export type Kind = 'd1' | 'store' | 'empty'

const migrationsDir = join(import.meta.dirname, '../../../migrations')
const written =
  /\b(?:insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from|create (?:table|index)(?: if not exists)?)\s+"?(\w+)/i
const tables = new Map<string, string>()

/** The table that a statement writes. Empty: none. */
export function writtenTable(text: string): string {
  let table = tables.get(text)
  if (table === undefined) {
    table = written.exec(text)?.[1] ?? ''
    tables.set(text, table)
  }
  return table
}

type Connection = ReturnType<typeof connect>

const unused = () => 0

function connect(kind: Kind, image: Uint8Array | null) {
  const db = new DatabaseSync(':memory:')
  if (image !== null) db.deserialize(image)
  else if (kind !== 'empty') {
    const names = readdirSync(migrationsDir).filter((each) => each.endsWith('.sql'))
    for (const name of names.sort()) db.exec(readFileSync(join(migrationsDir, name), 'utf8'))
    if (kind === 'store') {
      db.exec('create table applied_migrations (name text primary key) without rowid')
      for (const name of names) db.prepare('insert into applied_migrations values (?)').run(name)
    }
  }
  db.exec('pragma foreign_keys = on')
  const chance = { next: unused }
  db.function('random', { deterministic: false }, () => chance.next() * 2 ** 20 + (chance.next() >>> 12))
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string): StatementSync => {
    let statement = prepared.get(text)
    if (statement === undefined) {
      statement = db.prepare(text)
      prepared.set(text, statement)
    }
    return statement
  }
  return { db, chance, prepare }
}

const idle: Record<Kind, Connection[]> = { d1: [], store: [], empty: [] }

/** `next`: 32 bits for `random()`. `image`: of `serialize`. */
export function openSqlite(kind: Kind, next: () => number, image: Uint8Array | null = null) {
  const isKept = kind !== 'empty' && image === null
  const connection = (isKept ? idle[kind].pop() : undefined) ?? connect(kind, image)
  const { db, prepare, chance } = connection
  chance.next = next
  // Of what was read from an image, `serialize` gives no more than what is committed.
  if (image === null) db.exec('begin')
  const countChanges = () => Number(prepare('select total_changes() as total').get()?.total)
  /** By the last statement that may have changed anything. */
  let counted = countChanges()
  let isWriting = false

  function end(how: 'release' | 'rollback to'): void {
    if (!isWriting) return
    isWriting = false
    db.exec(how === 'release' ? 'release written' : 'rollback to written; release written')
  }

  return {
    /** Several statements, without values. */
    exec(text: string): void {
      db.exec(text)
      counted = countChanges()
    },
    run(text: string, values: readonly unknown[]): Ran {
      const rows = prepare(text).all(...values.map(boundValue)) as Row[]
      if (writtenTable(text) === '') return { rows, changes: 0 }
      const before = counted
      counted = countChanges()
      return { rows, changes: counted - before }
    },
    rows: (text: string, ...values: SQLInputValue[]) => prepare(text).all(...values) as Row[],
    begin(): void {
      if (isWriting) return
      isWriting = true
      db.exec('savepoint written')
      // Full-text search writes what it has kept in memory.
      counted = countChanges()
    },
    commit: () => end('release'),
    rollBack: () => end('rollback to'),
    serialize: () => db.serialize(),
    size: () =>
      Number(
        prepare('select page_count * page_size as size from pragma_page_count, pragma_page_size').get()?.size,
      ),
    close(): void {
      if (image === null) db.exec('rollback')
      // The next world may come much later, or never: this one is not kept until then.
      chance.next = unused
      if (isKept) idle[kind].push(connection)
      else db.close()
    },
  }
}

function boundValue(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return Number(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  return value as SQLInputValue
}
