// What the sender of one webhook remembers, in its Durable Object's own SQLite: its state, the events that wait
// for another attempt, or behind such an event ("parked"), and the last deliveries. It keeps places and types only,
// never the data of an event. Every function is synchronous, so that one turn's writes are one transaction.

import { limits } from '../../../base/limits.ts'
import type { LogPlace, Subject } from '../../events/event.ts'

/** An event that waits for its next attempt, or behind an earlier one of its subject. */
export type Parked = LogPlace & {
  /** So far. */
  readonly attempts: number
  readonly dueAtMs: number
}

/** When an event is due that waits behind another. */
export const whenReleased = Number.MAX_SAFE_INTEGER

export type Delivery = {
  readonly eventId: string
  readonly type: string
  readonly attempt: number
  /** Null: no answer. */
  readonly status: number | null
  readonly atMs: number
  readonly durationMs: number
  /** Null: it was delivered. */
  readonly error: string | null
}

/** An event without attempts left, kept until the database has it. */
export type GivenUp = Pick<Delivery, 'eventId' | 'type' | 'status'> & {
  /** From 1, in the order in which they were given up. */
  readonly id: number
}

export type SenderMemory<State extends object> = ReturnType<typeof openMemory<State>>

/** A literal, so that its index is used. */
const isReady = `due_at_ms < ${whenReleased}`
const parkedTable = `create table if not exists parked (number integer not null, part integer not null,
  tries integer not null, due_at_ms integer not null, topic text, first integer, last integer,
  primary key (number, part)) without rowid`
const tables = [
  'create index if not exists parked_due on parked (due_at_ms)',
  `create index if not exists parked_ready on parked (number, part) where ${isReady}`,
  'create index if not exists parked_subject on parked (topic, first)',
  'create index if not exists parked_range on parked (last) where last > first',
  `create table if not exists deliveries (id integer primary key, event_id text not null, type text not null,
    attempt integer not null, status integer, at_ms integer not null, duration_ms integer not null, error text)`,
  `create table if not exists given_up (id integer primary key, event_id text not null, type text not null,
    status integer)`,
]

const parkedColumns = 'number, part, tries as attempts, due_at_ms as "dueAtMs"'
const stateKey = 'state'

export function openMemory<State extends object>({ sql, kv }: DurableObjectStorage, initial: State) {
  sql.exec(parkedTable)
  for (const table of tables) sql.exec(table)
  const all = <Row>(query: string, ...values: unknown[]) =>
    sql.exec(query, ...(values as SqlStorageValue[])).toArray() as Row[]
  // The state that the version before left may lack members.
  let state: State = { ...initial, ...kv.get<State>(stateKey) }
  /** The only event that a held receiver gets: the oldest that has attempts left, or else the oldest. */
  const head = (maxAttempts: number) => {
    const oldest = (most: number) =>
      all<Parked>(
        `select ${parkedColumns} from parked where tries < ? and ${isReady} order by number, part limit 1`,
        most,
      )[0]
    return oldest(maxAttempts) ?? oldest(Number.MAX_SAFE_INTEGER)
  }
  /** Those of its subject that waited behind it are due. */
  const unpark = ({ number, part }: LogPlace) => {
    const [left] = all<Subject>(
      'delete from parked where number = ? and part = ? returning topic, first, last',
      ...[number, part],
    )
    if (left === undefined) return
    all(
      'update parked set due_at_ms = 0 where due_at_ms = ? and topic = ? and first between ? and ?',
      ...[whenReleased, left.topic, left.first, left.last],
    )
  }
  return {
    get state(): State {
      return state
    },
    setState(next: State): void {
      state = next
      kv.put(stateKey, next)
    },

    /** Later events of the subject wait behind it. */
    park({ number, part, attempts, dueAtMs }: Parked, subject: Subject | null): void {
      if (subject === null) unpark({ number, part })
      const { topic = null, first = null, last = null } = subject ?? {}
      all(
        'insert or replace into parked values (?, ?, ?, ?, ?, ?, ?)',
        ...[number, part, attempts, dueAtMs, topic, first, last],
      )
    },
    unpark,
    /** Whether an earlier event of its subject is parked: it, or one of a range of leads. */
    mustWait({ number, part }: LogPlace, { topic, first }: Subject): boolean {
      return (
        all(
          `select 1 from parked where topic = ?1 and first = ?2 and (number, part) < (?3, ?4)
           union all select 1 from parked indexed by parked_range
             where last > first and last >= ?2 and first <= ?2 and topic = ?1 and (number, part) < (?3, ?4)
           limit 1`,
          ...[topic, first, number, part],
        ).length > 0
      )
    },
    isFull: () => all('select 1 from parked limit 1 offset ?', limits.waitingEventsMax - 1).length > 0,
    /** The events of this entry and of all after it. */
    unparkFrom(number: number): void {
      all('delete from parked where number >= ?', number)
    },
    /** All but those that wait behind others, each with at most so many attempts made. */
    makeAllDue(nowMs: number, maxAttempts: number): void {
      all(
        'update parked set due_at_ms = min(due_at_ms, ?), tries = min(tries, ?) where due_at_ms < ?',
        ...[nowMs, maxAttempts, whenReleased],
      )
    },
    hasParked: () => all('select 1 from parked limit 1').length > 0,
    /** Whether anything but this is parked. */
    hasOtherParked: ({ number, part }: LogPlace) =>
      all('select 1 from parked where (number, part) <> (?, ?) limit 1', number, part).length > 0,
    /** The longest due first. */
    listDue: (nowMs: number, max: number) =>
      all<Parked>(
        `select ${parkedColumns} from parked where due_at_ms <= ? order by due_at_ms limit ?`,
        nowMs,
        max,
      ),
    /** In the order of the log. */
    listDueAfter: ({ number, part }: LogPlace, nowMs: number, max: number) =>
      all<Parked>(
        `select ${parkedColumns} from parked where (number, part) > (?, ?) and ${isReady} and due_at_ms <= ?
         order by number, part limit ?`,
        ...[number, part, nowMs, max],
      ),
    head,
    setHeadDue(maxAttempts: number, dueAtMs: number): void {
      const { number, part } = head(maxAttempts) ?? {}
      all('update parked set due_at_ms = ? where number = ? and part = ?', dueAtMs, number ?? 0, part ?? 0)
    },
    nextDueAtMs: () =>
      all<{ at: number }>(
        'select due_at_ms as at from parked where due_at_ms < ? order by due_at_ms limit 1',
        whenReleased,
      )[0]?.at ?? null,

    giveUp(place: LogPlace, { id, eventId, type, status }: GivenUp): void {
      unpark(place)
      all('insert into given_up values (?, ?, ?, ?)', id, eventId, type, status)
    },
    listGivenUp: (max: number) =>
      all<GivenUp>('select id, event_id as "eventId", type, status from given_up order by id limit ?', max),
    forgetGivenUp(lastId: number): void {
      all('delete from given_up where id <= ?', lastId)
    },

    ...deliveryLog(all),
  }
}

type Query = <Row>(query: string, ...values: unknown[]) => Row[]

/** The last delivery attempts. */
const deliveryLog = (all: Query) => ({
  note({ eventId, type, attempt, status, atMs, durationMs, error }: Delivery): void {
    const [kept] = all<{ first: number | null; last: number | null }>(
      'select (select min(id) from deliveries) as first, (select max(id) from deliveries) as last',
    )
    const id = (kept?.last ?? 0) + 1
    const values = [id, eventId, type, attempt, status, atMs, durationMs, error]
    const oldest = kept?.first ?? id
    // In place of the oldest: one row is written, not two.
    if (oldest <= id - limits.deliveriesKept)
      all(
        `update deliveries set id = ?, event_id = ?, type = ?, attempt = ?, status = ?, at_ms = ?, duration_ms = ?,
         error = ? where id = ?`,
        ...[...values, oldest],
      )
    else all('insert into deliveries values (?, ?, ?, ?, ?, ?, ?, ?)', ...values)
  },
  /** The newest first. */
  listDeliveries: (max: number) =>
    all<Delivery>(
      `select event_id as "eventId", type, attempt, status, at_ms as "atMs", duration_ms as "durationMs", error
       from deliveries order by id desc limit ?`,
      max,
    ),
})
