// Retention: erases leads that have been final for the campaign's number of days, with their calls. By the number's
// hash two things stay: that its lead ended refused or dead (retention_suppresses), and its calls of a week. A cursor
// walks the campaign's final leads through the index of statuses, a chunk at a time, and starts again at the end.
//
// Only JavaScript can hash: the numbers of a chunk are read first, and the transaction erases the leads that are
// unchanged. A lead whose number must be remembered is kept while the pepper is missing or differs from that of the
// company's hashes.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCompany } from '../../../base/access/store/moving.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param, runBatch, runSteps, statement, unionAll } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { hasConsentRecords, hashConsentRecords } from '../../../base/ledger/consent/kept-consents.ts'
import { hasConsentsOf, logOfNumbers, noPurpose } from '../../../base/ledger/consent/number-log.ts'
import { addCounts } from '../../../base/ledger/hours/counts.ts'
import { appendIfListening, theSystem } from '../../../base/ledger/log/append.ts'
import { insertCheck, insertRetained, isPepperLost } from '../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { deleteListed, erasureMark } from '../../../base/ledger/suppression/numbers.ts'
import { suppressions } from '../../../base/ledger/suppression/tables.ts'
import { outcomeClass } from '../../calling/store/sql/lead-after-call.ts'
import { moveRetentionCursor } from '../../campaigns/store/minute-cursors.ts'
import { callingSettings } from '../../campaigns/store/tables.ts'
import { finalStatuses } from '../../leads/lead.ts'
import { isFinalStatus } from '../../leads/store/lead-status.ts'
import { leadsPerSlice } from '../../leads/store/search-index.ts'
import { leads } from '../../leads/store/tables.ts'
import { leadsOfNumbers } from '../../suppression/store/suppress.ts'
import { erasedEntries, forgetLeads, forgottenCounts } from './forget-leads.ts'
import { hashedSpellings, hasRecentCalls, rememberCalls } from './number-memory.ts'

/** Final leads that are looked through at once. */
const leadsPerChunk = 1_000

const dayMs = sql.raw(`${24 * 3_600_000}`)

/** The `seq` of final leads in a range, in order; each status is a range of the index. */
const finalSeqs = (from: SQL, until: SQL, limit: SQL) =>
  sql`select final.seq from (${unionAll(
    finalStatuses.map(
      (status) => sql`select * from (select l.seq
      from ${leads} as l
      where l.campaign_number = ${param('campaignNumber')}
      and l.status = ${sql.raw(`'${status}'`)} and l.status <> 'raw' and l.seq > ${from} and l.seq <= ${until}
      order by l.seq
      limit ${limit})`,
    ),
  )}) as final order by final.seq
  limit ${limit}`

const endOfChunk = statement<'campaignNumber'>(sql`
  select s.retention_seq as "afterSeq", max(chunk.seq) as "untilSeq",
    iif(count(chunk.seq) < ${sql.raw(`${leadsPerChunk}`)}, 0, max(chunk.seq)) as "nextSeq",
    (select c.company_id from ${campaigns} as c where c.number = s.campaign_number) as "companyId"
  from ${callingSettings} as s
  left join (${finalSeqs(
    sql`(select own.retention_seq from ${callingSettings} as own
      where own.campaign_number = ${param('campaignNumber')})`,
    sql.raw('9e15'),
    sql.raw(`${leadsPerChunk}`),
  )}) as chunk
  where s.campaign_number = ${param('campaignNumber')} and s.retention_days is not null
  group by s.campaign_number`)

type EndOfChunk = {
  readonly companyId: string
  readonly afterSeq: number
  readonly untilSeq: number | null
  readonly nextSeq: number
}

const chunk = finalSeqs(sql`${param('afterSeq')}`, sql`${param('untilSeq')}`, sql.raw('-1'))

/** `due` has been final for long enough. `c` is its campaign, `s` the settings. */
const isOld = sql`due.erased_at_ms is null and ${isFinalStatus(sql`due.status`)}
  and due.finished_at_ms <= ${param('nowMs')} - s.retention_days * ${dayMs}`
const ofCampaign = sql`${callingSettings} as s cross join ${campaigns} as c on c.number = s.campaign_number`
const hasRetention = sql`s.campaign_number = ${param('campaignNumber')} and s.retention_days is not null
  and ${isWritableCompany(sql`c.company_id`)}`

/**
 * How the lead ended: the last call since its requeue that reached the person, else the last one of those that were
 * reported late and dead, or of all.
 */
const lastOutcome = sql`(select k.outcome
  from ${calls} as k
  where k.company_id = c.company_id and k.phone_number = due.phone_number and k.seq = due.seq
    and k.attempt + (k.inbound is not null) > due.attempts_forgiven and k.outcome <> 'released'
  order by k.is_done desc, k.is_late and ${outcomeClass(sql`k.outcome`)} = 'dead' desc, k.claimed_at_ms desc
  limit 1)`

/**
 * Why the number must not be called when it is imported again; null: it may be. After do-not-call it stays listed
 * anyway.
 */
const reason = sql`(select ended.outcome from (select ${lastOutcome} as outcome) as ended
  where s.retention_suppresses and ended.outcome <> 'do_not_call'
    and (ended.outcome = 'not_interested' or ${outcomeClass(sql`ended.outcome`)} = 'dead'))`

/** With this lead, the last one of the number goes: its consents are hashed. */
const hasConsentsLeft = sql`(${hasConsentRecords(sql`c.company_id`, sql`due.phone_number`)}
  and not exists (${leadsOfNumbers(sql`(select c.company_id, due.phone_number, 0 as campaign_number)`)}
    where l.seq <> due.seq))`

/** Something about the number must be remembered, which needs its hash. */
const mustKeep = sql`(${reason} is not null or ${hasConsentsLeft}
  or ${hasRecentCalls(sql`c.company_id`, sql`due.phone_number`, sql`due.seq`)})`

const oldLeads = statement<'nowMs' | 'pepperCheck' | 'campaignNumber' | 'afterSeq' | 'untilSeq'>(sql`
  select due.seq, due.phone_number as "phoneNumber",
    ${mustKeep} as "mustKeep", ${reason} is not null as "isRefused",
    ${isPepperLost(sql`c.company_id`)} as "isPepperLost"
  from ${ofCampaign}
  cross join (${chunk}) as chunk
  cross join ${leads} as due on due.seq = chunk.seq and ${isOld}
  where ${hasRetention}
  order by due.seq
  limit ${sql.raw(`${leadsPerSlice}`)}`)

type OldLead = {
  readonly seq: number
  readonly phoneNumber: string
  readonly mustKeep: number
  readonly isRefused: number
  readonly isPepperLost: number
}

/** Leads that were read and are unchanged. An element of placeholder `items` is seq, number, and
 * hash or null with all spellings (D70), each with its hash. */
const foundWith = (columns: SQL) => sql`select due.seq, c.company_id, due.phone_number, due.campaign_number,
    item.value ->> 2 as number_hash, item.value ->> 3 as spellings, ${param('pepperCheck')} as pepper_check ${columns}
  from ${ofCampaign}
  cross join json_each(${param('items')}) as item
  cross join ${leads} as due on due.seq = item.value ->> 0 and due.phone_number = item.value ->> 1
    and due.campaign_number = s.campaign_number and ${isOld}
  where ${hasRetention} and (item.value ->> 2 is not null or not ${mustKeep})`
const found = foundWith(sql``)

const refused = sql`select * from (${foundWith(sql`, ${reason} as reason`)}) as refused
  where refused.reason is not null and refused.number_hash is not null`
const suppressRefused = [
  ...insertRetained(sql`select refused.company_id, refused.campaign_number, spelling.value ->> 1 as number_hash,
    refused.reason
    from (${refused}) as refused
    cross join json_each(refused.spellings) as spelling`),
  logOfNumbers({
    kind: 'suppression',
    entries: sql`select refused.company_id, refused.number_hash as phone_number, ${noPurpose} as withdraws,
        ${param('nowMs')} as at_ms, refused.campaign_number, refused.reason
      from (${refused}) as refused`,
    actor: sql`'system'`,
  }),
].map(statement<'nowMs' | 'items' | 'campaignNumber' | 'pepperCheck'>)

/** When the last lead of a number is erased, the list no longer has to hold back the number: its hash stays. */
const unlist = deleteListed(
  sql`select found.company_id, found.phone_number from (${found}) as found
    cross join ${suppressions} as own on own.company_id = found.company_id and own.phone_number = found.phone_number
      and own.campaign_number = 0 and own.token = ${erasureMark}
  where not exists (${leadsOfNumbers(sql`(select found.company_id, found.phone_number, 0 as campaign_number)`)}
    where l.seq not in (select other.seq from (${found}) as other))`,
  erasureMark,
)

/** With their other spellings, of which nothing is there but what was said of them, too. */
const withConsents = sql`select kept.company_id, spelling.value ->> 0 as phone_number, spelling.value ->> 1 as
  number_hash
  from (${foundWith(sql`, ${hasConsentsLeft} as has_consents`)}) as kept
  cross join json_each(kept.spellings) as spelling
  where kept.has_consents and kept.number_hash is not null and (spelling.value ->> 0 = kept.phone_number
    or not (${hasConsentsOf(sql`kept.company_id`, sql`spelling.value ->> 0`)}
      or exists (${leadsOfNumbers(sql`(select kept.company_id, spelling.value ->> 0 as phone_number, 0 as
        campaign_number)`)})))`
const hashConsents = [insertCheck(withConsents), ...hashConsentRecords(withConsents)].map(
  statement<'nowMs' | 'items' | 'campaignNumber' | 'pepperCheck'>,
)

const restart = statement<'nextSeq' | 'campaignNumber' | 'afterSeq'>(moveRetentionCursor)

const erase = [
  appendIfListening(erasedEntries(found), theSystem),
  unlist,
  addCounts(forgottenCounts(found)),
  ...rememberCalls(found),
  ...forgetLeads(found, sql`0`),
  moveRetentionCursor,
].map(statement<'nowMs' | 'items' | 'campaignNumber' | 'nextSeq' | 'afterSeq' | 'pepperCheck'>)

type Retained = {
  /** There may be more leads to erase. */
  readonly hasErased: boolean
  /** The cursor has not reached the campaign's last final lead. */
  readonly isMidway: boolean
  /** How many leads were kept because their numbers cannot be hashed. */
  readonly held: number
}

const nothing: Retained = { hasErased: false, isMidway: false, held: 0 }

/** Erases the leads of the campaign's next chunk whose retention has ended. */
export async function retainChunk(
  db: D1Database,
  campaignNumber: number,
  nowMs: number,
  hashesOf: (companyId: string) => NumberHashes,
): Promise<Retained> {
  const { rows } = await runBatch(db, [endOfChunk(db, { campaignNumber })])
  const [end] = rows[0] as readonly EndOfChunk[]
  if (end === undefined) return nothing
  const values = { campaignNumber, nowMs, ...end }
  if (end.untilSeq === null) {
    if (end.afterSeq > 0) await runBatch(db, [restart(db, values)])
    return nothing
  }
  const hashes = hashesOf(end.companyId)
  const { pepperCheck } = hashes
  const read = await runBatch(db, [oldLeads(db, { ...values, pepperCheck })])
  const old = read.rows[0] as readonly OldLead[]
  // The rest of the chunk follows with the next one.
  const nextSeq = old.length < leadsPerSlice ? end.nextSeq : (old.at(-1) as OldLead).seq
  const toErase = old.filter((lead) => lead.mustKeep === 0 || (pepperCheck !== '' && lead.isPepperLost === 0))
  const items = toErase.map(({ seq, phoneNumber, mustKeep: isKept }) => [
    seq,
    phoneNumber,
    isKept === 1 ? hashes.of(phoneNumber) : null,
    isKept === 1 ? hashedSpellings(phoneNumber, hashes) : '[]',
  ])
  const hasRefused = toErase.some((lead) => lead.isRefused === 1)
  // A consent may have come since they were read: the statements look again.
  const withHash = items.some(([, , hash]) => hash !== null) ? hashConsents : []
  const done = await runSteps(db, [...(hasRefused ? suppressRefused : []), ...withHash, ...erase], {
    ...values,
    nextSeq,
    pepperCheck,
    items: JSON.stringify(items),
  })
  return {
    hasErased: (done.rows.at(-2)?.length ?? 0) > 0,
    isMidway: nextSeq > 0,
    held: old.length - toErase.length,
  }
}
