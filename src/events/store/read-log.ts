// A page of a company's log for whoever asks for it: a client with its key, or the operator. What an entry holds is in
// log-page.ts, what is told of it in src/events.
import { type SQL, sql } from 'drizzle-orm'
import { startListening } from '../../access/store/company-log.ts'
import { grantedKey, type KeyAccess } from '../../access/store/rights.ts'
import { companies } from '../../access/store/tables.ts'
import { type Bind, runBatch, statement } from '../../database/database.ts'
import type { LeadKey } from '../../leads/lead.ts'
import { leads } from '../../leads/store/tables.ts'
import { type Epochs, epochAt, readEpochs } from '../../ledger/log/epochs.ts'
import { type EventType, entryTypesOf } from '../../ledger/log/event-types.ts'
import { waits } from '../../limits.ts'
import { eventsTable, type LogEntry, logPage, pageColumns, upToLeads } from './log-page.ts'

const param = sql.placeholder

/** Which part of a log is read. */
export type LogRange = {
  readonly types: readonly EventType[]
  /** An entry, after which it begins, or with which, when not all that it tells was told; null: with the first there is. */
  readonly after: { readonly epoch: number; readonly number: number; readonly isToldWhole: boolean } | null
  readonly maxEntries: number
  /** Only what is about this lead, whichever entries lie between; its creation, which many leads share, is not. */
  readonly lead?: LeadKey | null
}

export type LogResult =
  | { readonly kind: 'key_refused' }
  /** There is no such place in the log. */
  | { readonly kind: 'no_such_place' }
  /** The place was removed by a restore of the database. */
  | { readonly kind: 'place_restored' }
  /** What followed the place was removed since. */
  | { readonly kind: 'place_too_old' }
  | {
      readonly kind: 'read'
      readonly entries: readonly LogEntry[]
      readonly epochs: Epochs
      /** The entries up to this one were looked at. */
      readonly scannedUntil: number
    }

/** Ids alone: whoever wants more reads the lead. */
const nothingElse = { phoneNumber: sql`0`, metadata: sql`0`, details: sql`0` }

/** How many entries one request looks at, whether they are of its types or not. */
const scannedPerPage = 10_000

/** A page that tells of more leads than this ends with the entry that does. */
const leadsPerPage = 10_000

/** `key` is a select of `company_id` and `campaign_number`, null for the whole company; no row: nothing is read. */
function statementsOf(key: SQL, isFromEnd: boolean, isOfLead: boolean) {
  const numberOf = (which: 'min' | 'max') => sql`(select ${sql.raw(which)}(e.number) from ${eventsTable}
    where e.company_id = key.company_id)`
  const before = sql`coalesce(${numberOf('min')} - 1, 0)`
  const place = sql`coalesce(${param('placeNumber')}, ${before})`
  const last = sql`coalesce(${numberOf('max')}, 0)`
  // Of a lead all entries are found at once, by an index.
  const scanned = isOfLead ? sql`${last}` : sql.raw(`${scannedPerPage}`)
  const begin = isFromEnd ? sql`${last} - ${scanned}` : sql`${place} - ${param('entriesAgain')}`
  const after = sql`max(${begin}, ${before})`
  const order = isFromEnd ? sql`e.number desc` : sql`e.number`
  // One row.
  const bounds = sql`(select key.company_id, key.campaign_number, ${after} as after_number,
    ${place} < ${before} as is_too_old,
    min(${last}, ${after} + ${scanned}) as scanned_until,
    ${place} between ${before} and ${last} as is_place from ${key} as key)`

  const endsIn = sql`iif(e.data ->> 'status' = 'concluded', 'lead.concluded', 'lead.exhausted')`
  const isWanted = (type: SQL) =>
    sql`${type} in (select wanted.value from json_each(${param('types')}) as wanted)`
  const byLead = sql`indexed by ${sql.identifier('events_lead')}`
  // Nothing for an id that the lead of this place has not.
  const isOfThisLead = sql`e.lead_seq = ${param('leadSeq')} and e.type <> 'leads.created'
    and exists (select 1 from ${leads} where ${leads.seq} = ${param('leadSeq')}
      and ${leads.createdAtMs} = ${param('leadCreatedAtMs')} and ${leads.token} = ${param('leadToken')})`
  // A campaign's key is told of its campaign alone.
  const found = sql`select ${pageColumns} from ${bounds} as bounds cross join ${eventsTable} ${isOfLead ? byLead : sql``}
    on e.company_id = bounds.company_id and e.number > bounds.after_number and e.number <= bounds.scanned_until
    where bounds.is_place and ${isOfLead ? isOfThisLead : sql`true`}
      and (bounds.campaign_number is null or e.campaign_number = bounds.campaign_number)
      and e.type in (select wanted.value from json_each(${param('entryTypes')}) as wanted)
      and (${isWanted(sql`e.type`)} or (e.data ->> 'isEnd' and ${isWanted(endsIn)})
        or (e.data ->> 'doNotCall' and ${isWanted(sql`'suppression.added'`)}))
    order by ${order} limit ${param('maxEntries')}`
  const page = logPage(upToLeads(found, leadsPerPage, order), nothingElse)
  const boundsOf = statement(sql`select bounds.is_too_old as "isTooOld",
    bounds.is_place as "isPlace", bounds.scanned_until as "scannedUntil", ${companies.logEpochs} as epochs
    from ${bounds} as bounds cross join ${companies} on ${companies.id} = bounds.company_id`)
  /** From its first reading on, a company's log tells of leads and calls too. */
  const listen = statement(
    startListening(sql`select bounds.company_id from ${bounds} as bounds where bounds.is_place`),
  )
  return { page, boundsOf, listen }
}

type Bounds = { isTooOld: number; isPlace: number; scannedUntil: number; epochs: string }

type Reading = {
  /** Whoever reads wants to be told of what will happen. */
  readonly isListener?: boolean
  /** The latest entries, in place of the first ones; a range's place is not looked at. */
  readonly isFromEnd?: boolean
}

/** Throws DatabaseUnavailable. */
export function logReader<Who extends object>(
  key: SQL,
  { isListener = false, isFromEnd = false }: Reading,
  timeoutMs: number = waits.storeMs,
) {
  const ofAll = statementsOf(key, isFromEnd, false)
  const ofLead = statementsOf(key, isFromEnd, true)
  return async (db: D1Database, who: Who, range: LogRange): Promise<LogResult> => {
    const values = {
      ...who,
      placeNumber: range.after?.number ?? null,
      entriesAgain: range.after?.isToldWhole === false ? 1 : 0,
      maxEntries: range.maxEntries,
      leadSeq: range.lead?.seq ?? null,
      leadCreatedAtMs: range.lead?.createdAtMs ?? null,
      leadToken: range.lead?.token ?? null,
      types: JSON.stringify(range.types),
      entryTypes: JSON.stringify(entryTypesOf(range.types)),
    }
    const { page, boundsOf, listen } = range.lead == null ? ofAll : ofLead
    const steps: readonly Bind[] = [boundsOf, page.step, ...(isListener ? [listen] : [])]
    const { rows } = await runBatch(
      db,
      steps.map((step) => step(db, values)),
      timeoutMs,
    )
    const bounds = rows[0]?.[0] as Bounds | undefined
    if (bounds === undefined) return { kind: 'key_refused' }
    const epochs = readEpochs(bounds.epochs)
    const { after } = range
    if (after !== null && epochAt(epochs, after.number) !== after.epoch) return { kind: 'place_restored' }
    if (bounds.isTooOld === 1) return { kind: 'place_too_old' }
    if (bounds.isPlace !== 1) return { kind: 'no_such_place' }
    return { kind: 'read', entries: page.read(rows[1] ?? []), epochs, scannedUntil: bounds.scannedUntil }
  }
}

export const readLogOfKey = logReader<KeyAccess>(grantedKey('read'), { isListener: true })
