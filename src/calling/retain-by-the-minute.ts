// What else the cron does each minute: it erases leads that their campaign keeps no longer. How much of that one minute
// does is decided here; what erasing one means, in the store.
import { DatabaseUnavailable } from '../database/database.ts'
import { findKeepers, retainChunk } from './store/retain.ts'

/** Over all campaigns. What is left waits for the next minute. */
const maxChunks = 10

/** Never throws: nobody would catch it, and the next minute tries again. */
export async function retainByTheMinute(db: D1Database, nowMs: number): Promise<void> {
  try {
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
  } catch (error) {
    // The name only: a message may quote what a client sent.
    const fault = error instanceof DatabaseUnavailable ? `database ${error.reason}` : (error as Error).name
    console.error({ event: 'retaining_failed', fault })
  }
}

const shuffled = <Value>(values: readonly Value[]) =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
