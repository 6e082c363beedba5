// `ctx.storage`: values, SQLite and an alarm. What was written is durable after a while; an object that dies before
// loses it.

import type { Agenda } from './agenda.ts'
import { cloneOf } from './clone.ts'
import type { Context } from './context.ts'
import { changedBy, type Look, type OnCommit } from './d1.ts'
import { type Changed, type Kind, openSqlite, type Ran, type Sqlite } from './sqlite.ts'

export type ObjectStorage = ReturnType<typeof createStorage>

/** By a transaction, not durable yet. */
type Written = {
  readonly changed: readonly Changed[]
  readonly seen: ReturnType<Look>
  readonly context: Context
  readonly moment: number
  readonly atMs: number
}

const readsOnly = /^\s*select\b/i

export type StorageOptions = {
  readonly name: string
  readonly kind: Kind
  readonly onAlarm: () => void
  /** When the alarm of this time runs: once, twice, or never. */
  readonly alarmRunsAt: (atMs: number) => readonly number[]
  readonly onCommit: OnCommit
  /** At the end of each transaction, which is durable later, or never. */
  readonly look: Look
  /** Bookmarks are asked for: each durable state is kept. */
  readonly keepsHistory: boolean
}

/** What a bookmark names: its place in the history. */
type State = {
  readonly atMs: number
  /** Of the database. Most are those of the state before. */
  readonly pages: readonly Uint8Array[] | null
  readonly values: ReadonlyMap<string, unknown>
  readonly alarmAtMs: number | null
}

export function createStorage(
  agenda: Agenda,
  { name, kind, onAlarm, alarmRunsAt, onCommit, look, keepsHistory }: StorageOptions,
) {
  const values = new Map<string, unknown>()
  /** How to take back what is not durable yet. */
  let undo: (() => void)[] = []
  let sqlite: Sqlite | null = null
  /** Once it has deleted everything, it makes its tables itself. */
  let isFirst = true
  let alarmAtMs: number | null = null
  const cancelAlarms: (() => void)[] = []
  let ran: Written[] = []
  const state = { lives: 0, isDirty: false }

  const database = () => {
    sqlite ??= openSqlite(isFirst ? kind : 'empty', () => agenda.context().ids.next())
    isFirst = false
    return sqlite
  }

  function setAlarm(atMs: number | null): void {
    const before = alarmAtMs
    undo.push(() => {
      alarmAtMs = before
    })
    alarmAtMs = atMs
  }

  /** By the clock of the service, which may have jumped since. One that is dropped stays what `getAlarm` shows. */
  function watchAlarm(): void {
    for (const cancel of cancelAlarms.splice(0)) cancel()
    if (alarmAtMs === null) return
    const [first = null, ...others] = alarmRunsAt(alarmAtMs)
    if (first === null) return
    const run = () => {
      if (alarmAtMs === null) return
      if (alarmAtMs > agenda.nowMs()) return watchAlarm()
      alarmAtMs = null
      onAlarm()
    }
    cancelAlarms.push(agenda.after(first - agenda.nowMs(), run))
    for (const atMs of others) agenda.after(atMs - agenda.nowMs(), onAlarm)
  }

  /** With all that was in them, once that is durable. */
  const dropped: Sqlite[] = []
  const history: State[] = []
  let restoreTo: State | null = null

  /** The next life begins with what a bookmark names. */
  function restore({ pages, values: kept, alarmAtMs: atMs }: State): void {
    values.clear()
    for (const [key, value] of kept) values.set(key, value)
    sqlite?.close()
    const image = pages === null ? null : Buffer.concat(pages)
    sqlite = image === null ? null : openSqlite(kind, () => agenda.context().ids.next(), image)
    alarmAtMs = atMs
    restoreTo = null
    watchAlarm()
  }

  function rollBack(to = 0): void {
    for (const step of undo.splice(to).reverse()) step()
  }

  /** What a life of the object works with. `onOpen`: its gate may be open again. */
  function begin(onOpen: () => void) {
    state.lives++
    if (restoreTo !== null) restore(restoreTo)
    let [isAlive, locks] = [true, 0]
    let held: (() => void)[] = []

    function mustLive(): void {
      if (!isAlive) throw new Error('This object has died')
    }

    function noteWrite(): void {
      mustLive()
      if (state.isDirty) return
      state.isDirty = true
      agenda.after(agenda.delayMs(agenda.context()) / 10, () => isAlive && makeDurable())
    }

    function makeDurable(): void {
      sqlite?.commit()
      for (const one of dropped.splice(0)) one.close()
      undo = []
      state.isDirty = false
      const written = ran
      ran = []
      for (const { context, changed, moment, atMs, seen } of written)
        agenda.within(context, () => onCommit({ store: name, changed, moment, atMs }, seen))
      if (keepsHistory)
        history.push({
          atMs: agenda.nowMs(),
          pages: sqlite === null ? null : pagesOf(sqlite.serialize(), history.at(-1)?.pages ?? []),
          values: new Map(values),
          alarmAtMs,
        })
      watchAlarm()
      const outputs = held
      held = []
      for (const output of outputs) output()
    }

    /** While the object waits for its storage, nothing else reaches it. */
    function waitFor<Result>(work: () => Result): Promise<Result> {
      mustLive()
      locks++
      const result = work()
      return new Promise((resolve) => {
        agenda.after(agenda.delayMs(agenda.context()) / 20, () => {
          if (!isAlive) return
          resolve(result)
          // What it does with the answer comes before all that waits.
          agenda.after(0, () => {
            locks--
            if (locks === 0) onOpen()
          })
        })
      })
    }

    const kv = {
      get: (key: string) => {
        mustLive()
        return cloneOf(values.get(key))
      },
      put: (key: string, value: unknown) => {
        noteWrite()
        remember(key)
        values.set(key, cloneOf(value))
      },
      delete: (key: string) => {
        noteWrite()
        remember(key)
        return values.delete(key)
      },
      list: ({ prefix = '', limit = Number.POSITIVE_INFINITY }: { prefix?: string; limit?: number } = {}) =>
        [...values]
          .filter(([key]) => key.startsWith(prefix))
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .slice(0, limit)
          .map(([key, value]) => [key, cloneOf(value)] as const),
    }

    function remember(key: string): void {
      const before = values.get(key)
      undo.push(() => (before === undefined ? values.delete(key) : values.set(key, before)))
    }

    function exec(text: string, ...bindings: unknown[]) {
      mustLive()
      const db = database()
      if (!readsOnly.test(text)) {
        noteWrite()
        db.begin()
      }
      if (bindings.length === 0 && /;\s*\S/.test(text)) {
        db.exec(text)
        return cursorOf([], 0)
      }
      const result = db.run(text, bindings)
      if (result.changes > 0) open.push([text, result])
      if (depth === 0) endTransaction()
      return cursorOf(result.rows, result.changes)
    }

    /** Statements of the transaction that goes on. */
    let open: (readonly [text: string, ran: Ran])[] = []
    let [savepoints, depth] = [0, 0]

    function endTransaction(): void {
      if (open.length === 0) return
      const changed = changedBy(open)
      open = []
      ran.push({
        ...{ changed, seen: look(database(), changed), context: agenda.context() },
        ...{ moment: agenda.moment(), atMs: agenda.nowMs() },
      })
    }

    function transactionSync<Result>(work: () => Result): Result {
      noteWrite()
      const db = database()
      db.begin()
      const [savepoint, undone, count] = [`s${++savepoints}`, undo.length, open.length]
      db.exec(`savepoint ${savepoint}`)
      depth++
      try {
        const result = work()
        db.exec(`release ${savepoint}`)
        return result
      } catch (error) {
        if (isAlive) {
          db.exec(`rollback to ${savepoint}; release ${savepoint}`)
          rollBack(undone)
          open.length = count
        }
        throw error
      } finally {
        depth--
        if (depth === 0) endTransaction()
      }
    }

    function deleteAll(): void {
      noteWrite()
      for (const key of [...values.keys()]) kv.delete(key)
      setAlarm(null)
      const before = sqlite
      if (before === null) return
      // Nothing of it is durable: it is gone for good only then.
      undo.push(() => {
        sqlite = before
        dropped.pop()
      })
      dropped.push(before)
      sqlite = null
    }

    const api = {
      kv,
      sql: {
        exec,
        get databaseSize() {
          return database().size()
        },
      },
      transactionSync,
      getAlarm: () => waitFor(() => alarmAtMs),
      setAlarm: (atMs: number) =>
        waitFor(() => {
          noteWrite()
          setAlarm(Number(atMs))
        }),
      deleteAlarm: () =>
        waitFor(() => {
          noteWrite()
          setAlarm(null)
        }),
      deleteAll: () => waitFor(deleteAll),
      getCurrentBookmark: () => waitFor(() => `${history.length - 1}`),
      getBookmarkForTime: async (ms: number) => {
        const place = await waitFor(() => history.findLastIndex(({ atMs }) => atMs <= ms))
        if (place === -1) throw new Error('The object was made later')
        return `${place}`
      },
      onNextSessionRestoreBookmark: (bookmark: string) =>
        waitFor(() => {
          restoreTo = history[Number(bookmark)] ?? null
        }),
      sync: () => waitFor(() => {}),
    }
    return {
      api,
      isLocked: () => locks > 0,
      afterWrites: (run: () => void) => {
        if (state.isDirty) held.push(run)
        else run()
      },
      /** What is not durable is lost. */
      end(): void {
        isAlive = false
        state.isDirty = false
        ran = []
        rollBack()
        sqlite?.rollBack()
        watchAlarm()
      },
    }
  }

  return {
    begin,
    get lives() {
      return state.lives
    },
    /** Something is written that is not durable yet. */
    isDirty: () => state.isDirty,
    hasAlarm: () => alarmAtMs !== null,
    alarmAtMs: () => alarmAtMs,
    /** For what looks at it from outside. */
    values: () => values,
    sqlite: () => sqlite,
  }
}

function pagesOf(image: Uint8Array, before: readonly Uint8Array[]): readonly Uint8Array[] {
  const size = 4096
  return Array.from({ length: image.length / size }, (_, index) => {
    const [page, kept] = [image.subarray(index * size, (index + 1) * size), before[index]]
    return kept !== undefined && Buffer.compare(page, kept) === 0 ? kept : page.slice()
  })
}

function cursorOf(rows: readonly Record<string, unknown>[], rowsWritten: number) {
  for (const row of rows)
    for (const [column, value] of Object.entries(row))
      if (value instanceof Uint8Array)
        row[column] = value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength)
  const ofRaw = () => rows.map((row) => Object.values(row)).values()
  return {
    toArray: () => rows,
    one: () => {
      if (rows.length !== 1) throw new Error('Expected exactly one result from SQL query')
      return rows[0]
    },
    raw: ofRaw,
    rowsRead: rows.length,
    rowsWritten,
    columnNames: Object.keys(rows[0] ?? {}),
    [Symbol.iterator]: () => rows.values(),
  }
}
