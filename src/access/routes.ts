// Handlers for the keys of a company, and for the request's own key.
import { type Answer, success } from '../http/envelope.ts'
import { formatTimestamp } from '../timestamp.ts'
import { granted, type KeyedExchange, keyAccessOf } from './authenticate.ts'
import { rightsOf } from './scope.ts'
import { listUsedKeys, usesSinceMs } from './store/key-hours.ts'
import { findOwnKey } from './store/own-key.ts'

export async function getKeys(x: KeyedExchange): Promise<Answer> {
  const access = keyAccessOf(x)
  const { keys } = await granted(x, listUsedKeys(x.db, access))
  return success({
    keys: keys.map((key) => ({
      keyId: key.id,
      name: key.name,
      scope: key.scope,
      campaignId: key.campaignId,
      hint: key.hint,
      createdAt: formatTimestamp(key.createdAtMs),
      expiresAt: formatTimestamp(key.expiresAtMs),
      revokedAt: formatTimestamp(key.revokedAtMs),
      lastUsedAt: formatTimestamp(key.lastUsedAtMs),
      requests: key.requests,
      refused: key.refused,
    })),
    since: formatTimestamp(usesSinceMs(access.nowMs)),
  })
}

export async function getOwnKey(x: KeyedExchange): Promise<Answer> {
  const { key } = await granted(x, findOwnKey(x.db, keyAccessOf(x)))
  return success({
    key: {
      keyId: key.id,
      name: key.name,
      scope: key.scope,
      campaignId: key.campaignId,
      rights: rightsOf(key.scope),
      createdAt: formatTimestamp(key.createdAtMs),
      expiresAt: formatTimestamp(key.expiresAtMs),
    },
    company: { id: key.companyId, name: key.companyName },
  })
}
