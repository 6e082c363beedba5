// What a webhook has yet to be told: its own row, the next entries of the log that concern it, and those that failed
// before, in one round trip. Leads and calls are as they are at this moment, and only what is included now is read.
import { sql } from 'drizzle-orm'
import { runBatch, statement } from '../../database/database.ts'
import type { Secrets } from '../../events/signature.ts'
import type { EventType } from '../../events/store/event-types.ts'
import { concerns } from '../../events/store/log.ts'
import { events, webhooks } from '../../events/store/tables.ts'
import { waits } from '../../limits.ts'
import { type LogEntry, logPage, pageColumns } from './log-page.ts'

const param = sql.placeholder

export const entriesPerPage = 100
/** Entries that are looked through for one page. */
const entriesPerSearch = 5_000

const own = sql`${webhooks} as w`
const isIt = sql`w.id = ${param('webhookId')} and w.disabled_at_ms is null`

/** Retention removes the oldest. */
const oldest = sql`coalesce((select min(o.number) from ${events} as o where o.company_id = w.company_id), 1)`
const first = sql`max(coalesce(${param('fromNumber')}, w.told_number + 1), ${oldest})`

const includes = (name: string) => sql`exists (select 1 from ${own}, json_each(w.include) as i
  where w.id = ${param('webhookId')} and i.value = ${sql.raw(`'${name}'`)})`
const included = {
  phoneNumber: includes('phoneNumber'),
  metadata: includes('metadata'),
  details: includes('details'),
}

const next = logPage(
  sql`select ${pageColumns} from ${own} cross join ${events} as e on e.company_id = w.company_id
    and e.number >= ${first} and e.number < ${first} + ${param('entriesPerSearch')}
    where ${isIt} and ${concerns(sql`w`, sql`e`)} order by e.number limit ${param('entriesPerPage')}`,
  included,
)

// `cross join` keeps SQLite from reading the whole log.
const again = logPage(
  sql`select ${pageColumns} from ${own} cross join json_each(${param('numbers')}) as n
    cross join ${events} as e on e.company_id = w.company_id and e.number = n.value
    where ${isIt} and ${concerns(sql`w`, sql`e`)}`,
  included,
)

const row =
  statement(sql`select w.company_id as "companyId", w.url, w.types, w.secret_version as "secretVersion",
    w.previous_expires_at_ms as "previousExpiresAtMs", w.older_secrets as "olderSecrets", w.told_number as "toldNumber",
    w.disabled_at_ms is not null as "isDisabled", w.given_up as "givenUp",
    w.failing_since_ms as "failingSinceMs", ${first} as first,
    coalesce((select max(e.number) from ${events} as e where e.company_id = w.company_id), 0) as head
  from ${own} where w.id = ${param('webhookId')}`)

type Row = Omit<
  WebhookPage,
  'types' | 'olderSecrets' | 'isDisabled' | 'entries' | 'again' | 'reachedNumber'
> & {
  readonly types: string
  readonly olderSecrets: string
  readonly isDisabled: number
  readonly first: number
}

export type WebhookPage = Secrets & {
  readonly companyId: string
  readonly url: string
  readonly types: readonly EventType[]
  readonly toldNumber: number
  readonly isDisabled: boolean
  /** Events so far. */
  readonly givenUp: number
  /** As its sender noted it last. */
  readonly failingSinceMs: number | null
  /** None when it is disabled, or none were asked for. */
  readonly entries: readonly LogEntry[]
  /** Of those asked for, the ones that are there and still concern it. */
  readonly again: readonly LogEntry[]
  /** The last entry of the log; 0: there is none. */
  readonly head: number
  /** Behind all entries that were looked through. */
  readonly reachedNumber: number
}

export type PageRequest = {
  readonly webhookId: string
  /** Null: where the database says. */
  readonly fromNumber: number | null
  /** Whether anything new may be sent. */
  readonly wantsNew: boolean
  readonly numbers: readonly number[]
}

/** Null: there is no such webhook. Throws DatabaseUnavailable. */
export async function readWebhookPage(db: D1Database, request: PageRequest): Promise<WebhookPage | null> {
  const { webhookId, fromNumber, wantsNew, numbers } = request
  const values = { webhookId, fromNumber, numbers: JSON.stringify(numbers), entriesPerPage, entriesPerSearch }
  const steps = [row, ...(wantsNew ? next.steps : []), ...(numbers.length > 0 ? again.steps : [])]
  const { rows } = await runBatch(
    db,
    steps.map((step) => step(db, values)),
    waits.administrationMs,
  )
  const [found] = rows[0] as Row[]
  if (found === undefined) return null
  const entries = wantsNew ? next.read(rows.slice(1, 4)) : []
  const lastSearched = Math.min(found.head, found.first + entriesPerSearch - 1)
  const isFull = entries.length === entriesPerPage
  return {
    ...found,
    types: JSON.parse(found.types) as EventType[],
    olderSecrets: JSON.parse(found.olderSecrets) as Secrets['olderSecrets'],
    isDisabled: found.isDisabled === 1,
    entries,
    again: numbers.length > 0 ? again.read(rows.slice(-3)) : [],
    reachedNumber: isFull ? (entries.at(-1)?.number ?? 0) : lastSearched,
  }
}
