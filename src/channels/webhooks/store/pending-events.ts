// What a sender reads in one round trip: the webhook's row, the next entries of the log that concern it, and the
// entries of parked events. Only personal data that the webhook includes now is read.
import { sql } from 'drizzle-orm'
import { type OfCompany, ofCompany } from '../../../base/access/store/directory.ts'
import { companies } from '../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { concerns } from '../../../base/ledger/log/append.ts'
import { type Epochs, readEpochs } from '../../../base/ledger/log/epochs.ts'
import { type WantedTypes, wantedOf } from '../../../base/ledger/log/event-types.ts'
import { events, isSending, webhooks } from '../../../base/ledger/log/tables.ts'
import { waits } from '../../../base/limits.ts'
import { isCut, type LogEntry, logPage, pageColumns, upToLeads } from '../../events/store/log-page.ts'
import type { Format } from '../format.ts'
import type { Secrets } from '../signature.ts'
import { type Included, logHead } from './endpoints.ts'

const entriesPerPage = 100
/** Entries that are searched for one page. */
const entriesPerSearch = 5_000
/** A page ends with the entry that reaches so many: a bulk may name a thousand. */
const leadsPerPage = 1_000

const own = sql`${webhooks} as w`
const isIt = sql`w.id = ${param('webhookId')} and ${isSending(sql`w`)}`

/** Retention removes the oldest. */
const oldest = sql`coalesce((select min(o.number) from ${events} as o where o.company_id = w.company_id), 1)`
const first = sql`max(coalesce(${param('fromNumber')}, w.passed_number + 1), ${oldest})`

const includes = (name: string) => sql`exists (select 1 from ${own}, json_each(w.include) as i
  where w.id = ${param('webhookId')} and i.value = ${sql.raw(`'${name}'`)})`
const included = {
  phoneNumber: includes('phoneNumber'),
  metadata: includes('metadata'),
  details: includes('details'),
  // A look at the row more would cost more than their bytes.
  externalIds: true,
}

const next = logPage(
  upToLeads(
    sql`select ${pageColumns}
      from ${own}
      cross join ${events} as e on e.company_id = w.company_id
        and e.number >= ${first} and e.number < ${first} + ${param('entriesPerSearch')}
      where ${isIt} and ${concerns(sql`w`, sql`e`)}
      order by e.number
      limit ${param('entriesPerPage')}`,
    leadsPerPage,
  ),
  included,
)

const selectNext = statement<'webhookId' | 'fromNumber' | 'entriesPerSearch' | 'entriesPerPage' | 'nowMs'>(
  next.query,
)

const again = logPage(
  upToLeads(
    sql`select ${pageColumns}
      from ${own}
      cross join json_each(${param('numbers')}) as n
      cross join ${events} as e on e.company_id = w.company_id and e.number = n.value
      where ${isIt} and ${concerns(sql`w`, sql`e`)}`,
    leadsPerPage,
  ),
  included,
)

const selectAgain = statement<'webhookId' | 'numbers' | 'nowMs'>(again.query)

const row = statement<'fromNumber' | 'webhookId' | 'nowMs'>(sql`
  select ${ofCompany(sql`co`)}, w.url, w.types, w.include, w.format, w.sealed_secrets as "sealedSecrets",
    w.secret_version as "secretVersion",
    w.previous_expires_at_ms as "previousExpiresAtMs", w.older_secrets as "olderSecrets",
    w.passed_number as "passedNumber",
    not ${isSending(sql`w`)} as "isDisabled", w.expires_at_ms as "expiresAtMs", w.given_up as "givenUp",
    w.failing_since_ms as "failingSinceMs", ${first} as first, co.log_epochs as epochs,
    ${logHead(sql`w.company_id`)} as head
  from ${own}
  cross join ${companies} as co on co.id = w.company_id
  where w.id = ${param('webhookId')}`)

type Row = Omit<
  WebhookPage,
  'types' | 'epochs' | 'olderSecrets' | 'isDisabled' | 'entries' | 'again' | 'againUntil' | 'reachedNumber'
> & {
  readonly types: string
  readonly include: string
  readonly olderSecrets: string
  readonly epochs: string
  readonly isDisabled: number
  readonly first: number
}

export type WebhookPage = Secrets &
  OfCompany & {
    /** Epochs of the company's log. */
    readonly epochs: Epochs
    readonly url: string
    readonly format: Format | null
    readonly sealedSecrets: string | null
    readonly types: WantedTypes
    readonly passedNumber: number
    readonly isDisabled: boolean
    /** Nothing is sent from then on. Null: it does not end. */
    readonly expiresAtMs: number | null
    /** Events so far. */
    readonly givenUp: number
    /** As the sender saved it last. */
    readonly failingSinceMs: number | null
    /** None when the webhook is disabled, or when none were requested. */
    readonly entries: readonly LogEntry[]
    /** The entries of `numbers` up to `againUntil` that still exist and still concern the webhook. */
    readonly again: readonly LogEntry[]
    /** Entries after this one were left out, because these name enough leads. Null: none were. */
    readonly againUntil: number | null
    /** The last entry of the log; 0: there is none. */
    readonly head: number
    /** The last entry that was searched. */
    readonly reachedNumber: number
  }

export type PageRequest = {
  readonly webhookId: string
  /** Null: after the last entry that the database has as passed. */
  readonly fromNumber: number | null
  readonly wantsNew: boolean
  /** The entries of parked events. */
  readonly numbers: readonly number[]
  readonly nowMs: number
}

/** Null: no such webhook. Throws DatabaseUnavailable. */
export async function readWebhookPage(db: D1Database, request: PageRequest): Promise<WebhookPage | null> {
  const { webhookId, fromNumber, wantsNew, numbers, nowMs } = request
  const values = {
    webhookId,
    fromNumber,
    numbers: JSON.stringify(numbers),
    entriesPerPage,
    entriesPerSearch,
    nowMs,
  }
  const steps = [row, ...(wantsNew ? [selectNext] : []), ...(numbers.length > 0 ? [selectAgain] : [])]
  const { rows } = await runSteps(db, steps, values, waits.administrationMs)
  const [found] = rows[0] as Row[]
  if (found === undefined) return null
  const hasExternalIds = (JSON.parse(found.include) as readonly Included[]).includes('externalIds')
  const onRequest = (entry: LogEntry) => (hasExternalIds ? entry : { ...entry, externalIds: null })
  const entries = wantsNew ? next.read(rows[1] ?? []).map(onRequest) : []
  const entriesAgain = numbers.length > 0 ? again.read(rows.at(-1) ?? []).map(onRequest) : []
  const lastSearched = Math.min(found.head, found.first + entriesPerSearch - 1)
  const isFull = entries.length === entriesPerPage || isCut(entries, leadsPerPage)
  return {
    ...found,
    types: wantedOf(JSON.parse(found.types)),
    epochs: readEpochs(found.epochs),
    olderSecrets: JSON.parse(found.olderSecrets) as Secrets['olderSecrets'],
    isDisabled: found.isDisabled === 1,
    entries,
    again: entriesAgain,
    againUntil: isCut(entriesAgain, leadsPerPage) ? (entriesAgain.at(-1)?.number ?? null) : null,
    reachedNumber: isFull ? (entries.at(-1)?.number ?? 0) : lastSearched,
  }
}
