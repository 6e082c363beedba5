// Reads sources: settings, what each has received, and the campaign's zone. set-source.ts writes them.
import { type SQL, sql } from 'drizzle-orm'
import { firstHourOfPosts } from '../../../base/access/store/key-hours.ts'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  isRefused,
  type Refusal,
  refusalOf,
  type Use,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { hasActiveKey } from '../../../base/access/store/source-key.ts'
import { apiKeys, keyHours } from '../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import type { PostProblem } from '../post-problem.ts'
import type { SourceSettings } from '../source-settings.ts'
import { settingsJson } from './open-source.ts'
import { sources } from './tables.ts'

/** Uses of its keys: a code, how often, and when last. */
type Received = readonly (readonly [code: string, posts: number, lastAtMs: number])[]

/** As it is stored. */
export type StoredSource = SourceSettings & {
  readonly sourceId: string
  readonly companyId: string
  readonly campaignNumber: number
  readonly hasTurnstile: boolean
  readonly version: number
  readonly createdAtMs: number
  /** In the last 30 days. */
  readonly received: Received
  readonly lastNames: readonly string[]
  readonly lastProblem: PostProblem | null
  readonly problemAtMs: number | null
  readonly campaignZone: string | null
}

/** JSON, in two parts: no function takes as many values as there are. */
const columns = sql`${settingsJson(sql`s.is_enabled and ${hasActiveKey(sql`s`)}`)} as settings,
  iif(s.id is null, null, json_object('sourceId', s.id, 'companyId', s.company_id, 'campaignNumber', s.campaign_number,
    'hasTurnstile', json(iif(s.sealed_secrets is null, 'false', 'true')), 'version', s.version,
    'createdAtMs', s.created_at_ms, 'campaignZone', t.time_zone, 'lastNames', json(coalesce(s.last_names, '[]')),
    'lastProblem', json(s.last_problem), 'problemAtMs', s.problem_at_ms,
    'received', json((select json_group_array(json_array(used.code, used.posts, used.last_at_ms)) from (
      select h.code, sum(h.requests) as posts, max(h.last_used_at_ms) as last_at_ms from ${apiKeys} as k
      cross join ${keyHours} as h on h.key_id = k.id and h.hour >= ${param('firstHour')}
      where k.source_id = s.id
      group by h.code) as used)))) as rest`

/** `rest` null: there is none. */
type Row = Verdict & { readonly settings: string; readonly rest: string | null }

const readRow = ({ settings, rest }: Row): StoredSource | null =>
  rest === null ? null : { ...JSON.parse(settings), ...JSON.parse(rest) }

/** The source of the request, or with `true` all of the campaign. */
const select = (use: Use, which: SQL) =>
  statement<AccessNames | 'firstHour' | 'sourceId'>(sql`select verdict.number, ${columns}
  from ${accessVerdict(use)} as verdict
  left join ${sources} as s on s.campaign_number = verdict.number and s.company_id = verdict.company_id
    and s.removed_at_ms is null and ${which}
  left join ${callingSettings} as t on t.campaign_number = verdict.number
  order by s.created_at_ms, s.id`)
export const isRequested = sql`s.id = ${param('sourceId')}`
const selectAll = select('manage to read', sql`true`)
const selectOne = select('manage to read', isRequested)
export const selectWritten = select('manage', isRequested)

export type Found = { readonly kind: 'found'; readonly source: StoredSource }
export type NotFound = { readonly kind: 'source_not_found' }

/** The last rows are those of a source. */
export function readFound(rows: readonly (readonly unknown[])[]): Refusal | Found | NotFound {
  const row = rows.at(-1)?.[0] as Row | undefined
  if (isRefused(row)) return refusalOf(row)
  const source = readRow(row)
  return source === null ? { kind: 'source_not_found' } : { kind: 'found', source }
}

export const valuesOf = (access: Access, sourceId: string) => ({
  ...access,
  sourceId,
  firstHour: firstHourOfPosts(access.nowMs),
})

/** Oldest first. Throws DatabaseUnavailable, as every function here. */
export async function listSources(
  db: D1Database,
  access: Access,
): Promise<Refusal | { readonly kind: 'listed'; readonly sources: readonly StoredSource[] }> {
  const { rows } = await runSteps(db, [selectAll], valuesOf(access, ''))
  const found = rows[0] as readonly Row[]
  if (isRefused(found[0])) return refusalOf(found[0])
  return { kind: 'listed', sources: found.map(readRow).filter((source) => source !== null) }
}

const selectZone = statement<AccessNames>(sql`select verdict.number, t.time_zone as zone
  from ${accessVerdict('manage to read')} as verdict
  left join ${callingSettings} as t on t.campaign_number = verdict.number`)

/** The campaign's zone; null: it has none. */
export async function findCampaignZone(
  db: D1Database,
  access: Access,
): Promise<Refusal | { readonly kind: 'found'; readonly campaignZone: string | null }> {
  const { rows } = await runSteps(db, [selectZone], { ...access })
  const row = rows[0]?.[0] as (Verdict & { readonly zone: string | null }) | undefined
  return isRefused(row) ? refusalOf(row) : { kind: 'found', campaignZone: row.zone }
}

export async function findSource(
  db: D1Database,
  access: Access,
  sourceId: string,
): Promise<Refusal | Found | NotFound> {
  const { rows } = await runSteps(db, [selectOne], valuesOf(access, sourceId))
  return readFound(rows)
}
