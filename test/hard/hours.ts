// Whether the hours of every campaign add up to what there is: leads by status, as the nightly recount finds them, and
// calls by what became of them.

import { countedOutcomes } from '../../src/base/ledger/hours/counts.ts'
import { findDueRecounts, recountSlice } from '../../src/control/statistics/store/recount.ts'
import type { Findings } from './report.ts'

const dayMs = 86_400_000

/** By how many leads and calls the hours differ, in all. Counts as the night after `nowMs` would. */
export async function checkHours(db: D1Database, nowMs: number, findings: Findings): Promise<number> {
  let drift = 0
  await findDueRecounts(db, nowMs, 0)
  for (const due of await findDueRecounts(db, nowMs + dayMs, 1000)) {
    let outcome = await recountSlice(db, due, nowMs + dayMs)
    while (outcome.kind === 'sliced')
      outcome = await recountSlice(db, { ...due, afterSeq: outcome.afterSeq }, nowMs + dayMs)
    if (outcome.kind === 'counted') drift += outcome.drift
    else findings.add('recount thrown away', `${due.campaignNumber}`)
  }
  const outcomes = [...countedOutcomes, 'claimed'].map((outcome) => {
    const isOf = outcome === 'claimed' ? '1' : `k.outcome = '${outcome}'`
    return `select (select coalesce(sum(${outcome}), 0) from campaign_hours)
      - (select count(*) from calls as k where ${isOf}) as n`
  })
  const results = await db.batch<{ n: number }>(outcomes.map((query) => db.prepare(query).bind()))
  for (const { results: rows } of results) drift += Math.abs(rows[0]?.n ?? 1)
  if (drift > 0) findings.add('hours drifted', `${drift}`)
  return drift
}
