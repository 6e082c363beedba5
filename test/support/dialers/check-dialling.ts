// What must hold of a campaign with a dialer, whatever its provider did and however often the object died: compared
// with what the provider knows to have happened.
import { callIdOf } from '../../../src/queue/calling/call.ts'
import type { ProviderCall } from './fake-provider.ts'

type CallRow = {
  readonly claimedAtMs: number
  readonly seq: number
  readonly token: string
  readonly phoneNumber: string
  readonly attempt: number
  readonly outcome: string | null
}

type LeadRow = {
  readonly phoneNumber: string
  readonly status: string
  readonly attempts: number
  readonly seq: number
}

type Checked = {
  readonly db: D1Database
  readonly campaignNumber: number
  readonly rung: readonly ProviderCall[]
  /** When each number was suppressed. */
  readonly suppressedAtMs?: ReadonlyMap<string, number>
  readonly isOpen?: (atMs: number) => boolean
  readonly maxAttempts: number
}

/** The outcome that a call must have in the end; null: any that is not `released`. */
function expectedOutcome(call: ProviderCall): string | null {
  if (call.start !== 'fine') return 'unknown'
  // It ends by the hang-up, after its longest time, and counts as it ended.
  if (call.status === 'never_ends' && call.hungUpAtMs === null) return 'unknown'
  if (call.status !== 'never_ends' && call.hungUpAtMs !== null) return null
  const said = call.status === 'no_analysis' ? null : call.outcome
  if (said !== null) return said
  const byReason: Readonly<Record<string, string>> = {
    answered: 'answered',
    busy: 'busy',
    'no-answer': 'no_answer',
    crashed: 'failed',
  }
  return byReason[call.reason] ?? 'failed'
}

/**
 * What does not hold, in words; an empty list: all does. `interrupted`: calls whose start was under way when the object
 * died, which end as `unknown`.
 */
export async function checkDialling(
  { db, campaignNumber, rung, suppressedAtMs = new Map(), isOpen = () => true, maxAttempts }: Checked,
  interrupted: ReadonlySet<string>,
): Promise<readonly string[]> {
  const wrong: string[] = []
  const rows = await db
    .prepare(
      `select k.claimed_at_ms as "claimedAtMs", k.seq, k.token, k.phone_number as "phoneNumber", k.attempt, k.outcome
       from leads as l cross join calls as k on k.phone_number = l.phone_number and k.seq = l.seq
       where l.campaign_number = ?1 order by k.claimed_at_ms`,
    )
    .bind(campaignNumber)
    .run<CallRow>()
  const callOf = new Map(rows.results.map((row) => [callIdOf(row), row]))
  const rungIds = new Set<string>()
  for (const call of rung) {
    const { callId, startedAtMs, phoneNumber } = call
    if (rungIds.has(callId)) wrong.push(`${callId} rang twice`)
    rungIds.add(callId)
    const row = callOf.get(callId)
    const expected = expectedOutcome(call)
    if (row === undefined) wrong.push(`${callId} rang without a claim`)
    else if (row.outcome === null)
      wrong.push(`${callId} has no end (${call.start}, ${call.status}, ${call.reason})`)
    else if (row.outcome === 'released') wrong.push(`${callId} rang and was released`)
    else if (
      expected !== null &&
      row.outcome !== expected &&
      !(interrupted.has(callId) && row.outcome === 'unknown')
    )
      wrong.push(
        `${callId} ended as ${row.outcome}, not ${expected} (${call.start}, ${call.status}, ${call.reason})`,
      )
    if (!isOpen(startedAtMs)) wrong.push(`${callId} rang outside hours`)
    if (startedAtMs > (suppressedAtMs.get(phoneNumber) ?? Number.POSITIVE_INFINITY))
      wrong.push(`${callId} rang after its do-not-call`)
  }
  for (const [callId, { outcome }] of callOf) {
    if (rungIds.has(callId)) continue
    const isFair = ['released', 'failed', 'invalid_number'].includes(outcome ?? '') || outcome === 'unknown'
    if (!isFair) wrong.push(`${callId} did not ring and ended as ${outcome}`)
  }
  wrong.push(...(await checkLeads(db, campaignNumber, rows.results, maxAttempts, suppressedAtMs)))
  return wrong
}

const done = ['answered', 'not_interested']
const dead = ['wrong_number', 'invalid_number', 'do_not_call']

/** Each lead stands where its calls have brought it. */
async function checkLeads(
  db: D1Database,
  campaignNumber: number,
  rows: readonly CallRow[],
  maxAttempts: number,
  suppressedAtMs: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const leads = await db
    .prepare(
      `select phone_number as "phoneNumber", status, attempts, seq from leads where campaign_number = ?1`,
    )
    .bind(campaignNumber)
    .run<LeadRow>()
  const ofLead = Map.groupBy(
    rows.filter(({ outcome }) => outcome !== 'released'),
    ({ seq }) => seq,
  )
  return leads.results.flatMap(({ phoneNumber, status, attempts, seq }) => {
    const calls = ofLead.get(seq) ?? []
    if (attempts !== calls.length)
      return [`${phoneNumber} has ${attempts} attempts, and ${calls.length} calls`]
    const last = calls.at(-1)?.outcome ?? null
    const isSuppressed = suppressedAtMs.has(phoneNumber)
    const expected =
      last === null
        ? ['raw', ...(isSuppressed ? ['exhausted', 'attempting'] : ['attempting'])]
        : done.includes(last)
          ? ['concluded']
          : dead.includes(last) || attempts >= maxAttempts
            ? ['exhausted']
            : ['attempting', ...(isSuppressed ? ['exhausted'] : [])]
    return expected.includes(status) ? [] : [`${phoneNumber} is ${status} after ${last}, attempt ${attempts}`]
  })
}
