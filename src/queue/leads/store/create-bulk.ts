// Stores many leads in one transaction: those whose phone numbers are not in the campaign yet.
import { sql } from 'drizzle-orm'
import { isRefused, type PepperLost, type Refusal, refusalOf } from '../../../base/access/store/rights.ts'
import { param, runBatch, statement } from '../../../base/database/database.ts'
import { inSlices } from '../../../base/database/json-slices.ts'
import { notify } from '../../../base/database/notices.ts'
import {
  type ConsentsToStore,
  consentsToStore,
  type NewConsent,
} from '../../../base/ledger/consent/consents.ts'
import type { ActorNames } from '../../../base/ledger/log/append.ts'
import { isHashed } from '../../../base/ledger/suppression/hashed-numbers.ts'
import { hashingWhenNeeded } from '../../../base/ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { waitingFor } from '../../campaigns/store/waiting.ts'
import type { NewLead } from '../fields.ts'
import { type LeadKey, leadIdOf } from '../lead.ts'
import { storedOrigin } from '../origin/origin.ts'
import { countLeads } from './count-intake.ts'
import {
  type InsertNames,
  type IntakeNames,
  type IntakeVerdict,
  insertFrom,
  intake,
  intakeAccess,
  intakeVerdict,
  isReplay,
  itemOf,
  logCreated,
  logImported,
  type Origin,
  type Reused,
  storeIntakeConsents,
  type VerdictNames,
  valuesOfLeads,
} from './intake.ts'
import { isOwn } from './row.ts'
import { leads } from './tables.ts'

const countMany = statement<IntakeNames | 'sent' | 'invalid' | 'phoneNumbers'>(countLeads(intake))

// `item` is one lead as an array: JSON without its keys is a third smaller.
const insertLeads = statement<InsertNames | 'items'>(
  insertFrom(
    sql`cross join json_each(${param('items')}) as item`,
    sql`item.key + 1`,
    (_, index) => sql`item.value ->> ${sql.raw(`${index}`)}`,
  ),
)

const logLeads = statement<IntakeNames | ActorNames | 'phoneNumbers'>(
  logCreated(
    sql`cross join json_each(${param('phoneNumbers')}) as item`,
    sql`item.value ->> 0`,
    sql`json_array_length(${param('phoneNumbers')})`,
  ),
)

const logImport = statement<IntakeNames | ActorNames | 'phoneNumbers' | 'importName'>(
  logImported(sql`cross join json_each(${param('phoneNumbers')}) as item`, sql`item.value ->> 0`),
)

// All results are one value: D1 takes longer to make a thousand objects of rows than SQLite to find them. Numbers
// without a lead are included: a dry run reports whether they are suppressed. An element of `phoneNumbers` is a number
// with its hash.
const phoneOfItem = sql`(item.value ->> 0)`
const isItemSuppressed = sql`(${isSuppressed(sql`verdict.company_id`, phoneOfItem, sql`verdict.number`)}
  or ${isHashed(sql`verdict.company_id`, sql`item.value ->> 1`, sql`verdict.number`)})`
const bulkResults = statement<
  VerdictNames | 'isDryRun' | 'withExisting' | 'phoneNumbers'
>(sql`select ${intakeVerdict},
    ${notify(
      'waiting',
      sql`iif(${param('isDryRun')}, null,
      ${waitingFor(sql`verdict.company_id`, sql`verdict.number`)})`,
    )},
    (select json_group_array(json_array(item.key, ${leads.seq}, ${leads.createdAtMs}, ${leads.token},
        iif(${param('withExisting')}, ${isItemSuppressed}, 0)))
      from json_each(${param('phoneNumbers')}) as item
      left join ${leads} on ${leads.campaignNumber} = verdict.number and ${leads.phoneNumber} = ${phoneOfItem}
      where ${param('withExisting')} or ${isOwn}) as found
  from ${intakeAccess} as verdict`)

type BulkOptions = {
  /** Those of the leads, stored whether or not their leads exist. */
  readonly consents?: readonly NewConsent[]
  /** Also return the ids of leads that existed before. */
  readonly withSkippedIds: boolean
  /** Report what would happen, and store nothing. */
  readonly isDryRun: boolean
  /** How many leads of the request were invalid, and left out. */
  readonly invalid: number
}

/** The id is null where nothing is stored, or it was not requested. */
export type LeadResult = {
  readonly status: 'created' | 'skipped'
  readonly leadId: string | null
  /** Present when the number is suppressed (D48). Only looked up with `withSkippedIds`, and in a dry run. */
  readonly suppressed?: true
}

type BulkResult =
  | Refusal
  | PepperLost
  | Reused
  | { readonly kind: 'imported'; readonly results: readonly LeadResult[]; readonly isReplay: boolean }

/**
 * Of leads with the same number, stores the first (D12). The results are in input order. Throws DatabaseUnavailable.
 */
export function createLeads(
  db: D1Database,
  origin: Origin,
  input: readonly NewLead[],
  options: BulkOptions,
): Promise<BulkResult> {
  // With the hashes of the origin: without them, nothing says what an erasure has withdrawn.
  const consents = consentsToStore(options.isDryRun ? [] : (options.consents ?? []), origin.hashes)
  return hashingWhenNeeded(origin.keyId, origin.hashes, (hashes) =>
    storeLeads(db, { ...origin, hashes }, input, options, consents),
  )
}

async function storeLeads(
  db: D1Database,
  origin: Origin,
  input: readonly NewLead[],
  options: BulkOptions,
  consents: ConsentsToStore,
): Promise<BulkResult> {
  const firstIndexes = new Map<string, number>()
  input.forEach((lead, index) => {
    if (!firstIndexes.has(lead.phoneNumber)) firstIndexes.set(lead.phoneNumber, index)
  })
  const phoneNumbers = [...firstIndexes.keys()]
  const { hashes, ...rest } = origin
  const hashOf = new Map(phoneNumbers.map((number) => [number, hashes.of(number)]))
  const valuesOf = valuesOfLeads(origin)
  const toStore = options.isDryRun
    ? []
    : [...firstIndexes].map(([phoneNumber, index]) =>
        itemOf(valuesOf(input[index] as NewLead, hashOf.get(phoneNumber) ?? '')),
      )
  const withExisting = options.withSkippedIds || options.isDryRun ? 1 : 0

  const values = {
    ...rest,
    ...storedOrigin(origin),
    pepperCheck: hashes.pepperCheck,
    isLogged: 1,
    phoneNumbers: JSON.stringify([...hashOf]),
    sent: input.length,
    invalid: options.invalid,
    withExisting,
    isDryRun: options.isDryRun ? 1 : 0,
  }
  const batch = await runBatch(db, [
    ...(options.isDryRun ? [] : [countMany(db, values), logLeads(db, values)]),
    ...(options.isDryRun || values.importName === null ? [] : [logImport(db, values)]),
    ...inSlices(toStore).map((slice) => insertLeads(db, { ...values, items: slice })),
    ...storeIntakeConsents(db, values, consents),
    bulkResults(db, values),
  ])
  const verdict = batch.rows.at(-1)?.[0] as (IntakeVerdict & { readonly found: string }) | undefined
  if (isRefused(verdict)) return refusalOf(verdict)
  if (verdict.isPepperLost) return { kind: 'pepper_lost' }
  if (verdict.isReused) return { kind: 'reused' }

  const found = readFound(verdict.found)
  const rows = new Map(found.map((row) => [phoneNumbers[row.index], row]))
  const results = input.map(({ phoneNumber }, index): LeadResult => {
    const row = rows.get(phoneNumber)
    const isNew = options.isDryRun ? !row?.lead : row?.lead?.token === origin.token
    const isFirst = firstIndexes.get(phoneNumber) === index
    const suppressed = row?.isSuppressed && { suppressed: true as const }
    return {
      status: isNew && isFirst ? 'created' : 'skipped',
      leadId: row?.lead ? leadIdOf(row.lead) : null,
      ...suppressed,
    }
  })
  const own = found.flatMap(({ lead }) => (lead?.token === origin.token ? [lead] : []))
  return { kind: 'imported', results, isReplay: !options.isDryRun && isReplay(batch, origin, own) }
}

/** What the database knows of the phone number with this index. */
type Found = { readonly index: number; readonly lead: LeadKey | null; readonly isSuppressed: boolean }

function readFound(json: string): Found[] {
  const found = JSON.parse(json) as [number, number | null, number, string, 0 | 1][]
  return found.map(([index, seq, createdAtMs, token, isSuppressed]) => ({
    index,
    lead: seq === null ? null : { seq, createdAtMs, token },
    isSuppressed: isSuppressed === 1,
  }))
}
