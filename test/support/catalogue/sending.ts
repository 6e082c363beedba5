// Sends an endpoint's requests, by keys that may and keys that may not, right or spoilt in the ways in which any
// request can be. The answer is judged elsewhere.
import { keyScopes } from '../../../src/base/access/scope.ts'
import { type Answer, api, type Body, type Options } from '../http/api.ts'
import { type Key, type KeyKind, seedKey, seedOperatorKey } from '../world.ts'
import type { Endpoint, Scene, Sent } from './endpoint.ts'

export { keyScopes }

/** Sends what the endpoint sends. */
export function send(
  endpoint: Endpoint,
  key: string | null,
  { method = endpoint.method, path, query, headers, body }: Sent,
  options: Options = {},
): Promise<Answer> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return api(key, options).request(method, path + search, body as Body | undefined, headers)
}

/** A scope that may not; undefined where every one may. */
export const otherScope = ({ scopes }: Endpoint) =>
  keyScopes.find((scope) => scopes?.includes(scope) === false)

/** A new key of the place's company, which may unless given; or an operator's. */
export function makeKey(
  { scopes, isForOperator }: Endpoint,
  { companyId }: Scene,
  kind: Omit<KeyKind, 'companyId'> = {},
): Promise<Key> {
  if (isForOperator && kind.scope === undefined) return seedOperatorKey(kind)
  return seedKey({ companyId, scope: scopes?.[0] ?? 'write', ...kind })
}

const textOf = ({ body }: Sent) => (typeof body === 'string' ? body : JSON.stringify(body))

export const asText = (sent: Sent): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'content-type': 'text/plain' },
})
export const tooLarge = (sent: Sent, { maxBytes = 0 }: Endpoint): Sent => ({
  ...sent,
  body: textOf(sent).padEnd(maxBytes + 1),
})
export const cutShort = (sent: Sent): Sent => ({ ...sent, body: textOf(sent).slice(0, -1) })
