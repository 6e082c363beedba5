// GET /api/v1/diagnosis: what the Worker says to an operator of its set-up, for each way in which that can be broken.
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { version } from '../../../package.json'
import { seedIdentity } from '../../support/access/identity.ts'
import { isOfD1 } from '../../support/database/store.ts'
import { api, type Options } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { seedKey, seedOperatorKey, seedWorld } from '../../support/world.ts'

type Check = { name: string; status: string; message: string }

const nowMs = Date.UTC(2026, 10, 29, 12)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs })
})

const long = 'x'.repeat(43)
/** Everything that may be set up, and is. */
const right = {
  SUPPRESSION_PEPPER: long,
  WEBHOOK_ROOT: long,
  PUBLIC_URL: 'https://leads.example.com',
  SECURITY_CONTACT: 'security@example.com',
  SECURITY_EXPIRES: '2027-11-26T00:00:00Z',
}

/** The object that keeps the pulse. */
const pulse = (atMs: number | null, ofVersion = version) => ({
  RATE_LIMITER: {
    getByName: (name: string) =>
      name === 'service'
        ? { pulse: async () => ({ atMs, version: ofVersion }) }
        : env.RATE_LIMITER.getByName(name),
  },
})
const beating = pulse(nowMs - 60_000)

async function diagnose(bindings: Options['bindings'] = {}): Promise<readonly Check[]> {
  const { key } = await seedOperatorKey()
  const all = { ...right, ...beating, ...bindings }
  const answer = await api(key, { bindings: all }).request('GET', '/api/v1/diagnosis')
  const data = dataOf(answer, 200) as { version: string; checks: Check[] }
  expect(data.version).toBe(version)
  expect(answer.text).not.toContain(long)
  return data.checks
}

const wrongOf = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status !== 'ok').map(({ name, status }) => `${name} ${status}`)

const ifAsked = it.skipIf(isOfD1('directory'))

ifAsked(
  'A service that is set up as it should be has nothing to mend, and neither has one with nothing optional',
  async () => {
    const checks = await diagnose()
    expect(checks.map(({ name, status }) => [name, status])).toEqual(
      [
        'SUPPRESSION_PEPPER',
        'WEBHOOK_ROOT',
        'migrations',
        'cron',
        'objects',
        'sign-in',
        'security.txt',
        'PUBLIC_URL',
      ].map((name) => [name, 'ok']),
    )
    const bare = { SECURITY_CONTACT: '', SECURITY_EXPIRES: '', PUBLIC_URL: '' }
    const without = await diagnose(bare)
    expect(wrongOf(without)).toEqual([])
    expect(without.filter(({ message }) => message === 'not set up')).toHaveLength(3)
  },
)

/** D1 before its last migration. */
function withoutLastMigration(): D1Database {
  const cut = (sql: string) => sql.replace('from d1_migrations', "from d1_migrations where name < '2011'")
  return new Proxy(env.DB, {
    get: (db, name) => {
      const member = Reflect.get(db, name)
      if (name === 'prepare') return (sql: string) => db.prepare(cut(sql))
      return typeof member === 'function' ? member.bind(db) : member
    },
  })
}

ifAsked.each<[string, Options['bindings'], string]>([
  ['no pepper', { SUPPRESSION_PEPPER: undefined }, 'SUPPRESSION_PEPPER broken'],
  ['a short pepper', { SUPPRESSION_PEPPER: 'short' }, 'SUPPRESSION_PEPPER warning'],
  ['no root', { WEBHOOK_ROOT: '' }, 'WEBHOOK_ROOT broken'],
  ['a migration that is not applied', { DB: withoutLastMigration() }, 'migrations broken'],
  ['a cron that has never run', pulse(null), 'cron warning'],
  ['a cron that stands still', pulse(nowMs - 200_000), 'cron broken'],
  ['objects of another version', pulse(nowMs, '2.0.0'), 'objects broken'],
  ['half of Access', { ACCESS_AUD: 'aud' }, 'sign-in broken'],
  ['a team without an audience', { ACCESS_TEAM: 'acme' }, 'sign-in broken'],
  [
    'certificates without encryption',
    { ACCESS_AUD: 'a', ACCESS_ISSUER: 'https://i.example', ACCESS_CERTS: 'http://i.example/certs' },
    'sign-in broken',
  ],
  ['certificates that nobody answers for', { ACCESS_AUD: 'a', ACCESS_TEAM: 'nobody' }, 'sign-in broken'],
  ['a contact without an end', { SECURITY_EXPIRES: '' }, 'security.txt broken'],
  ['an end that is no time', { SECURITY_EXPIRES: 'soon' }, 'security.txt broken'],
  ['an end that has passed', { SECURITY_EXPIRES: '2026-11-29T11:00:00Z' }, 'security.txt warning'],
  ['a public URL that is none', { PUBLIC_URL: 'leads.example.com' }, 'PUBLIC_URL broken'],
])('One thing is named: %s', async (_, bindings, wrong) =>
  expect(wrongOf(await diagnose(bindings))).toEqual([wrong]),
)

ifAsked('Objects that do not answer are named, and the cron that they know of', async () => {
  const silent = { getByName: (name: string) => (name === 'service' ? {} : env.RATE_LIMITER.getByName(name)) }
  expect(wrongOf(await diagnose({ RATE_LIMITER: silent }))).toEqual(['cron warning', 'objects broken'])
})

ifAsked('Certificates that can be read are counted', async () => {
  const { bindings, state } = await seedIdentity()
  const signIn = async () => (await diagnose(bindings)).find(({ name }) => name === 'sign-in')
  expect(await signIn()).toMatchObject({ status: 'ok', message: '1 certificates read' })
  state.isAway = true
  expect(await signIn()).toMatchObject({ status: 'broken' })
})

ifAsked('The object keeps when the cron has run last', async () => {
  const stub = env.RATE_LIMITER.getByName('service')
  await stub.beat()
  expect(
    (await diagnose({ RATE_LIMITER: env.RATE_LIMITER })).find(({ name }) => name === 'cron')?.status,
  ).toBe('ok')
  expect(await stub.pulse()).toMatchObject({ version })
})

ifAsked('No key of a company learns anything of it', async () => {
  const { companyId, readKey } = await seedWorld()
  const { key } = await seedKey({ companyId, scope: 'manage' })
  for (const one of [key, readKey])
    expectFailure(await api(one).request('GET', '/api/v1/diagnosis'), 403, 'Insufficient permissions')
})
