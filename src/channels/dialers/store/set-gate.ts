// Setting, reading and removing the gate of a campaign. What its object reads and writes is in run-gate.ts.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  grantedKey,
  isRefused,
  type Refusal,
  refusalOf,
  type ScopeRefusal,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { param, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import type { ActorNames } from '../../../base/ledger/log/append.ts'
import { defaultSettings } from '../../../queue/campaigns/settings.ts'
import { type WriteNames, writeSettings } from '../../../queue/campaigns/store/configure.ts'
import { returnHeldOf } from '../../../queue/campaigns/store/minute-cursors.ts'
import { toRow } from '../../../queue/campaigns/store/settings-row.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import { setGateVersion } from '../../../queue/campaigns/store/waiting.ts'
import { askHeldAgain, gateCounts } from '../../../queue/leads/store/queue.ts'
import type { GateSettings, Questions } from '../gate/gate.ts'
import { logSet } from './set-dialer.ts'
import { gates } from './tables.ts'

/** As it is stored: its secrets are encrypted. */
export type StoredGate = GateSettings & {
  readonly sealedSecrets: string
  readonly version: number
  readonly revision: number
  readonly changedAtMs: number
  readonly silentSinceMs: number | null
  readonly refusingSinceMs: number | null
  readonly countsSinceMs: number
}

const otherMembers = {
  keepHours: 'keep_hours',
  laterMinutes: 'later_minutes',
  whenSilent: 'when_silent',
  suppress: 'suppress',
  sealedSecrets: 'sealed_secrets',
  version: 'version',
  revision: 'revision',
  changedAtMs: 'changed_at_ms',
  silentSinceMs: 'silent_since_ms',
  refusingSinceMs: 'refusing_since_ms',
  countsSinceMs: 'counts_since_ms',
} as const satisfies Readonly<Record<Exclude<keyof StoredGate, keyof Questions>, string>>

/** A value: JSON of the gate `g`, which readGate reads. */
export const gateAsJson = sql`json_object('questions', json(g.questions), ${sql.raw(
  Object.entries(otherMembers)
    .map(([name, column]) => `'${name}', g.${column}`)
    .join(', '),
)})`

export function readGateJson(json: string): StoredGate {
  const { questions, ...rest } = JSON.parse(json)
  return { ...questions, ...rest }
}

const selectGate = (verdict: SQL) =>
  statement<AccessNames>(sql`select verdict.number, verdict.company_id as "companyId",
      iif(g.campaign_number is null, null, ${gateAsJson}) as gate, s.gate_version as "lastVersion",
      ${gateCounts(sql`verdict.number`, sql`s`)} as counts
    from ${verdict} as verdict
    left join ${gates} as g on g.campaign_number = verdict.number
    left join ${callingSettings} as s on s.campaign_number = verdict.number`)
const selectToRead = selectGate(accessVerdict('manage to read'))
const selectToWrite = selectGate(accessVerdict('manage'))

type FoundRow = Verdict & {
  readonly gate: string | null
  readonly lastVersion: number | null
  readonly counts: string | null
}

/** Answers, those that were a no, and leads without a fresh yes. */
type GateCounts = Readonly<Record<'checked' | 'refused' | 'waiting', number>>

export type FoundGate = {
  readonly kind: 'found'
  /** The campaign's number. */
  readonly number: number
  /** Null: the campaign has none. */
  readonly gate: StoredGate | null
  /** Of this gate, or of those before it; 0: it never had one. */
  readonly lastVersion: number
  /** Null with it. */
  readonly counts: GateCounts | null
}

function readFound(row: FoundRow | undefined): Refusal | FoundGate {
  if (isRefused(row)) return refusalOf(row)
  const gate = row.gate === null ? null : readGateJson(row.gate)
  return {
    ...{ kind: 'found', gate, number: row.number as number },
    counts: JSON.parse(row.counts ?? 'null'),
    lastVersion: Math.abs(row.lastVersion ?? 0),
  }
}

/** Throws DatabaseUnavailable, as every function here. */
export async function findGate(db: D1Database, access: Access): Promise<Refusal | FoundGate> {
  const { rows } = await runBatch(db, [selectToRead(db, access)])
  return readFound(rows[0]?.[0] as FoundRow | undefined)
}

const granted = grantedCampaign('manage')

/** To suppress in the whole company needs a key of it, as in any other way. */
const maySuppress = sql`(${param('suppress')} <> 'company' or exists (select 1 from ${grantedKey('manage')} as key
  where key.campaign_number is null))`

/** The campaign, unless a concurrent request has changed its gate. */
const unchanged = sql`(select own.number, own.company_id from ${granted} as own
  left join ${gates} as g on g.campaign_number = own.number
  where coalesce(g.revision, 0) = ${param('revision')} - 1 and ${maySuppress})`

const isNewVersion = sql.raw('gates.version <> excluded.version')
const keptIfSame = (column: string) =>
  sql`${sql.raw(column)} = iif(${isNewVersion}, null, ${sql.raw(`gates.${column}`)})`

type WrittenNames =
  | 'questions'
  | 'keepHours'
  | 'laterMinutes'
  | 'whenSilent'
  | 'suppress'
  | 'sealedSecrets'
  | 'newVersion'
  | 'revision'

const writeSteps = [
  logSet('gate', unchanged),
  // A campaign whose hours are set later must not be called without the gate.
  writeSettings(unchanged),
  setGateVersion(unchanged, sql`${param('newVersion')}`),
  askHeldAgain(unchanged),
  sql`insert into ${gates} (campaign_number, company_id, questions, keep_hours, later_minutes, when_silent, suppress,
      sealed_secrets, version, revision, changed_at_ms, counts_since_ms)
    select own.number, own.company_id, ${param('questions')}, ${param('keepHours')}, ${param('laterMinutes')},
      ${param('whenSilent')}, ${param('suppress')}, ${param('sealedSecrets')}, ${param('newVersion')},
      ${param('revision')}, ${param('nowMs')}, ${param('nowMs')}
    from ${unchanged} as own
    where true
    on conflict do update set questions = excluded.questions, keep_hours = excluded.keep_hours,
      later_minutes = excluded.later_minutes, when_silent = excluded.when_silent, suppress = excluded.suppress,
      sealed_secrets = excluded.sealed_secrets, version = excluded.version, revision = excluded.revision,
      changed_at_ms = excluded.changed_at_ms, ${keptIfSame('silent_since_ms')}, ${keptIfSame('refusing_since_ms')},
      counts_since_ms = iif(${isNewVersion}, excluded.counts_since_ms, gates.counts_since_ms)`,
  sql`select ${maySuppress} as "maySuppress"`,
].map(statement<AccessNames | ActorNames | WriteNames | WrittenNames>)

/** `newVersion` is the one before, or one above. `revision` is one above that of the row before. */
type WrittenGate = GateSettings &
  Pick<StoredGate, 'sealedSecrets' | 'revision'> & { readonly newVersion: number }

/** `changed`: a concurrent request came first. */
export async function writeGate(
  db: D1Database,
  access: Access,
  { ask, no, later, yes, ...gate }: WrittenGate,
): Promise<ScopeRefusal | FoundGate | { readonly kind: 'changed' }> {
  const values = {
    ...toRow(defaultSettings),
    ...{ version: 1, callableSinceMs: 0 },
    ...access,
    ...gate,
    questions: JSON.stringify({ ask, no, later, yes } satisfies Questions),
  }
  const { rows } = await runSteps(db, [...writeSteps, selectToWrite], values)
  const found = readFound(rows.at(-1)?.[0] as FoundRow | undefined)
  if (found.kind !== 'found') return found
  const [may] = rows.at(-2) as readonly { readonly maySuppress: number }[]
  if (may?.maySuppress !== 1) return { kind: 'company_denied' }
  // Sealed anew in each try: no other request has written the same.
  const isOwn = found.gate?.revision === gate.revision && found.gate.sealedSecrets === gate.sealedSecrets
  return isOwn ? found : { kind: 'changed' }
}

const present = sql`(select own.number, own.company_id from ${granted} as own
  cross join ${gates} as g on g.campaign_number = own.number)`

const removeSteps = [
  logSet('gate', present),
  setGateVersion(present, sql`-abs(gate_version)`),
  returnHeldOf(sql`select own.number from ${present} as own`),
  sql`delete from ${gates}
    where (campaign_number, company_id) in (select own.number, own.company_id from ${granted} as own)
    returning campaign_number as number`,
  sql`select verdict.number from ${accessVerdict('manage')} as verdict`,
].map(statement<AccessNames | ActorNames>)

type Changed = { readonly kind: 'done'; readonly number: number } | { readonly kind: 'gate_not_found' }

/** Its held leads return by the minute. */
export async function removeGate(db: D1Database, access: Access): Promise<Refusal | Changed> {
  const { rows, tries } = await runSteps(db, removeSteps, access)
  const row = rows.at(-1)?.[0] as Verdict | undefined
  if (isRefused(row)) return refusalOf(row)
  const isDone = rows.at(-2)?.length === 1 || tries > 1
  return isDone ? { kind: 'done', number: row.number as number } : { kind: 'gate_not_found' }
}

const goOnSteps = [
  logSet('gate', present),
  sql`update ${gates} set refusing_since_ms = null, counts_since_ms = ${param('nowMs')}, revision = revision + 1
    where (campaign_number, company_id) in (select own.number, own.company_id from ${granted} as own)`,
].map(statement<AccessNames | ActorNames>)

/** It asks again, and the answers until now do not count. */
export async function letGateGoOn(db: D1Database, access: Access): Promise<Refusal | FoundGate> {
  const { rows } = await runSteps(db, [...goOnSteps, selectToWrite], access)
  return readFound(rows.at(-1)?.[0] as FoundRow | undefined)
}
