// What the cron does for statistics: once a night, from midnight in UTC on, each campaign's leads are counted and compared
// with its hours (statistics/store/recount.ts). What is found is logged: a drift that is not 0 is a fault in what is counted.
import { findDueRecounts, recountSlice } from './store/recount.ts'

/** A million leads, or so many campaigns. What is left waits for the next minute. */
const maxSlices = 20

/** Throws DatabaseUnavailable; what was found before that is told all the same. */
export async function recountByTheMinute(db: D1Database, nowMs: number): Promise<void> {
  const found = { campaigns: 0, drift: 0, seeded: 0, thrownAway: 0 }
  try {
    let slices = 0
    for (const due of await findDueRecounts(db, nowMs, maxSlices)) {
      for (let { afterSeq } = due; slices < maxSlices; ) {
        slices++
        const outcome = await recountSlice(db, { ...due, afterSeq }, nowMs)
        if (outcome.kind === 'sliced') {
          afterSeq = outcome.afterSeq
          continue
        }
        if (outcome.kind === 'thrown_away') found.thrownAway++
        else {
          found.campaigns++
          found.drift += outcome.drift
          found.seeded += outcome.seeded
        }
        break
      }
    }
  } finally {
    const tell = found.drift > 0 ? console.error : console.log
    if (found.campaigns + found.thrownAway > 0) tell({ event: 'statistics_recounted', ...found })
  }
}
