// A dry run: what would become of each row, by the service, without storing one.
import { type Group, openGroups } from '../../../leads/file/groups.ts'
import { createMany } from '../../../sdk/src/create-many.ts'
import { LeadIntakeError } from '../../../sdk/src/errors.ts'
import { emptyTally, type InvalidRow, type Tally, type Wait } from '../import-messages.ts'
import { openSender } from '../import-sender.ts'
import { type Judged, sentence, settle } from './judge-rows.ts'

type Tried = {
  readonly tally: Tally
  /** Found by the service alone: each, and by cause. */
  readonly invalid: readonly InvalidRow[]
  readonly causes: readonly Group<string>[]
  /** Null: it is complete. */
  readonly reason: string | null
}

export async function tryRows(
  apiKey: string,
  campaignId: string,
  rows: AsyncIterable<Judged>,
  onProgress: (tally: Tally, wait: Wait | null) => void,
  signal: AbortSignal,
): Promise<Tried> {
  let tally = emptyTally
  const invalid: InvalidRow[] = []
  const causes = openGroups<string>()
  const found = (reason: string | null) => ({ tally, invalid, causes: causes.all(), reason })
  const { send, signal: ended } = openSender(apiKey, signal, (wait) => onProgress(tally, wait))
  const idempotencyKey = (_: number, __: number, waitMs: number) => {
    onProgress(tally, waitMs > 0 ? { why: 'limit', seconds: waitMs / 1000 } : null)
    return crypto.randomUUID()
  }
  const toJson = (row: Judged) => ('json' in row ? row.json : undefined)
  const options = { idempotencyKey, toJson, signal: ended, dryRun: true }
  const seen = new Set<number>()
  try {
    for await (const result of createMany(send, campaignId, rows, options)) {
      if (result.status === undefined) return found('The service does not answer as expected.')
      const settled = settle(tally, result, seen, true)
      tally = settled.tally
      for (const [row, reason] of settled.invalid) {
        invalid.push([row, sentence(reason)])
        causes.add(sentence(reason), { row, value: result.lead.phoneNumber })
      }
    }
  } catch (error) {
    if (!signal.aborted && !(error instanceof LeadIntakeError)) throw error
    return found((error as Error).message)
  }
  return found(null)
}
