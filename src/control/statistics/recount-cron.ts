// The cron's part of statistics: each night, from midnight UTC on, counts each campaign's leads and compares them with
// its hours (control/statistics/store/recount.ts). The result is logged: a drift other than 0 is a bug in the counting.
import { findDueRecounts, recountSlice } from './store/recount.ts'

/** A million leads, or so many campaigns. The rest waits for the next minute. */
const maxSlices = 20

/** Throws DatabaseUnavailable, after logging what was found before. */
export async function recountByTheMinute(db: D1Database, nowMs: number): Promise<void> {
  const found = { campaigns: 0, drift: 0, postponed: 0 }
  try {
    let slices = 0
    for (const due of await findDueRecounts(db, nowMs, maxSlices)) {
      for (let { afterSeq } = due; slices < maxSlices; ) {
        slices++
        const result = await recountSlice(db, { ...due, afterSeq }, nowMs)
        if (result.kind === 'sliced') {
          afterSeq = result.afterSeq
          continue
        }
        if (result.kind === 'postponed') found.postponed++
        else {
          found.campaigns++
          found.drift += result.drift
        }
        break
      }
    }
  } finally {
    const log = found.drift > 0 ? console.error : console.log
    if (found.campaigns + found.postponed > 0) log({ event: 'statistics_recounted', ...found })
  }
}
