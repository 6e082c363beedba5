// The endpoints that suppress numbers, remove suppressions and list them. What that does to leads and calls is decided
// in the stores.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError, invalidField } from '../../base/http/errors.ts'
import { parseBody, readBodyOf, readQueryOf } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { listNumbers } from '../../base/ledger/suppression/numbers.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp, parseTimestampMs } from '../../base/timestamp.ts'
import {
  beforeAllNumbers,
  cursorOfNumber,
  liftQuery,
  numberOfCursor,
  readRemove,
  readSuppress,
  suppressionsQuery,
} from './input.ts'
import { liftOfGates } from './store/lift-of-gates.ts'
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

const readLiftQuery = readQueryOf(liftQuery)

/** Those of the body, or what gates have done since a time. */
export async function deleteSuppressions(x: KeyedExchange): Promise<Answer> {
  const { source, since, campaignId } = await readLiftQuery(x)
  if (source !== undefined || since !== undefined)
    return liftGateNoes(x, { source, since, campaignId: campaignId ?? null })
  const input = parseBody(await readNumbersBody(x), readRemove)
  const result = await granted(x, removeSuppressions(x.db, keyAccessOf(x), input, hashesOf(x)))
  if (result.kind === 'too_many') throw tooMany()
  return success({ lifted: result.removed })
}

type Wanted = {
  readonly source: string | undefined
  readonly since: string | undefined
  readonly campaignId: string | null
}

async function liftGateNoes(x: KeyedExchange, { source, since, campaignId }: Wanted): Promise<Answer> {
  if (source === undefined || since === undefined)
    throw invalidField(`${source === undefined ? 'source' : 'since'} is required`)
  const of = { campaignId, sinceMs: parseTimestampMs(since) }
  const result = await granted(x, liftOfGates(x.db, keyAccessOf(x), of, hashesOf(x)))
  if (result.kind === 'too_many') throw tooMany()
  const { lifted, requeued, more } = result
  return success({ lifted, requeued, more })
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
