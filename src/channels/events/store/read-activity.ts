// Reads what people and keys changed from a company's log, newest first, by an index that leads and calls are not in.
import { type SQL, sql } from 'drizzle-orm'
import { grantedKey, type KeyAccess, type KeyNames } from '../../../base/access/store/rights.ts'
import { companies } from '../../../base/access/store/tables.ts'
import { param, runBatch, statement } from '../../../base/database/database.ts'
import { type Epochs, readEpochs } from '../../../base/ledger/log/epochs.ts'
import { activityTypes } from '../../../base/ledger/log/event-types.ts'
import { limits } from '../../../base/limits.ts'
import { eventsTable, type LogEntry, logPage, nothingIncluded, pageColumns } from './log-page.ts'

/** Entries that one request looks at, of all who acted. */
const scannedPerPage = sql.raw('10000')
const size = sql.raw(`${limits.activityPerPage}`)
const types = sql.raw(activityTypes.map((type) => `'${type}'`).join(', '))

const key = grantedKey('manage to read')

/** For a campaign's key, entries of other campaigns are looked at, too, so that a look ends. */
function statementsOf(index: string, isOfActor: SQL) {
  const scanned = sql`select ${pageColumns}, key.campaign_number as key_campaign_number from ${key} as key
    cross join ${eventsTable} indexed by ${sql.identifier(index)} on e.company_id = key.company_id and ${isOfActor}
      and e.lead_seq is null and e.number < coalesce(${param('before')}, 9e15)
    order by e.number desc
    limit ${scannedPerPage}`
  const page = sql`select ${pageColumns} from (${scanned}) as e
    where e.actor <> 'system' and e.type in (${types})
      and (e.key_campaign_number is null or e.campaign_number = e.key_campaign_number)
    order by e.number desc
    limit ${size}`
  const { query, read } = logPage(page, nothingIncluded)
  return {
    read,
    entries: statement<Names>(query),
    // Where the page ends: with its last entry, or with the last that was looked at.
    bounds: statement<Names>(sql`select ${companies.logEpochs} as epochs, coalesce(
        (select iif(count(*) = ${size}, min(e.number), null) from (${page}) as e),
        (select iif(count(*) = ${scannedPerPage}, min(e.number), null) from (${scanned}) as e)) as next
      from ${key} as key
      cross join ${companies} on ${companies.id} = key.company_id`),
  }
}

type Names = KeyNames | 'before' | 'actor'
const ofAll = statementsOf('events_activity', sql`${param('actor')} is null`)
const ofActor = statementsOf('events_actor', sql`e.actor = ${param('actor')}`)

type Activity = {
  readonly kind: 'read'
  readonly entries: readonly LogEntry[]
  readonly epochs: Epochs
  /** The `before` of the next page. Null: this one is the last. */
  readonly next: number | null
}

/** What one actor did, or all when it is null. Throws DatabaseUnavailable. */
export async function readActivity(
  db: D1Database,
  { keyId, nowMs }: KeyAccess,
  actor: string | null,
  before: number | null,
): Promise<{ readonly kind: 'key_refused' } | Activity> {
  const values = { keyId, nowMs, actor, before }
  const { bounds, entries, read } = actor === null ? ofAll : ofActor
  const { rows } = await runBatch(db, [bounds(db, values), entries(db, values)])
  const found = rows[0]?.[0] as { epochs: string; next: number | null } | undefined
  if (found === undefined) return { kind: 'key_refused' }
  return {
    kind: 'read',
    entries: read(rows[1] ?? []).toReversed(),
    epochs: readEpochs(found.epochs),
    next: found.next,
  }
}
