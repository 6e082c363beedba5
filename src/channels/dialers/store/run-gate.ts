// What the object of a gate reads and writes. Nothing here checks a right: it acts for its campaign. What it writes
// counts only for the version of the gate that was asked, and for leads that still wait.
import { type SQL, sql } from 'drizzle-orm'
import { isInThisStore, type OfCompany, ofCompany } from '../../../base/access/store/directory.ts'
import { isWritableCompany } from '../../../base/access/store/moving.ts'
import { isArchived } from '../../../base/access/store/rights.ts'
import { campaigns, companies } from '../../../base/access/store/tables.ts'
import { param, readRows, runSteps, statement, unionAll } from '../../../base/database/database.ts'
import { logOfNumbers, noPurpose } from '../../../base/ledger/consent/number-log.ts'
import { allowedFromMs } from '../../../base/ledger/consent/valid-consent.ts'
import { addCounts, countColumns, thisHour } from '../../../base/ledger/hours/counts.ts'
import { campaignHours } from '../../../base/ledger/hours/tables.ts'
import { appendIfListening, entryColumns, theSystem } from '../../../base/ledger/log/append.ts'
import { gateMark } from '../../../base/ledger/suppression/gate-mark.ts'
import { insertGateNumbers, isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { eachSpelling, spellings, withSpellings } from '../../../base/ledger/suppression/spellings-sql.ts'
import { suppressions } from '../../../base/ledger/suppression/tables.ts'
import { laneNamesBy, placesBy, type QueueTime } from '../../../queue/calling/store/sql/queue-order.ts'
import type { CampaignHours } from '../../../queue/campaigns/calling-hours.ts'
import { hoursJson } from '../../../queue/campaigns/store/settings-row.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import { countGateAnswers, notifyWaiting } from '../../../queue/campaigns/store/waiting.ts'
import type { WaitedCampaign } from '../../../queue/campaigns/waited-campaign.ts'
import { askedAnew, endYes, isQueuedOrHeld, lacksYes, moveLeads } from '../../../queue/leads/store/queue.ts'
import { leadJson } from '../../../queue/leads/store/row.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { logNumbers } from '../../../queue/suppression/store/suppress.ts'
import { gateAsJson, readGateJson, type StoredGate } from './set-gate.ts'
import { gates } from './tables.ts'

const [companyId, number, nowMs] = [
  sql`${param('companyId')}`,
  sql`cast(${param('number')} as integer)`,
  sql`${param('nowMs')}`,
]

/** What a round begins with. */
export type GateToRun = StoredGate & {
  readonly campaignId: string
  /** By hand, as archived, or while its company moves: no answer would be kept. */
  readonly isPaused: boolean
  readonly callsPerMinute: number | null
  readonly hours: CampaignHours
  /** In which leads are queued, or held for the gate. */
  readonly lanes: readonly string[]
  /** How many calls were claimed, in this hour and the one before. */
  readonly claimed: readonly (readonly [hour: number, calls: number])[]
}

const toRun = statement<'companyId' | 'number' | 'nowMs'>(sql`with recursive
  campaign(number) as materialized (select ${number}),
  ${laneNamesBy('queued_in', 'due_at_ms')},
  ${laneNamesBy('held_in', 'gate_asks_at_ms')}
  select ${gateAsJson} as gate, c.id as "campaignId", s.calls_per_minute as "callsPerMinute",
    (s.paused or ${isArchived(sql`c.number`)} or not ${isWritableCompany(sql`g.company_id`)}) as "isPaused",
    ${hoursJson} as hours,
    (select json_group_array(found.lane)
      from (select queued_in.lane from queued_in union select held_in.lane from held_in)
      as found where found.lane is not null) as lanes,
    (select json_group_array(json_array(h.hour, h.claimed)) from ${campaignHours} as h
      where h.campaign_number = c.number and h.hour >= ${thisHour} - 1) as claimed,
    ${ofCompany(sql`co`)}
  from ${gates} as g
  cross join ${campaigns} as c on c.number = g.campaign_number
  cross join ${companies} as co on co.id = g.company_id
  cross join ${callingSettings} as s on s.campaign_number = g.campaign_number and s.gate_version = g.version
  where g.campaign_number = ${number} and g.company_id = ${companyId}`)

type RunRow = OfCompany &
  Pick<GateToRun, 'campaignId' | 'callsPerMinute'> & {
    readonly isPaused: number
  } & Readonly<Record<'gate' | 'hours' | 'lanes' | 'claimed', string>>

/** Null: there is none. Throws DatabaseUnavailable, as every function here. */
export async function readGateToRun(
  db: D1Database,
  campaign: WaitedCampaign,
  atMs: number,
): Promise<(GateToRun & OfCompany) | null> {
  const [row] = await readRows<RunRow>(db, toRun(db, { ...campaign, nowMs: atMs }))
  if (row === undefined) return null
  const { gate, hours, lanes, claimed, isPaused, ...rest } = row
  return {
    ...rest,
    ...readGateJson(gate),
    ...{ isPaused: isPaused === 1, hours: JSON.parse(hours) },
    ...{ lanes: JSON.parse(lanes), claimed: JSON.parse(claimed) },
  }
}

const places = (time: QueueTime, untilMs: SQL) => sql`with recursive
  campaign(number, company_id, now_ms) as materialized (select ${number}, ${companyId}, ${untilMs}),
  open_lanes(lane, is_for_appointments, opens_at_ms) as materialized (
    select item.value ->> 0, item.value ->> 1, 0 from json_each(${param('openLanes')}) as item),
  ${placesBy(time)}
  select place.seq, place.rank, place.due_at_ms as "atMs", not ${lacksYes(sql`l`, sql`s`, nowMs)} as "isFresh"
  from (select place.seq, place.rank, place.due_at_ms
    from place
    cross join campaign
    where place.seq is not null and place.due_at_ms <= campaign.now_ms
    limit ${param('maxPlaces')}) as place
  cross join ${leads} as l on l.seq = place.seq
  cross join ${callingSettings} as s on s.campaign_number = ${number}`

const placeSteps = [places('due_at_ms', sql`${param('soonMs')}`), places('gate_asks_at_ms', nowMs)].map(
  statement<'companyId' | 'number' | 'nowMs' | 'soonMs' | 'openLanes' | 'maxPlaces'>,
)

type Place = { readonly seq: number; readonly rank: number; readonly atMs: number; readonly isFresh: number }

/**
 * How many leads of the first places of the queue have a fresh yes, and the places of those that lack one, held ones
 * too, in the order of the queue. `openLanes`: pairs of a lane and 1 for appointments.
 */
export async function readPlaces(
  db: D1Database,
  campaign: WaitedCampaign,
  openLanes: readonly (readonly [string, 0 | 1])[],
  of: { readonly nowMs: number; readonly soonMs: number; readonly maxPlaces: number },
): Promise<{ readonly fresh: number; readonly lacking: readonly number[] }> {
  const values = { ...campaign, ...of, openLanes: JSON.stringify(openLanes) }
  const { rows } = await runSteps(db, placeSteps, values)
  const [queued = [], held = []] = rows as (readonly Place[])[]
  const lacking = [...queued.filter(({ isFresh }) => isFresh === 0), ...held].sort(
    (one, other) => other.rank - one.rank || one.atMs - other.atMs || one.seq - other.seq,
  )
  const fresh = queued.length - queued.filter(({ isFresh }) => isFresh === 0).length
  return { fresh, lacking: lacking.map(({ seq }) => seq) }
}

const ofLead = sql`${leads.phoneNumber}`
/** The latest answer to a lead of the same phone, in whatever spelling. A requeued lead is asked about anew. */
const known = sql`iif(${leads.gateUntilMs} is ${askedAnew}, null, ${withSpellings(
  ofLead,
  sql`(select json_array(told.refused_by, told.until_ms) from (${unionAll(
    eachSpelling(
      (spelling) => sql`select twin.gate_refused_by as refused_by, twin.gate_until_ms as until_ms
      from ${leads} as twin
      where twin.campaign_number = ${number} and twin.phone_number = ${spelling}
        and twin.gate_version = s.gate_version and twin.gate_until_ms > ${nowMs}`,
    ),
  )}) as told
    order by told.until_ms desc
    limit 1)`,
)})`

/** The gate has said no to the phone, and since then nothing else, whatever was asked. */
const wasRefused = withSpellings(
  ofLead,
  sql`exists (${unionAll(
    eachSpelling(
      (spelling) => sql`select 1 from ${leads} as twin where twin.campaign_number = ${number}
        and twin.phone_number = ${spelling} and twin.gate_refused_by is not null`,
    ),
  )})`,
)

const isAllowed = sql`(${allowedFromMs({
  companyId,
  phoneNumber: ofLead,
  settings: sql`s`,
  atMs: nowMs,
})} is not null)`

const lookAt = statement<
  'companyId' | 'number' | 'nowMs' | 'seqs'
>(sql`select ${leads.seq}, ${leadJson(sql`c.id`)},
    ${known} as known, ${wasRefused} as "wasRefused", ${isAllowed} as "isAllowed",
    ${leads.heldDueAtMs} is not null as "isHeld",
    ${isSuppressed(companyId, ofLead, number)} as "isSuppressed"
  from json_each(${param('seqs')}) as item
  cross join ${leads} on ${leads.seq} = item.value and ${leads.campaignNumber} = ${number}
  cross join ${campaigns} as c on c.number = ${number} and c.company_id = ${companyId}
  cross join ${callingSettings} as s on s.campaign_number = c.number
  where ${isQueuedOrHeld()} and ${lacksYes(sql`${leads}`, sql`s`, nowMs)}
  order by item.key`)

export type AskedLead = {
  readonly seq: number
  /** As the API has it. */
  readonly json: string
  /** JSON: the pointer of a no, else null, and until when that holds. Null: nothing is known of its phone. */
  readonly known: string | null
  readonly wasRefused: number
  /** It has the consent that its campaign requires. */
  readonly isAllowed: number
  readonly isSuppressed: number
  readonly isHeld: number
}

/** The leads at these places that still lack a yes, in their order. */
export async function readAskedLeads(
  db: D1Database,
  campaign: WaitedCampaign,
  seqs: readonly number[],
  atMs: number,
): Promise<readonly AskedLead[]> {
  return readRows(db, lookAt(db, { ...campaign, nowMs: atMs, seqs: JSON.stringify(seqs) }))
}

/**
 * What becomes of a lead. `yes`: until `atMs`. `no`: kept until then. `later`: due then. `silent`: asked again then.
 * `passed`: it is not for the gate to say, and the claim or a consent decides.
 */
export type GateVerdict = {
  readonly seq: number
  readonly phoneNumber: string
  readonly verdict: 'yes' | 'no' | 'later' | 'silent' | 'passed'
  readonly pointer: string | null
  readonly atMs: number
}

/** An element of placeholder `items` is place, number, verdict, pointer and time. */
const [verdict, pointer] = [sql`(item.value ->> 2)`, sql`(item.value ->> 3)`]
const atMs = sql`cast(item.value ->> 4 as integer)`
const answered = sql`${gates} as g
  cross join ${campaigns} as c on c.number = g.campaign_number and c.company_id = g.company_id
  cross join ${callingSettings} as s on s.campaign_number = g.campaign_number and s.gate_version = g.version
  cross join json_each(${param('items')}) as item
  cross join ${leads} on ${leads.seq} = item.value ->> 0 and ${leads.campaignNumber} = g.campaign_number
    and ${leads.phoneNumber} = item.value ->> 1 and ${isQueuedOrHeld()}
  where g.campaign_number = ${number} and g.company_id = ${companyId} and g.version = ${param('version')}
    and ${isWritableCompany(sql`g.company_id`)}`
const refused = sql`${answered} and ${verdict} = 'no'`

const mark = gateMark(sql`g.campaign_number`, sql`g.version`)
/** All spellings of refused numbers, where the gate suppresses them. */
const forbidden = sql`select told.company_id, spelling.value as phone_number, told.campaign_number, told.reason,
    told.mark, spelling.value = told.phone_number as is_asked
  from (select g.company_id, ${leads.phoneNumber} as phone_number,
      iif(g.suppress = 'company', 0, g.campaign_number) as campaign_number,
      'gate ' || g.version || ': ' || ${pointer} as reason, ${mark} as mark
    from ${refused} and g.suppress <> 'none') as told
  cross join json_each(${spellings(sql`told.phone_number`)}) as spelling
  where spelling.value is not null`

/** What this batch has suppressed. */
const newlyForbidden = sql`select told.company_id, told.phone_number, told.campaign_number, told.reason, told.mark,
    told.is_asked
  from (${forbidden}) as told
  cross join ${suppressions} as own on own.company_id = told.company_id and own.phone_number = told.phone_number
    and own.campaign_number = told.campaign_number and own.token = told.mark and own.created_at_ms = ${nowMs}`

const isHeld = sql`${leads.heldDueAtMs} is not null`
const placeMs = sql`coalesce(${leads.heldDueAtMs}, ${leads.dueAtMs})`
/** Its place in the queue, if it has one. A held one has it once nothing else holds it. No appointment comes early. */
const dueAtMs = sql`case
  when ${verdict} in ('no', 'later', 'silent') then null
  when not ${isHeld} then ${leads.dueAtMs}
  when ${isAllowed} then cast(max(${leads.heldDueAtMs}, ${nowMs}) as integer) end`
const heldDueAtMs = sql`case ${verdict}
  when 'no' then null
  when 'later' then cast(max(${placeMs}, ${atMs}) as integer)
  when 'silent' then ${placeMs}
  else iif(${isHeld} and not ${isAllowed}, ${leads.heldDueAtMs}, null) end`
const isAnswer = sql`${verdict} in ('yes', 'no')`

/** A no is one to its phone: from then on no other lead of it, in whatever spelling, has the yes that it had before. */
const endYesOfTwins = endYes(sql`select twin.seq
  from (select g.campaign_number, ${leads.phoneNumber} as phone_number from ${refused}) as told
  cross join json_each(${spellings(sql`told.phone_number`)}) as spelling
  cross join ${leads} as twin on twin.campaign_number = told.campaign_number and twin.phone_number = spelling.value`)

const applySteps = [
  appendIfListening(
    sql`select ${entryColumns({
      type: 'lead.refused',
      companyId: sql`g.company_id`,
      campaignNumber: sql`g.campaign_number`,
      leadSeq: sql`${leads.seq}`,
      data: sql`json_object('status', 'exhausted', 'attempts', ${leads.attempts}, 'gateVersion', g.version,
        'pointer', ${pointer})`,
    })} from ${refused} order by ${leads.seq}`,
    theSystem,
  ),
  addCounts(
    sql`select ${countColumns({
      campaignNumber: sql`g.campaign_number`,
      statusBefore: sql`${leads.status}`,
      statusAfter: sql`'exhausted'`,
    })} from ${refused}`,
  ),
  insertGateNumbers(
    sql`select told.company_id, told.phone_number, told.campaign_number, told.reason, told.mark
      from (${forbidden}) as told`,
  ),
  // It is no word of the person: no consent is withdrawn by it.
  logOfNumbers({
    kind: 'suppression',
    entries: sql`select told.company_id, told.phone_number, ${noPurpose} as withdraws, ${nowMs} as at_ms,
      told.campaign_number, told.reason, told.mark from (${newlyForbidden}) as told`,
    actor: sql`said.mark`,
  }),
  logNumbers(
    'suppression.added',
    sql`select told.* from (${newlyForbidden}) as told where told.is_asked`,
    theSystem,
  ),
  countGateAnswers(sql`select ${number} as number,
      count(*) filter (where ${verdict} in ('yes', 'no', 'later') and ${pointer} is not null) as checked,
      count(*) filter (where ${verdict} = 'no') as refused from ${answered}`),
  endYesOfTwins,
  moveLeads(
    [
      ...(['status', 'due_at_ms', 'held_due_at_ms', 'gate_asks_at_ms'] as const),
      ...(['gate_version', 'gate_until_ms', 'gate_refused_by'] as const),
    ],
    sql`select ${leads.seq}, iif(${verdict} = 'no', 'exhausted', ${leads.status}) as status,
      ${dueAtMs} as due_at_ms, ${heldDueAtMs} as held_due_at_ms,
      iif(${verdict} in ('later', 'silent'), ${atMs}, null) as gate_asks_at_ms,
      iif(${isAnswer}, g.version, ${leads.gateVersion}) as gate_version,
      iif(${isAnswer}, ${atMs}, ${leads.gateUntilMs}) as gate_until_ms,
      iif(${isAnswer}, iif(${verdict} = 'no', ${pointer}, null), ${leads.gateRefusedBy}) as gate_refused_by
    from ${answered}`,
  ),
  sql`update ${gates} set silent_since_ms = ${param('silentSinceMs')}, refusing_since_ms = ${param('refusingSinceMs')}
    where campaign_number = ${number} and company_id = ${companyId} and revision = ${param('revision')}
      and (silent_since_ms is not ${param('silentSinceMs')} or refusing_since_ms is not ${param('refusingSinceMs')})
      and ${isWritableCompany(gates.companyId)}`,
  sql`select ${notifyWaiting(companyId, number)} from (select 1 where ${param('hasYes')}) as told`,
].map(
  statement<
    | 'companyId'
    | 'number'
    | 'nowMs'
    | 'items'
    | 'version'
    | 'revision'
    | 'silentSinceMs'
    | 'refusingSinceMs'
    | 'hasYes'
  >,
)

/** What is noted of the gate itself, while nobody has changed it. */
type GateNote = Pick<StoredGate, 'version' | 'revision' | 'silentSinceMs' | 'refusingSinceMs'>

/** In one transaction. Answers of another version, and to leads that no longer wait, have no effect. */
export async function applyAnswers(
  db: D1Database,
  campaign: WaitedCampaign,
  verdicts: readonly GateVerdict[],
  { version, revision, silentSinceMs, refusingSinceMs }: GateNote,
  nowAtMs: number,
): Promise<void> {
  const items = verdicts.map(({ seq, phoneNumber, verdict: said, pointer: by, atMs: at }) => [
    ...[seq, phoneNumber, said, by, at],
  ])
  await runSteps(db, applySteps, {
    ...campaign,
    ...{ version, revision, silentSinceMs, refusingSinceMs, nowMs: nowAtMs, items: JSON.stringify(items) },
    hasYes: verdicts.some(({ verdict: said }) => said === 'yes' || said === 'passed') ? 1 : 0,
  })
}

const working = statement<'maxGates'>(sql`select g.company_id as "companyId", g.campaign_number as number
  from ${gates} as g
  cross join ${companies} as co on co.id = g.company_id and ${isInThisStore(sql`co`)}
  where g.refusing_since_ms is null
  order by random()
  limit ${param('maxGates')}`)

/** Those that may have something to ask, in random order. */
export async function listGates(db: D1Database, maxGates: number): Promise<readonly WaitedCampaign[]> {
  return readRows(db, working(db, { maxGates }))
}
