// Who signs people in, played by the test: an RSA key, its certificate at a URL of its own, and tokens. And members who
// sign in with them.
import { sign } from 'hono/jwt'
import { vi } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { type Answer, api, type Options } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'

type KeyPair = CryptoKeyPair & { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey }
const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
}

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<KeyPair>

/** Made once: it takes a while. */
let pairs: Promise<readonly [KeyPair, KeyPair]> | undefined

export type Identity = Awaited<ReturnType<typeof seedIdentity>>

/** A team of its own. */
export async function seedIdentity() {
  pairs ??= Promise.all([newKeys(), newKeys()])
  const [own, foreign] = await pairs
  const team = `team-${randomBase62(8).toLowerCase()}`
  const issuer = `https://${team}.cloudflareaccess.com`
  const certs = `${issuer}/cdn-cgi/access/certs`
  const exported = (await crypto.subtle.exportKey('jwk', own.publicKey)) as JsonWebKey
  const state = { keys: [{ ...exported, kid: 'first' }] as object[], isAway: false, delayMs: 0, fetched: 0 }
  const before = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (String(input) !== certs) return before(input, init)
    state.fetched++
    const { isAway, keys, delayMs } = state
    if (delayMs > 0) await scheduler.wait(delayMs)
    if (isAway) throw new TypeError('away')
    return Response.json({ keys })
  })
  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const claimsOf = (claims: object) => ({
    iss: issuer,
    aud: ['audience'],
    iat: nowSeconds(),
    nbf: nowSeconds(),
    exp: nowSeconds() + 600,
    ...claims,
  })
  const token = async (claims: object, { kid = 'first', key = own.privateKey } = {}) => {
    const jwk = (await crypto.subtle.exportKey('jwk', key)) as JsonWebKey
    return sign(claimsOf(claims), { ...jwk, alg: 'RS256', kid } as never, 'RS256')
  }
  const bindings = { ACCESS_TEAM: team, ACCESS_AUD: 'audience' }
  const visit = (assertion: string | null, query = '', headers: Options['headers'] = {}): Promise<Answer> =>
    api(null, { bindings }).request('GET', `/console/session${query}`, undefined, {
      'sec-fetch-dest': 'document',
      ...(assertion !== null && { 'cf-access-jwt-assertion': assertion }),
      ...headers,
    })
  return {
    state,
    bindings,
    publicKey: exported,
    foreignKey: foreign.privateKey,
    claimsOf,
    token,
    visit,
    /** The page for who has signed in with this address. */
    arrive: async (email: string, query = '') => visit(await token({ email }), query),
    /** The key of a new session. */
    signIn: async (email: string, query = '') => sessionKeyOf(await visit(await token({ email }), query)),
  }
}

/** Throws when the page has none. */
export function sessionKeyOf({ status, text }: Answer): string {
  const [, key] = /'lead-intake-key','(lk_\w+)'/.exec(text) ?? []
  if (key === undefined) throw new Error(`no session: ${status} ${text}`)
  return key
}

export type MemberMade = { memberId: string; email: string; name: string | null; scope: string }

export const newEmail = () => `${randomBase62(10).toLowerCase()}@example.com`

export async function addMember(key: string, fields: object = {}): Promise<MemberMade> {
  const body = { email: newEmail(), scope: 'manage', ...fields }
  return dataOf(await api(key).request('POST', '/api/v1/members', body), 201) as MemberMade
}
