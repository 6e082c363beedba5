// A day of a campaign, played before it is looked at: leads come in and are called in each of the last 24 hours. The
// store does all of it, at the times of that day, so what is counted is what the service counts.
import { randomBase62 } from '../../src/base/base62.ts'
import { claimCalls } from '../../src/queue/calling/store/claim.ts'
import { reportCalls } from '../../src/queue/calling/store/report.ts'
import type { ReportedOutcome } from '../../src/queue/campaigns/outcomes.ts'
import { createLeads } from '../../src/queue/leads/store/create-bulk.ts'
import { asKey, noHashes } from '../support/access/actor.ts'
import { newLead } from '../support/leads/new-lead.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

/** How much goes on in each hour of a day, which is played as if it were 16 o'clock now. */
const busyness = [0, 0, 0, 0, 0, 0, 1, 3, 7, 10, 10, 8, 6, 8, 10, 9, 8, 6, 4, 2, 1, 0, 0, 0]

/** Of a hundred calls; the rest are not answered. */
const outcomeShares: readonly (readonly [ReportedOutcome, number])[] = [
  ['answered', 24],
  ['not_interested', 6],
  ['wrong_number', 3],
  ['busy', 12],
  ['voicemail', 18],
]

/** `keyId` manages. `scale`: leads and calls of a busy hour, in tens. The newest are some minutes old. */
export async function playDay(
  db: D1Database,
  keyId: string,
  campaignId: string,
  { scale = 10, endMs = Date.now() - 3 * minuteMs } = {},
): Promise<void> {
  // As if the campaign had been set up before.
  await db.prepare('update calling_settings set callable_since_ms = 0').run()
  let number = 0
  const who = (nowMs: number) => ({ ...asKey(keyId, nowMs), campaignId })
  async function create(nowMs: number, count: number): Promise<void> {
    const leads = Array.from({ length: count }, () =>
      newLead({
        phoneNumber: `+1415${String(6_000_000 + number)}`,
        externalId: `crm-${7_000 + number++}`,
        priority: number % 3 === 0 ? 50 : 10,
      }),
    )
    const origin = { ...who(nowMs), token: randomBase62(11), requestKey: null, hashes: noHashes }
    await createLeads(db, origin, leads, { withSkippedIds: false, isDryRun: false, invalid: 0 })
  }
  for (let beginMs = endMs - 23 * hourMs; beginMs <= endMs; beginMs += hourMs) {
    const n = (busyness.at((16 - Math.round((endMs - beginMs) / hourMs)) % 24) ?? 0) * scale
    if (n === 0) continue
    for (let called = 0; called < n; called += 20) {
      const nowMs = beginMs - 15 * minuteMs + Math.floor((called / n) * 12 * minuteMs)
      // Fewer than there are calls, so that most are called soon, and with retries.
      await create(nowMs - (1 + ((called * 7) % 19)) * 1_000, Math.ceil(Math.min(20, n - called) * 0.5))
      const claimed = await claimCalls(
        db,
        {
          ...who(nowMs),
          requestToken: randomBase62(11),
          requestKey: null,
          hashes: noHashes,
        },
        { maxCalls: Math.min(20, n - called), leaseSeconds: null, agent: `seat-${1 + (called % 60) / 20}` },
      )
      if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
      const calls = claimed.calls.map(({ callId }, index) => ({
        callId,
        outcome: outcomeOf((called + index * 37) % 100),
        callbackAtMs: null,
        doNotCall: false,
        durationSeconds: 20 + ((called + index * 13) % 180),
        providerCallId: null,
        details: null,
      }))
      await reportCalls(db, asKey(keyId, nowMs + 3 * minuteMs), calls)
    }
  }
  // Nobody has called these yet.
  await create(endMs, 3 * scale)
}

function outcomeOf(draw: number): ReportedOutcome {
  let from = 0
  for (const [outcome, share] of outcomeShares) {
    from += share
    if (draw < from) return outcome
  }
  return 'no_answer'
}
