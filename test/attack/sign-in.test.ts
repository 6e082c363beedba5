// Tokens that nobody signed for this service, and pages that make no session: each is refused in one line, and nothing
// says why.
import { sign } from 'hono/jwt'
import { afterEach, expect, it, vi } from 'vitest'
import { addMember, type Identity, newEmail, seedIdentity, sessionKeyOf } from '../support/access/identity.ts'
import { api } from '../support/http/api.ts'
import { expectFailure } from '../support/http/expectations.ts'
import { seedKey, seedWorld } from '../support/world.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const refusal = 'Sign-in could not be verified'
const seconds = () => Math.floor(Date.now() / 1000)
const encoded = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '').replaceAll('+', '-')

async function seedMember(fields: object = {}) {
  const world = await seedWorld()
  const { key: manageKey } = await seedKey({ companyId: world.companyId, scope: 'manage' })
  const identity = await seedIdentity()
  const member = await addMember(manageKey, fields)
  return { ...world, manageKey, identity, ...member }
}

const wrong: Record<string, (identity: Identity, email: string) => Promise<string | null> | string> = {
  'no token': async () => null,
  'what is no token': () => 'abc.def',
  'no algorithm': ({ claimsOf }, email) =>
    `${encoded({ alg: 'none', typ: 'JWT', kid: 'first' })}.${encoded(claimsOf({ email }))}.`,
  'a secret made of the public key': ({ claimsOf, publicKey }, email) =>
    sign(claimsOf({ email }), JSON.stringify(publicKey), 'HS256').then((token) => {
      const [, payload, signature] = token.split('.')
      return `${encoded({ alg: 'HS256', typ: 'JWT', kid: 'first' })}.${payload}.${signature}`
    }),
  'another key under the same name': ({ token, foreignKey }, email) => token({ email }, { key: foreignKey }),
  'a key that is not known': ({ token, foreignKey }, email) =>
    token({ email }, { key: foreignKey, kid: 'other' }),
  'another application': ({ token }, email) => token({ email, aud: ['another'] }),
  'no application': ({ token }, email) => token({ email, aud: undefined }),
  'another issuer': ({ token }, email) => token({ email, iss: 'https://evil.cloudflareaccess.com' }),
  'an end that has passed': ({ token }, email) => token({ email, exp: seconds() - 61 }),
  'no end': ({ token }, email) => token({ email, exp: undefined }),
  'an end that is no number': ({ token }, email) => token({ email, exp: '9999999999' }),
  'a beginning that is to come': ({ token }, email) => token({ email, nbf: seconds() + 120 }),
  'a beginning that is no number': ({ token }, email) => token({ email, nbf: 'now' }),
  'no e-mail address': ({ token }) => token({ sub: 'service' }),
  'an e-mail address that is none': ({ token }) => token({ email: '<script>' }),
  'a changed address': async ({ token }, email) => {
    const [header, payload = '', signature] = (await token({ email: 'eve@example.com' })).split('.')
    const claims = { ...JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))), email }
    return `${header}.${encoded(claims)}.${signature}`
  },
}

it.each(Object.entries(wrong))('Nobody signs in with %s', async (_, forge) => {
  const { identity, email } = await seedMember()
  const answer = await identity.visit(await forge(identity, email))
  expectFailure(answer, 401, refusal)
  expect(answer.text).not.toContain('\n')
  expect(answer.text).not.toContain('lk_')
  sessionKeyOf(await identity.arrive(email))
})

it('A clock may be a minute off in both directions, and a token of a moment ahead is taken', async () => {
  const { identity, email } = await seedMember()
  const { token, visit } = identity
  for (const claims of [{ exp: seconds() - 50 }, { nbf: seconds() + 50 }, { iat: seconds() + 30 }])
    sessionKeyOf(await visit(await token({ email, ...claims })))
})

it('The address in a header that nobody signed is not believed', async () => {
  const { identity, email } = await seedMember()
  const headers = { 'cf-access-authenticated-user-email': email }
  expectFailure(await identity.visit(null, '', headers), 401, refusal)
  const stranger = await identity.visit(await identity.token({ email: newEmail() }), '', headers)
  expect([stranger.status, stranger.text.includes('lk_')]).toEqual([403, false])
})

it('A hundred tokens of an unknown key make the service fetch certificates once a minute', async () => {
  const { identity, email } = await seedMember()
  sessionKeyOf(await identity.arrive(email))
  const { state, token, visit, foreignKey } = identity
  expect(state.fetched).toBe(1)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  const forged = await token({ email }, { key: foreignKey, kid: 'other' })
  for (const answers of [
    await Promise.all(Array.from({ length: 50 }, () => visit(forged))),
    await Promise.all(Array.from({ length: 50 }, () => visit(forged))),
  ])
    for (const answer of answers) expectFailure(answer, 401, refusal)
  expect(state.fetched).toBe(2)
})

it('A new key of the issuer is fetched when it is first used', async () => {
  const { identity, email } = await seedMember()
  sessionKeyOf(await identity.arrive(email))
  const { state, token, visit } = identity
  state.keys = [{ ...identity.publicKey, kid: 'second' }]
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  sessionKeyOf(await visit(await token({ email }, { kid: 'second' })))
  expectFailure(await visit(await token({ email })), 401, refusal)
})

it('Certificates that cannot be reached serve for their hour, and then sign-in is unavailable', async () => {
  const { identity, email } = await seedMember()
  identity.state.isAway = true
  expectFailure(await identity.arrive(email), 503, 'Service temporarily unavailable')
  identity.state.isAway = false
  sessionKeyOf(await identity.arrive(email))
  identity.state.isAway = true
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 59 * 60_000 })
  sessionKeyOf(await identity.arrive(email))
  vi.setSystemTime(Date.now() + 2 * 60_000)
  expectFailure(await identity.arrive(email), 503, 'Service temporarily unavailable')
})

it('Certificates are never fetched without encryption from another machine', async () => {
  const { identity, email } = await seedMember()
  const bindings = { ACCESS_AUD: 'audience', ACCESS_ISSUER: 'x', ACCESS_CERTS: 'http://certs.example.com/' }
  const headers = { 'sec-fetch-dest': 'document', 'cf-access-jwt-assertion': await identity.token({ email }) }
  const answer = await api(null, { bindings }).request('GET', '/console/session', undefined, headers)
  expectFailure(answer, 503, 'Service temporarily unavailable')
})

it('An address is the same in upper case, and no other letter stands for one of it', async () => {
  const { identity, manageKey } = await seedMember()
  const name = newEmail().split('@')[0]
  await addMember(manageKey, { email: `Kim.${name}@Example.com` })
  sessionKeyOf(await identity.arrive(`KIM.${name?.toUpperCase()}@EXAMPLE.COM`))
  for (const first of ['\u212aim', 'k\u0131m', 'ki\u217f', '\uff4bim', 'kim\u200b', 'kim '])
    expect([401, 403], first).toContain((await identity.arrive(`${first}.${name}@example.com`)).status)
})

it('What another page fetches or frames makes no session, and HEAD makes none', async () => {
  const { identity, email } = await seedMember()
  const token = await identity.token({ email })
  for (const destination of [
    'empty',
    'iframe',
    'frame',
    'embed',
    'object',
    'image',
    'script',
    'worker',
    null,
  ]) {
    const answer = await identity.visit(token, '', { 'sec-fetch-dest': destination })
    expectFailure(answer, 400, 'Open this page in a browser')
  }
  const { bindings } = identity
  const headers = { 'sec-fetch-dest': 'document', 'cf-access-jwt-assertion': token }
  const head = await api(null, { bindings }).request('HEAD', '/console/session', undefined, headers)
  expect(head.status).toBe(400)
  const made = await identity.visit(token)
  expect(made.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'nonce-\w{22}';.*frame-ancestors 'none'$/,
  )
  expect(made.headers.get('x-frame-options')).toBe('DENY')
  expect(made.headers.get('cache-control')).toBe('no-store')
  expect(made.headers.get('location')).toBeNull()
})

it('Without a team and its application there is nothing to sign in to', async () => {
  const { identity, email } = await seedMember()
  const token = await identity.token({ email })
  const headers = { 'sec-fetch-dest': 'document', 'cf-access-jwt-assertion': token }
  for (const bindings of [{}, { ACCESS_TEAM: 'acme' }, { ACCESS_AUD: 'audience' }]) {
    const answer = await api(null, { bindings }).request('GET', '/console/session', undefined, headers)
    expectFailure(answer, 404, 'Not found')
  }
})

it('A page names the address that was seen as text, whatever it holds', async () => {
  const { identity } = await seedMember()
  const answer = await identity.arrive(`<b>"x'@example.com`)
  expect(answer.status).toBe(403)
  expect(answer.text).toContain(`&lt;b&gt;&quot;x'@example.com`)
  expect(answer.text).not.toContain('<b>')
})
