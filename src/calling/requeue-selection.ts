// POST /api/v1/leads/requeue: leads that a person selected, each with its result.
import { granted, type KeyedExchange, keyAccessOf } from '../access/authenticate.ts'
import { type Answer, success } from '../http/envelope.ts'
import { parseBody, readBodyOf } from '../http/validate.ts'
import { numberHashes } from '../ledger/suppression/number-hash.ts'
import { limits } from '../limits.ts'
import { readSelection } from './search-input.ts'
import { requeueSelection } from './store/requeue-selected.ts'

const readSmallBody = readBodyOf(limits.leadBodyMaxBytes)

export async function postRequeueOfSelection(x: KeyedExchange): Promise<Answer> {
  const leadIds = parseBody(await readSmallBody(x), readSelection)
  const hashes = numberHashes(x.env.SUPPRESSION_PEPPER, x.apiKey.companyId)
  const { results } = await granted(x, requeueSelection(x.db, keyAccessOf(x), leadIds, hashes))
  const requeued = results.filter((result) => result === 'requeued').length
  return success({
    requeued,
    skipped: results.length - requeued,
    results: results.map((result, index) => ({ leadId: leadIds[index], result })),
  })
}
