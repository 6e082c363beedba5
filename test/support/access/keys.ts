// Creates, rotates and revokes keys over HTTP, and tells whether one works.
import type { Scope } from '../../../src/base/access/scope.ts'
import { companyDb } from '../database/store.ts'
import { type Answer, api, type Options } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { type KeyKind, seedKey, seedWorld } from '../world.ts'

export const keysPath = '/api/v1/keys'

export type Created = {
  keys: { keyId: string; revokedAt: string | null }[]
  webhooks: { webhookId: string; disabledAt: string | null }[]
  members: { memberId: string; removedAt: string | null }[]
}
export type Made = {
  keyId: string
  key: string | null
  keyNote?: string
  scope: Scope
  campaignId: string | null
  expiresAt: string | null
  previousExpiresAt?: string
  /** Of a rotation. */
  created?: Created
}
export type Revoked = { keyId: string; revokedAt: string; created: Created; noManagerLeft: boolean }

export const ask = (
  key: string | null,
  method: string,
  at: string,
  body?: object,
  headers?: Options['headers'],
) => api(key ?? '').request(method, at, body, headers)
export const create = (key: string | null, fields: object = {}, headers?: Options['headers']) =>
  ask(key, 'POST', keysPath, { name: 'crm', scope: 'write', ...fields }, headers)
export const rotate = (
  key: string | null,
  keyId: string,
  body?: object,
  headers?: Options['headers'],
  query = '',
) => ask(key, 'POST', `${keysPath}/${keyId}/rotate${query}`, body, headers)
export const revoke = (key: string | null, keyId: string, query = '') =>
  ask(key, 'DELETE', `${keysPath}/${keyId}${query}`)
export const withCreated = '?withCreated=true'
/** Returns what the key has created, which ends with it. */
export const revokeWithCreated = async (key: string | null, keyId: string) =>
  (dataOf(await revoke(key, keyId, withCreated), 200) as Revoked).created
export const madeBy = (answer: Answer<unknown>) => dataOf(answer, 201) as Made
export const works = async (key: string | null) => (await ask(key, 'GET', `${keysPath}/self`)).status === 200
export const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

const hook = { url: 'https://receiver.test/', types: null }
type Webhook = {
  webhookId: string
  url: string
  campaignId: string | null
  expiresAt: string | null
  disabledAt: string | null
}

/** Returns its id. */
export const createWebhook = async (key: string | null, fields: object = {}) =>
  (dataOf(await ask(key, 'POST', '/api/v1/webhooks', { ...hook, ...fields }), 201) as Webhook).webhookId
export const readWebhook = async (key: string, webhookId: string) =>
  dataOf(await ask(key, 'GET', `/api/v1/webhooks/${webhookId}`), 200) as Webhook

export async function seedManaged(kind: Partial<KeyKind> = {}) {
  const world = await seedWorld()
  const manage = await seedKey({ companyId: world.companyId, scope: 'manage', ...kind })
  const count = () =>
    companyDb
      .prepare('select count(*) as n from api_keys where company_id = ?1')
      .bind(world.companyId)
      .first<number>('n')
  return { ...world, manage, count }
}
