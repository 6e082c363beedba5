// Reads one lead, and checks the key's right in the same statement. pages.ts reads lists, row.ts has the JSON.
import { sql } from 'drizzle-orm'
import type { Right } from '../../../base/access/scope.ts'
import { accessVerdict, type KeyNames } from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param, runBatch, statement } from '../../../base/database/database.ts'
import { jsonWithOrigin, type LeadKey, leadIdOf, parseLeadId } from '../lead.ts'
import { originJson } from '../origin/store/origin-sql.ts'
import { campaignAt, isErased, leadJson } from './row.ts'
import { leads } from './tables.ts'

/** The campaign of the lead at placeholder `seq`, when the key has this right to it. */
export const leadVerdict = (right: Right) =>
  accessVerdict(right, sql`${campaigns.number} = ${campaignAt(sql`${param('seq')}`)}`)

const leadBySeq = statement<KeyNames | 'seq' | 'withOrigin'>(sql`
  select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${leads.version}, ${leadJson(sql`verdict.id`)},
    iif(${param('withOrigin')}, ${originJson(sql`${leads.origin}`, sql`${leads.importName}`)}, null) as origin
  from ${leadVerdict('look')} as verdict
  left join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = verdict.number
    and not ${isErased}`)

/** `json` is the lead as the API answers it. */
export type LeadFound = { readonly kind: 'found'; readonly json: string; readonly version: number }

type FoundRow = LeadKey & {
  readonly json: string | null
  readonly origin: string | null
  readonly version: number
}

type FindResult = { readonly kind: 'key_refused' | 'missing' } | LeadFound

/** `missing` also when the key has no access to the lead. Throws DatabaseUnavailable. */
export async function findLead(
  db: D1Database,
  keyId: string,
  leadId: string,
  nowMs: number,
  withOrigin = false,
): Promise<FindResult> {
  // A malformed id is looked up too: a wrong key is answered before a wrong id.
  const seq = parseLeadId(leadId)?.seq ?? 0
  const { rows } = await runBatch(db, [leadBySeq(db, { keyId, seq, nowMs, withOrigin: withOrigin ? 1 : 0 })])
  const row = rows[0]?.[0] as FoundRow | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.json === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  const { json, origin, version } = row
  return { kind: 'found', json: withOrigin ? jsonWithOrigin(json, origin) : json, version }
}
