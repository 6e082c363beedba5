// Erasing one lead, or a person in all campaigns of the company, with the details of their calls. The number is read
// first, because only JavaScript can hash it; the rest is one transaction (erase-steps.ts), which checks the right
// again.
import { type SQL, sql } from 'drizzle-orm'
import { isOfDialer } from '../../../base/access/store/dialer-key.ts'
import {
  type AccessNames,
  type KeyAccess,
  type KeyNames,
  type PepperLost,
  type ScopeRefusal,
  scopeRefusalOf,
  scopeVerdict,
} from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { randomBase62 } from '../../../base/base62.ts'
import {
  type BatchResult,
  type Bind,
  param,
  runBatch,
  runSteps,
  statement,
} from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { hasConsentRecords } from '../../../base/ledger/consent/kept-consents.ts'
import type { ActorNames } from '../../../base/ledger/log/append.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { isListed } from '../../../base/ledger/suppression/numbers.ts'
import { spellingsOf } from '../../../base/ledger/suppression/spellings.ts'
import { limits } from '../../../base/limits.ts'
import { type LeadKey, leadIdOf, leadTokenChars, parseLeadId } from '../../leads/lead.ts'
import { hasVersion } from '../../leads/store/change.ts'
import { unindexLeads, wasSuppressed } from '../../leads/store/emptied.ts'
import { eraseMentions, type Mentions, noMentions } from '../../leads/store/mentions/erase-mentions.ts'
import { leadVerdict } from '../../leads/store/read.ts'
import { campaignAt, isErased } from '../../leads/store/row.ts'
import { leadsPerSlice, pauseFor } from '../../leads/store/search-index.ts'
import { leads } from '../../leads/store/tables.ts'
import { leadsJoined, notedLeadsJoined } from '../../suppression/store/suppress.ts'
import { type ErasedRow, eraseSteps, leadsOfSpellings } from './erase-steps.ts'
import { isReportable } from './forget-leads.ts'
import { hashedSpellings } from './number-memory.ts'

/** `suppressed`: the number is not called again, even when it is imported again. */
type Erased = {
  readonly kind: 'erased'
  readonly leadsErased: number
  readonly suppressed: boolean
  /** Consents of the number that are kept, and until when the last one is; null: none. */
  readonly kept: { readonly consents: number; readonly untilMs: number | null }
  /** Leads of others from whose metadata the number was taken. */
  readonly mentions: Mentions
}

/** The lead was erased before: its number is gone. */
const nothingErased = {
  kind: 'erased',
  leadsErased: 0,
  kept: { consents: 0, untilMs: null },
  mentions: noMentions,
} as const

export type EraseResult = ScopeRefusal | PepperLost | { readonly kind: 'missing' } | Erased

const sliceSize = sql.raw(`${leadsPerSlice}`)

/** The dialer of a call `k` has reported it, and asks for so long whether it was a do-not-call after all. */
const isStillAsked = sql`(k.provider_call_id is not null and k.outcome <> 'released'
  and k.ended_at_ms > ${param('nowMs')} - ${sql.raw(`${limits.hourMs}`)} and ${isOfDialer})`

const erasureColumns = (lead: SQL, companyId: SQL) => sql`
  ${lead}.seq, ${lead}.campaign_number, ${companyId} as company_id, ${lead}.phone_number,
  (${lead}.lease_expires_at_ms is not null or exists (select 1 from ${calls} as k
    where k.company_id = ${companyId} and k.phone_number = ${lead}.phone_number and k.seq = ${lead}.seq
      and (${isReportable(sql`k.outcome`, sql`k.ended_at_ms`)} or ${isStillAsked}))) as is_open`

const ofKey = leadVerdict('manage')

/** The placeholders of numberValues. */
type NumberNames = 'phoneNumber' | 'numberHash' | 'spellings' | 'pepperCheck' | 'erasureToken'

/** Finds nothing when the number was erased since it was read. */
const eraseOne = eraseSteps({
  verdict: ofKey,
  leads: sql`select ${erasureColumns(sql`${leads}`, sql`verdict.company_id`)} from ${ofKey} as verdict
    cross join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = verdict.number
    and ${leads.phoneNumber} = ${param('phoneNumber')} and ${hasVersion}`,
  of: 'lead',
}).map(statement<KeyNames | ActorNames | NumberNames | 'seq' | 'versions'>)

/**
 * Erases one lead that has one of the versions, or any version when they are null. A lead that is erased already
 * counts as 0 leads. Throws DatabaseUnavailable, as every function here.
 */
export async function eraseLead(
  db: D1Database,
  access: KeyAccess,
  leadId: string,
  hashes: NumberHashes,
  versions: readonly number[] | null = null,
): Promise<EraseResult | { readonly kind: 'changed_since' }> {
  const named = await readNamed(db, leadOfKey, access, leadId)
  if (named.kind !== 'found') return named
  const values = {
    ...access,
    ...numberValues(named.phoneNumber, hashes),
    seq: named.seq,
    versions: versions && JSON.stringify(versions),
  }
  const result = readResult(await runSteps(db, eraseOne, values))
  if (result.kind !== 'missing') return result
  // Another request has erased or changed it meanwhile.
  const again = await readNamed(db, leadOfKey, access, leadId)
  if (again.kind !== 'found') return again
  return versions === null ? result : { kind: 'changed_since' }
}

const ofCompany = scopeVerdict('manage')

/** The number of a lead of the company. Denied to the key of a campaign. */
export function findNumber(
  db: D1Database,
  access: KeyAccess,
  leadId: string,
): Promise<EraseResult | { readonly kind: 'found'; readonly phoneNumber: string }> {
  return readNamed(db, leadOfCompany, access, leadId)
}

type Person = {
  readonly phoneNumber: string
  /** Suppress the number even when nothing else requires it. */
  readonly suppress: boolean
}

const ofPerson = sql`(select scope.company_id, ${param('phoneNumber')} as phone_number, 0 as campaign_number
    from ${ofCompany} as scope
    where scope.number = 0)`

/** Takes leads out of the search index until one slice is left, for the transaction that erases the person. */
const unindexSome = statement<AccessNames | 'phoneNumber'>(
  unindexLeads(sql`select l.seq from ${leadsJoined(ofPerson)}
    where l.number_word is not null
    limit ${sliceSize} offset ${sliceSize}`),
)

const stepsOf = (of: 'person' | 'spelling') =>
  eraseSteps({
    verdict: ofCompany,
    leads: sql`select ${erasureColumns(sql`l`, sql`wanted.company_id`)} from ${notedLeadsJoined(ofPerson)}`,
    of,
  }).map(statement<AccessNames | ActorNames | NumberNames | 'suppress'>)
const erasePersonSteps = stepsOf('person')
const eraseSpellingSteps = stepsOf('spelling')

const spelling = sql`(item.value ->> 0)`

/** Spellings of the number of which the company holds anything but leads, by their places. */
const spellingsHeld = statement<AccessNames | 'spellings'>(sql`select item.key as place
  from ${ofCompany} as scope
  cross join json_each(${param('spellings')}) as item
  where scope.number = 0
    and (${isListed(sql`scope.company_id`, spelling)} or ${hasConsentRecords(sql`scope.company_id`, spelling)})`)

/** JSON: how many leads each spelling has. */
const leadCounts = statement<AccessNames | 'spellings'>(sql`select json_array(${sql.join(
  leadsOfSpellings.map((seq) => sql`count(${seq})`),
  sql`, `,
)}) as counts
  from ${ofCompany} as scope
  cross join ${campaigns} as c on c.company_id = scope.company_id
  where scope.number = 0`)

/**
 * Erases all leads of a number in the company, if any, and replaces the number on the list by its hash; before, takes
 * it out of the metadata of others. So for each other spelling of it (D70), before the number itself: a request whose
 * answer was lost is repeated whole.
 */
export async function erasePerson(
  db: D1Database,
  access: KeyAccess,
  person: Person,
  hashes: NumberHashes,
): Promise<EraseResult> {
  const mentions = await eraseMentions(db, access, person.phoneNumber)
  const values = { ...access, campaignId: null, ...numberValues(person.phoneNumber, hashes) }
  const { rows } = await runSteps(db, [spellingsHeld, leadCounts], values)
  const held = (rows[0] as { place: number }[]).map(({ place }) => place)
  const [{ counts }] = rows[1] as [{ counts: string }]
  const leadsOf = JSON.parse(counts) as number[]
  const spellings = spellingsOf(person.phoneNumber)
  const leadsOfOwn = leadsOf[spellings.indexOf(person.phoneNumber)] ?? 0
  const others: Pick<Erased, 'leadsErased' | 'kept'>[] = []
  for (const [place, phoneNumber] of spellings.entries()) {
    const leadCount = leadsOf[place] ?? 0
    if (phoneNumber === person.phoneNumber || (leadCount === 0 && !held.includes(place))) continue
    const other = { ...person, phoneNumber, leadCount }
    const erased = await eraseNumber(db, access, other, hashes, eraseSpellingSteps)
    const result = readResult(erased)
    if (result.kind !== 'erased' && result.kind !== 'missing') return result
    const [{ kept }] = erased.rows.at(-1) as [ErasedRow]
    others.push({ leadsErased: result.kind === 'erased' ? result.leadsErased : 0, kept: JSON.parse(kept) })
  }
  const result = readResult(
    await eraseNumber(db, access, { ...person, leadCount: leadsOfOwn }, hashes, erasePersonSteps),
  )
  return result.kind === 'erased' ? { ...others.reduce(sumOf, result), mentions } : result
}

const sumOf = (one: Erased, { leadsErased, kept }: Pick<Erased, 'leadsErased' | 'kept'>): Erased => ({
  ...one,
  leadsErased: one.leadsErased + leadsErased,
  kept: {
    consents: one.kept.consents + kept.consents,
    untilMs: kept.untilMs === null ? one.kept.untilMs : Math.max(one.kept.untilMs ?? 0, kept.untilMs),
  },
})

async function eraseNumber(
  db: D1Database,
  access: KeyAccess,
  { phoneNumber, suppress, leadCount }: Person & { readonly leadCount: number },
  hashes: NumberHashes,
  steps: typeof erasePersonSteps,
): Promise<BatchResult> {
  const values = {
    ...access,
    ...numberValues(phoneNumber, hashes),
    campaignId: null,
    suppress: suppress ? 1 : 0,
  }
  for (let isOver = leadCount <= leadsPerSlice; !isOver; ) {
    const beganAtMs = Date.now()
    isOver = (await runSteps(db, [unindexSome], values)).rows[0]?.length === 0
    if (!isOver) await pauseFor(Date.now() - beganAtMs)
  }
  return runSteps(db, steps, values)
}

function numberValues(phoneNumber: string, hashes: NumberHashes) {
  return {
    phoneNumber,
    numberHash: hashes.of(phoneNumber),
    spellings: hashedSpellings(phoneNumber, hashes),
    pepperCheck: hashes.pepperCheck,
    erasureToken: randomBase62(leadTokenChars),
  }
}

function readResult({ rows }: BatchResult): EraseResult {
  const row = rows.at(-1)?.[0] as ErasedRow | undefined
  const refusal = scopeRefusalOf(row, null)
  if (refusal !== null || row === undefined) return refusal ?? { kind: 'key_refused' }
  if (row.done !== null)
    return {
      kind: 'erased',
      ...(JSON.parse(row.done) as Pick<Erased, 'leadsErased' | 'suppressed'>),
      kept: JSON.parse(row.kept),
      mentions: noMentions,
    }
  return row.isRefused === 1 ? { kind: 'pepper_lost' } : { kind: 'missing' }
}

const namedColumns = sql`verdict.number, ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
  ${leads.phoneNumber} as "phoneNumber", ${isErased} as "isErased", ${wasSuppressed} as "wasSuppressed"`

const leadOfKey = statement<KeyNames | 'seq'>(sql`select ${namedColumns} from ${ofKey} as verdict
  left join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = verdict.number`)

const leadOfCompany = statement<AccessNames | 'seq'>(sql`select ${namedColumns} from ${ofCompany} as verdict
  left join ${campaigns} on ${campaigns.companyId} = verdict.company_id and verdict.number = 0
    and ${campaigns.number} = ${campaignAt(sql`${param('seq')}`)}
  left join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = ${campaigns.number}`)

type NamedRow = LeadKey & {
  readonly number: number | null
  readonly phoneNumber: string
  readonly isErased: number
  readonly wasSuppressed: number
}

/** Finds the number of a lead by its id; for an erased lead, the result of its erasure. */
async function readNamed(
  db: D1Database,
  step: Bind<AccessNames | 'seq'>,
  access: KeyAccess,
  leadId: string,
): Promise<EraseResult | { readonly kind: 'found'; readonly seq: number; readonly phoneNumber: string }> {
  const { rows } = await runBatch(db, [
    step(db, { ...access, campaignId: null, seq: parseLeadId(leadId)?.seq ?? 0 }),
  ])
  const row = rows[0]?.[0] as NamedRow | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.number === null) return step === leadOfKey ? { kind: 'missing' } : { kind: 'company_denied' }
  if (row.seq === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  if (row.isErased === 1) return { ...nothingErased, suppressed: row.wasSuppressed === 1 }
  return { kind: 'found', seq: row.seq, phoneNumber: row.phoneNumber }
}
