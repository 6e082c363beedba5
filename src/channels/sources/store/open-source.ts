// What a post reads of its source, and notes in it. The guard is the first statement of each batch that stores what a
// post holds: the source may have been rotated or disabled since it was read.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCompany } from '../../../base/access/store/moving.ts'
import { hasActiveKey } from '../../../base/access/store/source-key.ts'
import { campaigns, companies, isHere, refuseAs } from '../../../base/access/store/tables.ts'
import { number, param, runSteps, sourceChanged, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendAlways, entryColumns } from '../../../base/ledger/log/append.ts'
import { limits, waits } from '../../../base/limits.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import type { PostProblem } from '../post-problem.ts'
import type { SourceSettings } from '../source-settings.ts'
import type { NamedSource } from '../source-token.ts'
import { sources } from './tables.ts'

/** Enabled: it takes posts, so its key was not revoked, and its campaign is not archived. */
export type OpenSource = SourceSettings & {
  readonly keyId: string
  readonly campaignId: string
  readonly sealedSecrets: string | null
  /** When names and a problem were last noted; 0: never. */
  readonly namesAtMs: number
  readonly problemAtMs: number
  /** 0: nothing was asked yet. */
  readonly clockAskedAtMs: number
  readonly campaignZone: string | null
  /** The same, if its post was refused. */
  readonly refusedAtMs: number
}

/** A country that is not called any more reads no number. */
const national = sql`iif(s.national_country = '', null,
    iif(instr(s.countries, '"' || s.national_country || '"'), s.national_country, s.countries ->> 0))`

/** A value: JSON of the settings of the source `s`. */
export const settingsJson = (
  isEnabled: SQL,
) => sql`json_object('name', s.name, 'countries', json(s.countries), 'nationalCountry', ${national},
    'timeZones', json(s.time_zones),
    'fields', json(s.fields), 'ignored', json(s.ignored), 'notDoNotCall', json(s.not_do_not_call),
    'permissions', s.permissions, 'consent', json(s.consent), 'onExisting', s.on_existing, 'redirectUrl',
    s.redirect_url, 'enabled', json(iif(${isEnabled}, 'true', 'false')))`

type OfSource = 'companyId' | 'number' | 'sourceId' | 'version'

const isCurrent = sql`s.id = ${param('sourceId')} and s.company_id = ${param('companyId')}
  and s.campaign_number = ${param('number')} and s.version = ${param('version')} and s.removed_at_ms is null`

const open = statement<
  OfSource | 'nowMs'
>(sql`select s.key_id as "keyId", c.id as "campaignId", s.sealed_secrets as "sealedSecrets",
    coalesce(s.names_at_ms, 0) as "namesAtMs", coalesce(s.problem_at_ms, 0) as "problemAtMs",
    coalesce(s.clock_asked_at_ms, 0) as "clockAskedAtMs", t.time_zone as "campaignZone",
    iif(s.last_problem ->> 'isNote', 0, coalesce(s.problem_at_ms, 0)) as "refusedAtMs",
    ${settingsJson(sql`s.is_enabled and c.archived_at_ms is null and ${hasActiveKey(sql`s`)}`)} as settings
  from ${companies}
  cross join ${sources} as s on ${isCurrent}
  cross join ${campaigns} as c on c.number = s.campaign_number
  left join ${callingSettings} as t on t.campaign_number = s.campaign_number
  where ${companies.id} = ${param('companyId')}`)

const isHereStep = statement<'companyId'>(sql`select 1 from ${companies}
  where ${companies.id} = ${param('companyId')} and ${isHere}`)

/** Null: there is none of this version. Throws DatabaseUnavailable, as every function here; see inCompany. */
export async function openSource(
  db: D1Database,
  named: NamedSource,
  nowMs: number,
): Promise<OpenSource | null> {
  const { rows } = await runSteps(db, [isHereStep, open], { ...named, nowMs }, waits.keyLookUpMs)
  type Row = Omit<OpenSource, keyof SourceSettings> & { readonly settings: string }
  const row = rows[1]?.[0] as Row | undefined
  if (row === undefined) return null
  const { settings, ...rest } = row
  return { ...rest, ...JSON.parse(settings) }
}

const guard = statement<OfSource>(sql`select iif(exists (select 1 from ${sources} as s
  where ${isCurrent} and s.is_enabled), 1, ${refuseAs(sql.raw(`'${sourceChanged}'`))})`)

/** Fails with `sourceChanged`, and its batch with it, unless the source is as it was read. */
export const guardSource = (db: D1Database, named: NamedSource): D1PreparedStatement => guard(db, named)

export const isDue = (notedAtMs: number, nowMs: number) => Math.abs(nowMs - notedAtMs) >= limits.minuteMs

const isOwn = sql`id = ${param('sourceId')} and company_id = ${param('companyId')} and removed_at_ms is null`
const noNewer = (column: string) =>
  sql`abs(${param('nowMs')} - coalesce(${sql.raw(column)}, 0)) >= ${number(limits.minuteMs)}`

const noteNames = statement<'sourceId' | 'companyId' | 'nowMs' | 'names'>(sql`update ${sources}
  set last_names = ${param('names')}, names_at_ms = ${param('nowMs')}
  where ${isOwn} and ${noNewer('names_at_ms')} and ${isWritableCompany(sources.companyId)}`)
const noRefused = (source: string) =>
  sql`(coalesce(${sql.raw(source)}last_problem ->> 'isNote', 0) or ${noNewer(`${source}problem_at_ms`)})`
const noteProblemIf = (isDue: SQL) =>
  statement<'sourceId' | 'companyId' | 'nowMs' | 'problem'>(sql`update ${sources}
  set last_problem = ${param('problem')}, problem_at_ms = ${param('nowMs')}
  where ${isOwn} and ${isDue} and ${isWritableCompany(sources.companyId)}`)
const noteProblem = noteProblemIf(noNewer('problem_at_ms'))

const noteClock = statement<'sourceId' | 'companyId' | 'nowMs'>(sql`update ${sources}
  set clock_asked_at_ms = ${param('nowMs')}
  where ${isOwn} and clock_asked_at_ms is null and ${isWritableCompany(sources.companyId)}`)

type Noted = {
  readonly names: readonly string[]
  readonly problem: PostProblem | null
  /** The lead is called by the campaign's clock because nobody has said whose counts. */
  readonly isClockUnanswered: boolean
}

/** What a post that is stored leaves in its source, where the last one is a minute ago. For the batch of its lead. */
export function notesOfPost(
  db: D1Database,
  named: NamedSource,
  { namesAtMs, problemAtMs, clockAskedAtMs }: OpenSource,
  { names, problem, isClockUnanswered }: Noted,
  nowMs: number,
): readonly D1PreparedStatement[] {
  const values = { sourceId: named.sourceId, companyId: named.companyId, nowMs }
  return [
    ...(isDue(namesAtMs, nowMs) ? [noteNames(db, { ...values, names: JSON.stringify(names) })] : []),
    ...(problem !== null && isDue(problemAtMs, nowMs)
      ? [noteProblem(db, { ...values, problem: JSON.stringify(problem) })]
      : []),
    ...(isClockUnanswered && clockAskedAtMs === 0 ? [noteClock(db, values)] : []),
  ]
}

const refused = sql`(select s.* from ${sources} as s
  where s.id = ${param('sourceId')} and s.company_id = ${param('companyId')} and s.removed_at_ms is null
    and ${noRefused('s.')} and ${isWritableCompany(sql`s.company_id`)})`

type RefusedNames = ActorNames | 'sourceId' | 'companyId' | 'names' | 'problem' | 'count'

const noteRefusedSteps = [
  statement<RefusedNames>(
    appendAlways(
      sql`select ${entryColumns({
        type: 'source.refused',
        companyId: sql`s.company_id`,
        campaignNumber: sql`s.campaign_number`,
        data: sql`json_object('sourceId', s.id, 'problem', json(${param('problem')}), 'names', json(${param('names')}),
          'count', ${param('count')})`,
      })} from ${refused} as s`,
    ),
  ),
  noteNames,
  noteProblemIf(noRefused('')),
]

type RefusedPosts = {
  readonly names: readonly string[]
  readonly problem: PostProblem
  /** With those before it that were not noted. */
  readonly count: number
  readonly actor: string
  readonly requestId: string
}

/** Logs that posts are refused, at most once a minute. */
export async function noteRefusedPosts(
  db: D1Database,
  { sourceId, companyId }: NamedSource,
  { names, problem, ...post }: RefusedPosts,
  nowMs: number,
): Promise<void> {
  const json = { names: JSON.stringify(names), problem: JSON.stringify(problem) }
  await runSteps(db, noteRefusedSteps, { ...post, ...json, sourceId, companyId, nowMs })
}
