// The operator over HTTP: a client with a key of his own, and what he makes with it.
import { randomBase62 } from '../../../src/base/base62.ts'
import type { Made } from '../access/keys.ts'
import { type Answer, api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { seedOperatorKey } from '../world.ts'

export const companiesPath = '/api/v1/companies'

/** Each with a new key, unless given. */
export async function asOperator(key?: { readonly id: string; readonly key: string }) {
  const { id, key: secret } = key ?? (await seedOperatorKey())
  const client = api(secret)
  const ask = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    client.request(method, path, body, headers)
  return {
    id,
    key: secret,
    ask,
    get: async (path: string) => dataOf(await ask('GET', path), 200) as Record<string, unknown>,
    /** Returns the id of a new company. */
    createCompany: async (fields: object = {}) => {
      const body = { id: `company-${randomBase62(10)}`, name: 'Acme', ...fields }
      const { companyId } = dataOf(await ask('POST', companiesPath, body), 201) as { companyId: string }
      return companyId
    },
    createKey: async (companyId: string, fields: object = {}, headers?: Record<string, string>) => {
      const body = { name: 'crm', scope: 'manage', ...fields }
      const answer = await ask('POST', `${companiesPath}/${companyId}/keys`, body, headers)
      return dataOf(answer, 201) as Made & { readonly key: string }
    },
    /** Of a key of the company. */
    revoke: (companyId: string, keyId: string, query = '') =>
      ask('DELETE', `${companiesPath}/${companyId}/keys/${keyId}${query}`),
  }
}

/** What a company's key reads in its log: types, actors and data, the oldest first. */
export async function readEvents(key: string, types: string) {
  const answer: Answer = await api(key).request('GET', `/api/v1/events?types=${types}`)
  const { events } = dataOf(answer, 200) as {
    events: readonly { readonly type: string; readonly actor: string; readonly data: object }[]
  }
  return events.map(({ type, actor, data }) => ({ type, actor, data }))
}
