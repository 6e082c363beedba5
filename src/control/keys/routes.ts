// The endpoints that create, rotate and revoke API keys. base/access/routes.ts lists them.
import { keyIdChars, keyIdOf, makeKey } from '../../base/access/api-key.ts'
import { dbOfRevocation } from '../../base/access/authenticate.ts'
import { granted, type KeyedExchange, managerAccessOf } from '../../base/access/granted.ts'
import { digestsOf } from '../../base/access/idempotency-key.ts'
import { enterNewKey, forgetMember, markRevoked } from '../../base/access/in-directory.ts'
import { digestBase62 } from '../../base/base62.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { parseBody, readQueryOf, readSmallBody, readSmallBodyIfAny } from '../../base/http/validate.ts'
import { limits } from '../../base/limits.ts'
import { newKeysPerCompany, refuseUntil } from '../../base/rate-limits/rate-limit.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { readCreateKey, readRotateKey, withCreatedQuery } from './input.ts'
import { createKey, type Limited, type Made, type Making, rotateKey } from './store/create-key.ts'
import type { Created } from './store/created.ts'
import { revokeKey } from './store/revoke-key.ts'

const readWithCreated = readQueryOf(withCreatedQuery)

const otherIdOf = (x: KeyedExchange) => x.c.req.param('keyId') ?? ''

export async function postKey(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const wanted = parseBody(body, (json) => readCreateKey(json, Date.now()))
  const { key, making } = newKeyOf(x, body)
  await enterNewKey(x, making.id, making.hash)
  const made = madeOf(x, await granted(x, createKey(x.db, making, wanted)))
  return answerMade(made, key)
}

export async function postRotateKey(x: KeyedExchange): Promise<Answer> {
  const { withCreated } = await readWithCreated(x)
  const body = await readSmallBodyIfAny(x)
  const graceSeconds = parseBody(body, readRotateKey)
  const { key, making } = newKeyOf(x, body)
  const otherId = otherIdOf(x)
  // Otherwise nothing could store the new key before the old one ends.
  if (otherId === x.apiKey.id && graceSeconds < limits.ownKeyGraceMinSeconds)
    throw new ApiError({ kind: 'grace_too_short' })
  const endsAtMs = making.nowMs + graceSeconds * 1000
  await enterNewKey(x, making.id, making.hash)
  const result = await granted(x, rotateKey(x.db, making, { otherId, endsAtMs, withCreated }))
  const made = madeOf(x, result)
  await markEnded(x, made.created, making.nowMs)
  return answerMade(made, key, {
    previousExpiresAt: formatTimestamp(made.previousExpiresAtMs),
    ...createdByKeyJson(made.created),
  })
}

export async function deleteKey(x: KeyedExchange): Promise<Answer> {
  const { withCreated } = await readWithCreated(x)
  const otherId = otherIdOf(x)
  if (otherId === x.apiKey.id) throw new ApiError({ kind: 'key_is_own' })
  const result = await granted(x, revokeKey(dbOfRevocation(x), managerAccessOf(x), otherId, withCreated))
  await markEnded(x, result.created, result.revokedAtMs, [otherId])
  const revokedAt = formatTimestamp(result.revokedAtMs)
  return success({ keyId: otherId, revokedAt, ...createdByKeyJson(result.created) })
}

/** In the directory. */
async function markEnded(x: KeyedExchange, created: Created, nowMs: number, keyIds: readonly string[] = []) {
  await markRevoked(x, [...keyIds, ...revokedOf(created)], nowMs)
  for (const { memberId, removedAtMs } of created.members) if (removedAtMs !== null) forgetMember(x, memberId)
}

export const revokedOf = ({ keys }: Created) =>
  keys.flatMap(({ keyId, revokedAtMs }) => (revokedAtMs === null ? [] : [keyId]))

export const createdJson = ({ keys, webhooks }: Omit<Created, 'members'>) => ({
  keys: keys.map(({ expiresAtMs, revokedAtMs, isDialer: _, sourceId: __, ...key }) => ({
    ...key,
    expiresAt: formatTimestamp(expiresAtMs),
    revokedAt: formatTimestamp(revokedAtMs),
  })),
  webhooks: webhooks.map(({ disabledAtMs, ...webhook }) => ({
    ...webhook,
    disabledAt: formatTimestamp(disabledAtMs),
  })),
})

const createdByKeyJson = (created: Created) => ({
  created: {
    ...createdJson(created),
    members: created.members.map(({ removedAtMs, wasLastManager: _, ...member }) => ({
      ...member,
      removedAt: formatTimestamp(removedAtMs),
    })),
  },
  noManagerLeft: created.members.some(({ wasLastManager }) => wasLastManager === 1),
})

const requestTokenChars = 22

/** With an Idempotency-Key, the id follows from it: so a repeated request finds the key that the first one created. */
function newKeyOf(x: KeyedExchange, body: ArrayBuffer): { readonly key: string; readonly making: Making } {
  const digests = digestsOf(x, body)
  const { key, material } = makeKey(digests ? keyIdOf(digestBase62(digests.key, keyIdChars)) : undefined)
  const requestToken = digests && digestBase62(digests.request, requestTokenChars)
  return { key, making: { ...managerAccessOf(x), ...material, requestToken } }
}

/** Throws when the company has made as many as it may. */
function madeOf<Result extends Made>(x: KeyedExchange, result: Result | Limited): Result {
  if (result.kind === 'keys_limited') throw new ApiError(refuseUntil(x, newKeysPerCompany, result.nextAtMs))
  return result
}

/** The key is shown by the request that created it, and by no other. */
function answerMade({ key, isReplay }: Made, secret: string, more: object = {}): Answer {
  const data = {
    keyId: key.id,
    key: isReplay ? null : secret,
    ...(isReplay && { keyNote: 'shown once' }),
    name: key.name,
    scope: key.scope,
    campaignId: key.campaignId,
    hint: key.hint,
    createdAt: formatTimestamp(key.createdAtMs),
    expiresAt: formatTimestamp(key.expiresAtMs),
    ...more,
  }
  return success(data, 201, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}
