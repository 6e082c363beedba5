// Sends the rows of an import, and counts what becomes of each.
import { type CreateManyOptions, createMany } from '../../../sdk/src/create-many.ts'
import { LeadIntakeError } from '../../../sdk/src/errors.ts'
import type { Send } from '../../../sdk/src/send.ts'
import type { Tally } from '../import-messages.ts'
import { type Judged, settle } from './judge-rows.ts'

/** `problem`: what the service alone found wrong with the row; else null. Throws LeadIntakeError. */
export async function* sendRows(
  send: Send,
  campaignId: string,
  rows: AsyncIterable<Judged>,
  { tally: before, seen }: { readonly tally: Tally; readonly seen: Set<number> },
  options: CreateManyOptions<Judged>,
) {
  let tally = before
  const toJson = (row: Judged) => ('json' in row ? row.json : undefined)
  for await (const result of createMany(send, campaignId, rows, { ...options, toJson })) {
    if (result.status === undefined)
      throw new LeadIntakeError('The service does not answer as expected.', {
        status: 200,
        code: 'unexpected_answer',
        requestId: '',
      })
    const settled = settle(tally, result, seen, options.dryRun)
    tally = settled.tally
    yield { ...settled, row: result.lead }
  }
}
