// Handlers for the keys of a company, and for the request's own key.
import { type Answer, success } from '../http/envelope.ts'
import { formatTimestamp } from '../timestamp.ts'
import { granted, type KeyedExchange, keyAccessOf, managerAccessOf } from './granted.ts'
import { rightsOf } from './scope.ts'
import { listUsedKeys, type UsedKey, usesSinceMs } from './store/key-hours.ts'
import { findOwnKey, type OwnKey } from './store/own-key.ts'

const identityOf = ({ id, name, scope, campaignId }: OwnKey | UsedKey) => ({
  keyId: id,
  name,
  scope,
  campaignId,
})

export async function getKeys(x: KeyedExchange): Promise<Answer> {
  const access = managerAccessOf(x)
  const { keys } = await granted(x, listUsedKeys(x.db, access))
  return success({
    keys: keys.map((key) => ({
      ...identityOf(key),
      hint: key.hint,
      createdAt: formatTimestamp(key.createdAtMs),
      createdBy: key.createdBy,
      actorName: key.actorName,
      successorOf: key.successorOf,
      isDialer: key.isDialer === 1,
      sourceId: key.sourceId,
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
      ...identityOf(key),
      rights: rightsOf(key.scope),
      createdAt: formatTimestamp(key.createdAtMs),
      expiresAt: formatTimestamp(key.expiresAtMs),
    },
    company: { id: key.companyId, name: key.companyName, consentYears: key.consentYears },
    member: key.memberId && { memberId: key.memberId, email: key.email, name: key.memberName },
  })
}
