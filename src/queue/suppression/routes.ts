// The endpoints that suppress numbers, remove suppressions and list them. What that does to leads and calls is decided
// in the stores.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/authenticate.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { parseBody, readBodyOf, readQueryOf } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { listNumbers } from '../../base/ledger/suppression/numbers.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import {
  beforeAllNumbers,
  cursorOfNumber,
  numberOfCursor,
  readRemove,
  readSuppress,
  suppressionsQuery,
} from './input.ts'
import { removeSuppressions } from './store/remove-suppressions.ts'
import { suppressNumbers } from './store/suppress.ts'

const readNumbersBody = readBodyOf(limits.leadBodyMaxBytes)
const readQuery = readQueryOf(suppressionsQuery)

export async function postSuppressions(x: KeyedExchange): Promise<Answer> {
  const input = parseBody(await readNumbersBody(x), readSuppress)
  const result = await granted(x, suppressNumbers(x.db, keyAccessOf(x), input))
  if (result.kind === 'too_many') throw tooMany()
  const { added, existing, removedFromQueue, liveCalls } = result
  return success({ added, existing, removedFromQueue, liveCalls })
}

export async function deleteSuppressions(x: KeyedExchange): Promise<Answer> {
  const input = parseBody(await readNumbersBody(x), readRemove)
  const result = await granted(x, removeSuppressions(x.db, keyAccessOf(x), input, hashesOf(x)))
  if (result.kind === 'too_many') throw tooMany()
  return success({ lifted: result.removed })
}

const tooMany = () =>
  new ApiError({
    kind: 'invalid_field',
    message: `phoneNumbers times campaigns of the company must be at most ${limits.numbersTimesCampaigns}`,
  })

export async function getSuppressions(x: KeyedExchange): Promise<Answer> {
  const { campaignId, limit, cursor } = await readQuery(x)
  const after = cursor === null ? beforeAllNumbers : numberOfCursor(cursor)
  const range = { campaignId, maxNumbers: limit ?? limits.phoneNumbersPerSuppression, after }
  const page = await granted(x, listNumbers(x.db, keyAccessOf(x), range))
  return success({
    suppressions: page.numbers.map(({ createdAtMs, ...number }) => ({
      ...number,
      createdAt: formatTimestamp(createdAtMs),
    })),
    nextCursor: page.end === null ? null : cursorOfNumber(page.end),
  })
}
