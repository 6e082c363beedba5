// The index of a campaign's calls: calls of a version before get into it minute by minute.
import { expect, it } from 'vitest'
import { indexCallsByTheMinute } from '../../../src/queue/calling/table/store/calls-index.ts'
import { seedAgent } from '../../support/calling/agent.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'

it('Calls of before are shown and counted once they are in the index, and until then the answer is 503', async () => {
  const agent = await seedAgent()
  const { campaign, campaignPath, readKey, manageKey } = agent
  const [kept, erased] = [await agent.call(), await agent.call()]
  for (const { callId } of [kept, erased]) await agent.report([{ callId, outcome: 'answered' }])
  dataOf(await api(manageKey).request('DELETE', `/api/v1/leads/${erased.lead._id}`), 200)
  // From its own leads on: other tests may have left more than a minute's part in front of them.
  await companyDb.batch([
    companyDb
      .prepare(
        'update search_place set calls_place = (select min(seq) - 1 from calls where campaign_number = ?1)',
      )
      .bind(campaign.number),
    companyDb
      .prepare('update calls set campaign_number = null where campaign_number = ?1')
      .bind(campaign.number),
  ])
  const ask = (path: string) => api(readKey).request('GET', `${campaignPath}/${path}`)
  try {
    for (const path of ['calls', 'stats?by=agent', 'stats?by=day']) {
      const answer = await ask(path)
      expectFailure(answer, 503, 'Service temporarily unavailable')
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await ask('stats')).status).toBe(200)
    await indexCallsByTheMinute(companyDb)
    expect(dataOf(await ask('calls'), 200)).toMatchObject({ calls: [{ callId: kept.callId }] })
    expect(dataOf(await ask('stats?by=outcome'), 200)).toMatchObject({
      rows: [{ outcome: 'answered', called: 2 }],
    })
    expect(await companyDb.prepare('select calls_place as place from search_place').first()).toEqual({
      place: Number.MAX_SAFE_INTEGER,
    })
  } finally {
    await companyDb.prepare('update search_place set calls_place = 9007199254740991').run()
  }
})

it('A call that a version before inserts, or a move, is in the index at once', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  const { campaign, campaignPath, readKey } = agent
  const row = await companyDb
    .prepare('select * from calls where campaign_number = ?1')
    .bind(campaign.number)
    .first<Record<string, unknown>>()
  const { campaign_number: _, ...before } = row ?? {}
  const columns = Object.keys(before)
  await companyDb.batch([
    companyDb.prepare('delete from calls where campaign_number = ?1').bind(campaign.number),
    companyDb
      .prepare(
        `insert into calls (${columns.join()}) values (${columns.map((_, index) => `?${index + 1}`).join()})`,
      )
      .bind(...Object.values(before)),
  ])
  const answer = await api(readKey).request('GET', `${campaignPath}/calls`)
  expect(dataOf(answer, 200)).toMatchObject({ calls: [{ callId }] })
})
