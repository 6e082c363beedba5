// Idempotency-Key where sources and members are made: a request that comes again makes no second one.
import { expect, it } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { seedCampaign, seedKey, seedWorld } from '../../support/world.ts'

type Seeded = Awaited<ReturnType<typeof seed>>
const seed = async () => {
  const world = await seedWorld()
  const { key } = await seedKey({ companyId: world.companyId, scope: 'manage' })
  return { ...world, manager: api(key) }
}

let emails = 0
const kinds = [
  {
    what: 'source',
    id: 'sourceId',
    path: ({ campaignId }: Seeded) => `/api/v1/campaigns/${campaignId}/sources`,
    wanted: () => ({ name: 'Form', countries: ['DE'] }),
  },
  {
    what: 'member',
    id: 'memberId',
    path: () => '/api/v1/members',
    wanted: () => ({ email: `once${emails++}@example.com`, scope: 'read' }),
  },
] as const

const countOf = async ({ companyId }: Seeded, what: string) =>
  (
    await companyDb
      .prepare(`select count(*) as count from ${what}s where company_id = ?1`)
      .bind(companyId)
      .first<{ count: number }>()
  )?.count

it.each(kinds)('A $what is made once by requests with one Idempotency-Key', async (kind) => {
  const [own, other] = [await seed(), await seed()]
  const body = kind.wanted()
  const ask = ({ manager }: Seeded, of: object, key: string | null) =>
    manager.request('POST', kind.path(own), of, key === null ? {} : { 'idempotency-key': key })
  const path = kind.path(own)
  const first = await ask(own, body, 'one')
  const again = await ask(own, body, 'one')
  const made = dataOf(first, 201) as Record<string, unknown>
  expect(dataOf(again, 201)).toEqual(made)
  expect([first, again].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  expect(await countOf(own, kind.what)).toBe(1)
  const another = { ...kind.wanted(), name: 'Another' }
  expectFailure(await ask(own, another, 'one'), 409, 'Idempotency-Key was used for a different request')
  expect(await countOf(own, kind.what)).toBe(1)
  const two = dataOf(await ask(own, another, 'two'), 201) as Record<string, unknown>
  expect(two[kind.id]).not.toBe(made[kind.id])
  dataOf(await ask(own, kind.wanted(), null), 201)
  expect(await countOf(own, kind.what)).toBe(3)
  // Another key has keys of its own.
  const theirs = await other.manager.request('POST', kind.path(other), kind.wanted(), {
    'idempotency-key': 'one',
  })
  expect((dataOf(theirs, 201) as Record<string, unknown>)[kind.id]).not.toBe(made[kind.id])
  dataOf(await own.manager.request('DELETE', `${path}/${made[kind.id]}`), 200)
  const late = await ask(own, body, 'one')
  expect(late.status).toBe(404)
  expectFailure(
    await ask(own, body, 'not a key'),
    400,
    'Idempotency-Key must be 1 to 255 visible ASCII characters',
  )
})

it('Ten requests at once with one Idempotency-Key make one source, and one member', async () => {
  const own = await seed()
  for (const kind of kinds) {
    const body = kind.wanted()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        own.manager.request('POST', kind.path(own), body, { 'idempotency-key': 'all' }),
      ),
    )
    const ids = answers.map((answer) => (dataOf(answer, 201) as Record<string, unknown>)[kind.id])
    expect(new Set(ids).size).toBe(1)
    expect(await countOf(own, kind.what)).toBe(1)
  }
})

it('An Idempotency-Key takes part in the path: in another campaign it is another request', async () => {
  const own = await seed()
  const { id } = await seedCampaign(own.companyId)
  const body = { name: 'Form', countries: ['DE'] }
  const ask = (campaignId: string) =>
    own.manager.request('POST', `/api/v1/campaigns/${campaignId}/sources`, body, { 'idempotency-key': 'one' })
  dataOf(await ask(own.campaignId), 201)
  expect((await ask(id)).status).toBe(409)
})
