// What one company may have, so that none takes what all share: campaigns, and keys made in an hour.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { limits } from '../../src/base/limits.ts'
import { ask, create, madeBy, revoke, rotate, seedManaged } from '../support/access/keys.ts'
import { asOperator, companiesPath } from '../support/companies/operator.ts'
import { companyDb } from '../support/database/store.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { entriesOf } from '../support/ledger/log.ts'
import { stopClock } from '../support/run/clock.ts'

beforeEach(stopClock)

const hourMs = 3_600_000
const { newKeysPerHourPerCompany: mostKeys, campaignsPerCompany: mostCampaigns } = limits

describe('The campaigns of a company', () => {
  const createOne = (key: string, id: string) =>
    ask(key, 'POST', '/api/v1/campaigns', { id, name: id, timeZone: 'UTC' })
  const refuse = (answer: Awaited<ReturnType<typeof createOne>>) =>
    expectFailure(answer, 409, 'Too many campaigns', 'too_many_campaigns')
  const countOf = (companyId: string) =>
    companyDb
      .prepare('select count(*) as n from campaigns where company_id = ?1')
      .bind(companyId)
      .first<number>('n')

  it('The campaigns of a company are at most 10,000, archived ones included', async () => {
    const { companyId, manage } = await seedManaged()
    await companyDb
      .prepare(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
         insert into campaigns (number, id, company_id, name, created_at_ms, archived_at_ms)
         select (select max(number) from campaigns) + i, 'many-' || i, ?1, 'many', 0, iif(i % 2, 0, null) from n`,
      )
      .bind(companyId, mostCampaigns - 2)
      .run()
    expect((await createOne(manage.key, 'last')).status).toBe(201)
    refuse(await createOne(manage.key, 'beyond'))
    expectFailure(await createOne(manage.key, 'last'), 409, 'Campaign already exists', 'campaign_exists')
    expect(await countOf(companyId)).toBe(mostCampaigns)
    const created = (await entriesOf(companyId)).filter(({ type }) => type === 'campaign.created')
    expect(created).toHaveLength(1)
  })

  it('The campaigns of a company are as many as the operator has set', async () => {
    const { companyId, manage } = await seedManaged()
    const operator = await asOperator()
    const limit = (maxCampaigns: number) =>
      operator.ask('PATCH', `${companiesPath}/${companyId}`, { maxCampaigns })
    dataOf(await limit(2), 200)
    const answers = await Promise.all(['a', 'b', 'c'].map((id) => createOne(manage.key, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect((await entriesOf(companyId)).map(({ type }) => type)).toEqual(['campaign.created'])
    dataOf(await limit(2_097_151), 200)
    expect((await createOne(manage.key, 'd')).status).toBe(201)
  })
})

describe('The keys that a company makes', () => {
  const fill = async (key: string, count: number) => {
    for (let i = 0; i < count; i++) madeBy(await create(key))
  }

  it('The keys that a company makes are at most 60 in any hour, rotations included, and Retry-After is exact', async () => {
    const { manage, readKeyId, count } = await seedManaged()
    const first = madeBy(await create(manage.key))
    vi.setSystemTime(Date.now() + 1000)
    await fill(manage.key, mostKeys - 2)
    madeBy(await rotate(manage.key, readKeyId))
    vi.setSystemTime(Date.now() + 60_500)
    const before = await count()
    for (const refused of [await create(manage.key), await rotate(manage.key, first.keyId)]) {
      expectFailure(refused, 429, 'Rate limit exceeded', 'rate_limited')
      const named = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
      const retryAtMs = Date.now() + hourMs - 61_500
      expect(named.map((name) => refused.headers.get(name))).toEqual([
        String(Math.ceil((hourMs - 61_500) / 1000)),
        String(mostKeys),
        '0',
        String(Math.ceil(retryAtMs / 1000)),
      ])
      expect(refused.headers.get('ratelimit-policy')).toBe('"hour";q=1000;w=3600, "keys";q=60;w=3600')
    }
    expect(await count()).toBe(before)
    // Ending one makes no room, and needs none.
    expect((await revoke(manage.key, first.keyId)).status).toBe(200)
    vi.setSystemTime(Date.now() + hourMs - 61_500 - 1)
    expect((await create(manage.key)).status).toBe(429)
    vi.setSystemTime(Date.now() + 1)
    madeBy(await create(manage.key))
    expect((await create(manage.key)).status).toBe(429)
  })

  it('The keys that a company makes repeat what an Idempotency-Key has made, also beyond the limit', async () => {
    const { manage } = await seedManaged()
    const headers = { 'idempotency-key': 'order-1' }
    const made = madeBy(await create(manage.key, {}, headers))
    await fill(manage.key, mostKeys - 1)
    expect(madeBy(await create(manage.key, {}, headers)).keyId).toBe(made.keyId)
  })

  it('The keys that a company makes do not count those of the operator, nor of another company, nor hold the operator up', async () => {
    const [{ companyId, manage }, other] = [await seedManaged(), await seedManaged()]
    const operator = await asOperator()
    const byOperator = () => operator.createKey(companyId, { scope: 'read' })
    for (let i = 0; i < mostKeys; i++) await byOperator()
    await fill(manage.key, mostKeys)
    expect((await create(manage.key)).status).toBe(429)
    await byOperator()
    madeBy(await create(other.manage.key))
  })
})
