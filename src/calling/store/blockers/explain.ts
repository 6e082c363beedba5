// Why a lead is not called (D58): each blocker at a moment, until when it lasts, and when the lead can be called
// next. Opening hours are computed from the settings, so that any moment can be explained, and not read from rows.
import { type SQL, sql } from 'drizzle-orm'
import type { KeyAccess, KeyNames, PepperLost } from '../../../access/store/rights.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { param, runBatch, statement } from '../../../database/database.ts'
import { type LeadKey, leadIdOf, parseLeadId } from '../../../leads/lead.ts'
import { leadVerdict } from '../../../leads/store/read.ts'
import { leads } from '../../../leads/store/tables.ts'
import { hasHashes, isHashed, isPepperLost } from '../../../ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../ledger/suppression/number-hash.ts'
import { capacityColumns } from '../sql/capacity.ts'
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

const asColumns = (columns: Readonly<Record<string, SQL>>) =>
  sql.join(
    Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
    sql`, `,
  )

const leadStep = statement<KeyNames | 'atMs' | 'seq'>(sql`with campaign(number, company_id, now_ms) as (
    select verdict.number, verdict.company_id, ${param('atMs')} from ${verdict} as verdict)
  select l.seq, l.created_at_ms as "createdAtMs", l.token, l.phone_number as "phoneNumber",
    ${hasHashes(sql`campaign.company_id`)} as "hasHashes", ${asColumns(leadFacts(usualNames))},
    ${asColumns(campaignFacts(sql`campaign.number`))}, ${capacityColumns(sql`(select campaign.number from campaign)`)}
  from campaign
  left join ${leads} as l on l.seq = ${param('seq')} and l.erased_at_ms is null
    and l.campaign_number = campaign.number
  left join ${callingSettings} as s on s.campaign_number = campaign.number`)

const hashStep = statement<KeyNames | 'pepperCheck' | 'numberHash' | 'seq'>(sql`
  select ${isPepperLost(sql`verdict.company_id`)} as "isPepperLost",
    ${isHashed(sql`verdict.company_id`, sql`${param('numberHash')}`, sql`verdict.number`)} as "isHashed"
  from ${verdict} as verdict
  where verdict.number is not null`)

type HashRow = { readonly isPepperLost: number; readonly isHashed: number }

type Row = LeadKey &
  Facts & { readonly seq: number | null; readonly phoneNumber: string; readonly hasHashes: number }

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
  const { rows } = await runBatch(db, [leadStep(db, values)])
  const row = rows[0]?.[0] as Row | undefined
  const explained = explainRow(row, leadId, atMs)
  if (explained.kind !== 'explained' || row?.hasHashes !== 1 || row.suppressed === endlessMs) return explained
  // The number may still be suppressed by its hash, which can be computed only after the number was read.
  const numberHash = hashes.of(row.phoneNumber)
  const hashed = { ...values, numberHash, pepperCheck: hashes.pepperCheck }
  const [found] = (await runBatch(db, [hashStep(db, hashed)])).rows[0] as HashRow[]
  if (found === undefined) return { kind: 'key_refused' }
  if (found.isPepperLost === 1) return { kind: 'pepper_lost' }
  return found.isHashed === 1 ? explainRow({ ...row, suppressed: endlessMs }, leadId, atMs) : explained
}

function explainRow(row: Row | undefined, leadId: string, atMs: number): ExplainResult {
  if (row === undefined) return { kind: 'key_refused' }
  if (row.seq === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  const blockers = findBlockers(row, atMs)
  return {
    kind: 'explained',
    isCallable: blockers.length === 0,
    blockers,
    nextCallAtMs: nextCallAtMs(row, blockers, atMs),
  }
}
