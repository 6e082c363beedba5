// What the sender of one webhook remembers, in its Durable Object's own SQLite: its state, the failed events that wait
// for another attempt ("parked"), and the last deliveries. It keeps places and types only, never the data of an event.
// Every function is synchronous, so that one turn's writes are one transaction.
import { limits } from '../../limits.ts'

/** A place in the log, as in event.ts. */
export type Place = { readonly number: number; readonly part: number }

/** A failed event that waits for its next attempt. */
export type Parked = Place & {
  /** So far. */
  readonly attempts: number
  readonly dueAtMs: number
}

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

const tables = [
  `create table if not exists parked (number integer not null, part integer not null, tries integer not null,
    due_at_ms integer not null, primary key (number, part)) without rowid`,
  'create index if not exists parked_due on parked (due_at_ms)',
  `create table if not exists deliveries (id integer primary key, event_id text not null, type text not null,
    attempt integer not null, status integer, at_ms integer not null, duration_ms integer not null, error text)`,
  `create table if not exists given_up (id integer primary key, event_id text not null, type text not null,
    status integer)`,
]

const parkedColumns = 'number, part, tries as attempts, due_at_ms as "dueAtMs"'
const stateKey = 'state'

export function openMemory<State extends object>({ sql, kv }: DurableObjectStorage, initial: State) {
  for (const table of tables) sql.exec(table)
  const all = <Row>(query: string, ...values: unknown[]) =>
    sql.exec(query, ...(values as SqlStorageValue[])).toArray() as Row[]
  // The state of an older version may lack members.
  let state: State = { ...initial, ...kv.get<State>(stateKey) }
  const park = ({ number, part, attempts, dueAtMs }: Parked) =>
    void all('insert or replace into parked values (?, ?, ?, ?)', number, part, attempts, dueAtMs)
  /** The only event that a held receiver gets: the oldest that has attempts left, or else the oldest. */
  const head = (maxAttempts: number) =>
    all<Parked>(
      `select ${parkedColumns} from parked where tries < ? order by number, part limit 1`,
      maxAttempts,
    )[0] ?? all<Parked>(`select ${parkedColumns} from parked order by number, part limit 1`)[0]
  return {
    get state(): State {
      return state
    },
    setState(next: State): void {
      state = next
      kv.put(stateKey, next)
    },

    park,
    unpark({ number, part }: Place): void {
      all('delete from parked where number = ? and part = ?', number, part)
    },
    /** The events of this entry and of all after it. */
    unparkFrom(number: number): void {
      all('delete from parked where number >= ?', number)
    },
    makeAllDue(nowMs: number): void {
      all('update parked set due_at_ms = ?1 where due_at_ms > ?1', nowMs)
    },
    /** All are due, each with all of its attempts. */
    resetAttempts(nowMs: number): void {
      all('update parked set due_at_ms = ?1, tries = 0', nowMs)
    },
    hasParked: () => all('select 1 from parked limit 1').length > 0,
    /** Whether anything but this is parked. */
    hasOtherParked: ({ number, part }: Place) =>
      all('select 1 from parked where (number, part) <> (?, ?) limit 1', number, part).length > 0,
    /** The longest due first. */
    listDue: (nowMs: number, max: number) =>
      all<Parked>(
        `select ${parkedColumns} from parked where due_at_ms <= ? order by due_at_ms limit ?`,
        nowMs,
        max,
      ),
    /** In the order of the log. */
    listDueAfter: ({ number, part }: Place, nowMs: number, max: number) =>
      all<Parked>(
        `select ${parkedColumns} from parked where (number, part) > (?, ?) and due_at_ms <= ?
         order by number, part limit ?`,
        ...[number, part, nowMs, max],
      ),
    head,
    /** The head is not due before then. */
    delayHead(maxAttempts: number, dueAtMs: number): void {
      const found = head(maxAttempts)
      if (found !== undefined && found.dueAtMs < dueAtMs) park({ ...found, dueAtMs })
    },
    nextDueAtMs: () =>
      all<{ at: number }>('select due_at_ms as at from parked order by due_at_ms limit 1')[0]?.at ?? null,

    giveUp({ number, part }: Place, { id, eventId, type, status }: GivenUp): void {
      all('delete from parked where number = ? and part = ?', number, part)
      all('insert into given_up values (?, ?, ?, ?)', id, eventId, type, status)
    },
    listGivenUp: (max: number) =>
      all<GivenUp>('select id, event_id as "eventId", type, status from given_up order by id limit ?', max),
    forgetGivenUp(lastId: number): void {
      all('delete from given_up where id <= ?', lastId)
    },

    note({ eventId, type, attempt, status, atMs, durationMs, error }: Delivery): void {
      const [row] = all<{ id: number }>(
        `insert into deliveries (event_id, type, attempt, status, at_ms, duration_ms, error)
         values (?, ?, ?, ?, ?, ?, ?) returning id`,
        ...[eventId, type, attempt, status, atMs, durationMs, error],
      )
      all('delete from deliveries where id <= ?', (row?.id ?? 0) - limits.deliveriesKept)
    },
    /** The newest first. */
    listDeliveries: (max: number) =>
      all<Delivery>(
        `select event_id as "eventId", type, attempt, status, at_ms as "atMs", duration_ms as "durationMs", error
         from deliveries order by id desc limit ?`,
        max,
      ),
  }
}
