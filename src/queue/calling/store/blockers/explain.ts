// Why a lead is not called (D58): each blocker at a moment, until when it lasts, and when the lead can be called
// next. Opening hours are computed from the settings, so that any moment can be explained, and not read from rows.
import { sql } from 'drizzle-orm'
import type { KeyAccess, KeyNames, PepperLost } from '../../../../base/access/store/rights.ts'
import { number, param, readRows, statement } from '../../../../base/database/database.ts'
import { hasHashes, isHashed, isPepperLost } from '../../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../../../base/limits.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { type LeadKey, leadIdOf, parseLeadId } from '../../../leads/lead.ts'
import { leadVerdict } from '../../../leads/store/read.ts'
import { isErased } from '../../../leads/store/row.ts'
import { leads } from '../../../leads/store/tables.ts'
import { leadsAsSettled } from '../settling/settle.ts'
import { placeFreeAtMs } from '../sql/capacity.ts'
import {
  type Blocker,
  campaignFacts,
  type Facts,
  findBlockers,
  leadFacts,
  nextCallAtMs,
} from './lead-facts.ts'
import { endlessMs, usualNames } from './lead-rules.ts'

const verdict = leadVerdict('look')

/** A held lead that may be called again returns by the minute, a thousand of its campaign at once. */
const names = { ...usualNames, returnsAtMs: sql`${param('nowMs')} + ${number(limits.minuteMs)}` }

const leadStep = statement<KeyNames | 'atMs' | 'seq'>(sql`with campaign(number, company_id, now_ms) as (
    select verdict.number, verdict.company_id, ${param('atMs')} from ${verdict} as verdict)
  select l.seq, l.created_at_ms as "createdAtMs", l.token, l.phone_number as "phoneNumber",
    ${hasHashes(sql`campaign.company_id`)} as "hasHashes", ${leadFacts(names)} as "ofLead",
    ${campaignFacts(sql`campaign.number`, placeFreeAtMs(sql`(select campaign.number from campaign)`))} as "ofCampaign"
  from campaign
  left join ${leadsAsSettled(sql`cross join ${leads} on ${leads.seq} = ${param('seq')} and not ${isErased}
    and ${leads.campaignNumber} = campaign.number`)} as l
  left join ${callingSettings} as s on s.campaign_number = campaign.number`)

const hashStep = statement<KeyNames | 'pepperCheck' | 'numberHash' | 'seq'>(sql`
  select ${isPepperLost(sql`verdict.company_id`)} as "isPepperLost",
    ${isHashed(sql`verdict.company_id`, sql`${param('numberHash')}`, sql`verdict.number`)} as "isHashed"
  from ${verdict} as verdict
  where verdict.number is not null`)

type HashRow = { readonly isPepperLost: number; readonly isHashed: number }

type Row = LeadKey & {
  readonly seq: number | null
  readonly phoneNumber: string
  readonly hasHashes: number
  /** JSON, as is the next. */
  readonly ofLead: string
  readonly ofCampaign: string
}

type ExplainResult =
  | { readonly kind: 'key_refused' | 'missing' }
  | PepperLost
  | {
      readonly kind: 'explained'
      /** True: nothing blocks the lead, it only waits for its turn. */
      readonly isCallable: boolean
      readonly blockers: readonly Blocker[]
      /** At `atMs` or later; null: not before a blocker without an end, or an open call, is removed. */
      readonly nextCallAtMs: number | null
    }

/** What blocks the lead, as it is now, at `atMs`. Throws DatabaseUnavailable. */
export async function explainLead(
  db: D1Database,
  access: KeyAccess,
  leadId: string,
  atMs: number,
  hashes: NumberHashes,
): Promise<ExplainResult> {
  const values = { ...access, seq: parseLeadId(leadId)?.seq ?? 0, atMs }
  const [row] = await readRows<Row>(db, leadStep(db, values))
  if (row === undefined) return { kind: 'key_refused' }
  if (row.seq === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  let facts: Facts = { ...JSON.parse(row.ofLead), ...JSON.parse(row.ofCampaign) }
  if (row.hasHashes === 1 && facts.suppressed !== endlessMs) {
    // The number may still be suppressed by its hash, which can be computed only after the number was read.
    const numberHash = hashes.of(row.phoneNumber)
    const hashed = { ...values, numberHash, pepperCheck: hashes.pepperCheck }
    const [found] = await readRows<HashRow>(db, hashStep(db, hashed))
    if (found === undefined) return { kind: 'key_refused' }
    if (found.isPepperLost === 1) return { kind: 'pepper_lost' }
    if (found.isHashed === 1) facts = { ...facts, suppressed: endlessMs }
  }
  const blockers = findBlockers(facts, atMs)
  const isCallable = blockers.length === 0
  return { kind: 'explained', isCallable, blockers, nextCallAtMs: nextCallAtMs(facts, blockers, atMs) }
}
