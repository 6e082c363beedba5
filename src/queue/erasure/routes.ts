// The endpoints that erase leads and people. What remains of either is decided in the store.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { versionsOf } from '../../base/http/if-match.ts'
import { parseBody, readBodyOf } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { readErasure } from './input.ts'
import { type EraseResult, eraseLead, erasePerson, findNumber } from './store/erase.ts'

const readErasureBody = readBodyOf(limits.leadBodyMaxBytes)

export async function deleteLead(x: KeyedExchange): Promise<Answer> {
  const leadId = x.c.req.param('leadId') ?? ''
  const versions = versionsOf(x.c.req.header('if-match'))
  const result = await granted(x, eraseLead(x.db, keyAccessOf(x), leadId, hashesOf(x), versions))
  if (result.kind === 'changed_since') throw new ApiError({ kind: 'precondition_failed' })
  return answerErased(result)
}

export async function postErasure(x: KeyedExchange): Promise<Answer> {
  const { phoneNumber, leadId, suppress } = parseBody(await readErasureBody(x), readErasure)
  const access = keyAccessOf(x)
  const person =
    leadId === undefined
      ? { kind: 'found' as const, phoneNumber }
      : await granted(x, findNumber(x.db, access, leadId))
  if (person.kind !== 'found') return answerErased(person)
  const toErase = { phoneNumber: person.phoneNumber, suppress }
  return answerErased(await granted(x, erasePerson(x.db, access, toErase, hashesOf(x))))
}

function answerErased(result: Extract<EraseResult, { kind: 'missing' | 'erased' }>): Answer {
  if (result.kind === 'missing') throw new ApiError({ kind: 'lead_not_found' })
  const { leadsErased, suppressed, kept, mentions } = result
  const { consents, untilMs } = kept
  const { leadIds: alsoIn, isPartial } = mentions
  return success({
    ...{ leadsErased, suppressed, kept: { consents, until: formatTimestamp(untilMs) } },
    ...{ alsoIn, isPartial },
  })
}
