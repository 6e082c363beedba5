// What else the cron does each minute: it erases leads that their campaign keeps no longer. How much of that one minute
// does is decided here; what erasing one means, in the store.
import { findKeepers, retainChunk } from './store/retain.ts'

/** Over all campaigns. What is left waits for the next minute. */
const maxChunks = 10

/** Throws DatabaseUnavailable. */
export async function retainByTheMinute(db: D1Database, nowMs: number): Promise<void> {
  // In another order each minute, so that none waits for all before it for good.
  let campaigns = shuffled(await findKeepers(db))
  for (let chunks = 0; campaigns.length > 0; ) {
    const again: number[] = []
    for (const campaign of campaigns) {
      if (chunks++ >= maxChunks) return
      if (await retainChunk(db, campaign, nowMs)) again.push(campaign)
    }
    campaigns = again
  }
}

const shuffled = <Value>(values: readonly Value[]) =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
