// Reads a page of a company's log. What an entry holds is in log-page.ts; the
// events are made of it in src/channels/events/event.ts.
import { sql } from 'drizzle-orm'
import { startListening } from '../../../base/access/store/company-log.ts'
import { grantedKey, type KeyAccess, type KeyNames } from '../../../base/access/store/rights.ts'
import { companies } from '../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { type Epochs, epochAt, readEpochs } from '../../../base/ledger/log/epochs.ts'
import { type EventType, entryTypesOf } from '../../../base/ledger/log/event-types.ts'
import type { LeadKey } from '../../../queue/leads/lead.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { eventsTable, type LogEntry, logPage, nothingIncluded, pageColumns, upToLeads } from './log-page.ts'

type LogRange = {
  readonly types: readonly EventType[]
  /** The last entry that was read; it is read again when only some of its events were. Null: from the oldest entry. */
  readonly after: { readonly epoch: number; readonly number: number; readonly isEntryRead: boolean } | null
  readonly maxEntries: number
  /** Only entries about this lead. Its creation, an entry that many leads share, is not among them. */
  readonly lead?: LeadKey | null
}

type LogResult =
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'no_such_place' }
  /** A restore of the database removed the place. */
  | { readonly kind: 'place_restored' }
  /** Entries after the place were deleted because of their age. */
  | { readonly kind: 'place_too_old' }
  | {
      readonly kind: 'read'
      readonly entries: readonly LogEntry[]
      readonly epochs: Epochs
      /** The last entry that was looked at. */
      readonly scannedUntil: number
    }

/** Entries that one request looks at, whatever their types. */
const scannedPerPage = 10_000

/** A page ends with the entry that reaches so many leads. */
const leadsPerPage = 10_000

const key = grantedKey('read')

/** The placeholders of the bounds of a page, and of its entries. */
type BoundsNames = KeyNames | 'placeNumber' | 'entriesAgain'
type PageNames = BoundsNames | 'types' | 'entryTypes' | 'maxEntries'

function statementsOf(isOfLead: boolean) {
  const numberOf = (which: 'min' | 'max') => sql`(select ${sql.raw(which)}(e.number) from ${eventsTable}
    where e.company_id = key.company_id)`
  const before = sql`coalesce(${numberOf('min')} - 1, 0)`
  const place = sql`coalesce(${param('placeNumber')}, ${before})`
  const last = sql`coalesce(${numberOf('max')}, 0)`
  // An index finds all entries of a lead at once.
  const scanned = isOfLead ? sql`${last}` : sql.raw(`${scannedPerPage}`)
  const after = sql`max(${place} - ${param('entriesAgain')}, ${before})`
  const bounds = sql`(select key.company_id, key.campaign_number, ${after} as after_number,
    ${place} < ${before} as is_too_old,
    min(${last}, ${after} + ${scanned}) as scanned_until,
    ${place} between ${before} and ${last} as is_place from ${key} as key)`

  const endsIn = sql`iif(e.data ->> 'status' = 'concluded', 'lead.concluded', 'lead.exhausted')`
  const isWanted = (type = sql`e.type`) =>
    sql`${type} in (select wanted.value from json_each(${param('types')}) as wanted)`
  const byLead = sql`indexed by ${sql.identifier('events_lead')}`
  // The lead at this seq must have exactly this id.
  const isOfThisLead = sql`e.lead_seq = ${param('leadSeq')} and e.type <> 'leads.created'
    and exists (select 1 from ${leads} where ${leads.seq} = ${param('leadSeq')}
      and ${leads.createdAtMs} = ${param('leadCreatedAtMs')} and ${leads.token} = ${param('leadToken')})`
  // A key of a campaign reads its campaign only.
  const found = sql`select ${pageColumns}
    from ${bounds} as bounds
    cross join ${eventsTable} ${isOfLead ? byLead : sql``}
    on e.company_id = bounds.company_id and e.number > bounds.after_number and e.number <= bounds.scanned_until
    where bounds.is_place and ${isOfLead ? isOfThisLead : sql`true`}
      and (bounds.campaign_number is null or e.campaign_number = bounds.campaign_number)
      and e.type in (select wanted.value from json_each(${param('entryTypes')}) as wanted)
      and (${isWanted()} or (e.data ->> 'isEnd' and ${isWanted(endsIn)})
        or (e.data ->> 'doNotCall' and ${isWanted(sql`'suppression.added'`)}))
    order by e.number
    limit ${param('maxEntries')}`
  const { query, read } = logPage(upToLeads(found, leadsPerPage), nothingIncluded)
  const page = isOfLead
    ? statement<PageNames | 'leadSeq' | 'leadCreatedAtMs' | 'leadToken'>(query)
    : statement<PageNames>(query)
  const readBounds = statement<BoundsNames>(sql`select bounds.is_too_old as "isTooOld",
    bounds.is_place as "isPlace", bounds.scanned_until as "scannedUntil", ${companies.logEpochs} as epochs
    from ${bounds} as bounds
    cross join ${companies} on ${companies.id} = bounds.company_id`)
  // Leads and calls are logged from a company's first reading on.
  const listen = statement<BoundsNames>(
    startListening(sql`select bounds.company_id from ${bounds} as bounds where bounds.is_place`),
  )
  return { page, read, readBounds, listen }
}

type Bounds = { isTooOld: number; isPlace: number; scannedUntil: number; epochs: string }

const ofAll = statementsOf(false)
const ofLead = statementsOf(true)

/** Throws DatabaseUnavailable. */
export async function readLogOfKey(db: D1Database, access: KeyAccess, range: LogRange): Promise<LogResult> {
  const values = {
    ...access,
    placeNumber: range.after?.number ?? null,
    entriesAgain: range.after?.isEntryRead === false ? 1 : 0,
    maxEntries: range.maxEntries,
    leadSeq: range.lead?.seq ?? null,
    leadCreatedAtMs: range.lead?.createdAtMs ?? null,
    leadToken: range.lead?.token ?? null,
    types: JSON.stringify(range.types),
    entryTypes: JSON.stringify(entryTypesOf(range.types)),
  }
  const { page, read, readBounds, listen } = range.lead == null ? ofAll : ofLead
  const { rows } = await runSteps(db, [readBounds, page, listen], values)
  const bounds = rows[0]?.[0] as Bounds | undefined
  if (bounds === undefined) return { kind: 'key_refused' }
  const epochs = readEpochs(bounds.epochs)
  const { after } = range
  if (after !== null && epochAt(epochs, after.number) !== after.epoch) return { kind: 'place_restored' }
  if (bounds.isTooOld === 1) return { kind: 'place_too_old' }
  if (bounds.isPlace !== 1) return { kind: 'no_such_place' }
  return { kind: 'read', entries: read(rows[1] ?? []), epochs, scannedUntil: bounds.scannedUntil }
}
