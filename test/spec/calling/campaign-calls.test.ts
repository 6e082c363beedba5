// The calls of a campaign as a table, and leads, calls and costs counted by what a manager asks for.
import { expect, it } from 'vitest'
import { anyNumberAgain, openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { seedWorld } from '../../support/world.ts'

type Call = Record<string, unknown> & { callId: string; leadId: string }
type Page = { calls: Call[]; nextCursor: string | null }
type Row = Record<string, unknown> & { called: number; costs: object[] }

const settings = { ...openAtAllHours, ...anyNumberAgain }

async function seedCalls() {
  const agent = await seedAgent(settings)
  const other = await agent.another()
  const ask = async (query: Record<string, string> = {}, from = agent) => {
    const path = `${from.campaignPath}/calls?${new URLSearchParams(query)}`
    return dataOf(await api(agent.readKey).request('GET', path), 200) as Page
  }
  const counted = async (query: Record<string, string>) => {
    const path = `${agent.campaignPath}/stats?${new URLSearchParams(query)}`
    return (dataOf(await api(agent.readKey).request('GET', path), 200) as { rows: Row[] }).rows
  }
  /** A call of a new lead that ends so. */
  const call = async (outcome: string, more: object = {}, by: { agent?: string; headers?: object } = {}) => {
    const { campaignId } = agent
    const lead = { campaignId, phoneNumber: `+1415${String(Date.now()).slice(-4)}${++numbers}` }
    const headers = by.headers as Record<string, string>
    const { leadId } = dataOf(await api(agent.writeKey).createLead(lead, headers), 201)
    const [claimed] = (await agent.claim({ ...(by.agent && { agent: by.agent }) })).calls
    await agent.report([{ callId: claimed?.callId ?? '', outcome, ...more }])
    return { ...lead, leadId, callId: claimed?.callId as string }
  }
  return { ...agent, other, list: ask, counted, call }
}
let numbers = 100

it('The calls of a campaign are shown newest first, with what their details say, and those of another are not', async () => {
  const agent = await seedCalls()
  const { call, list, other, campaignId } = agent
  const details = {
    summary: 'Wants an offer',
    recordingUrl: 'https://voice.example/r',
    transcriptUrl: 'javascript:alert(1)',
    costAmount: 0.125,
    costCurrency: 'usd',
    cost: 1,
  }
  const first = await call('answered', { durationSeconds: 61, details }, { agent: 'Ada' })
  const second = await call('busy', { details: { costAmount: '1e3', summary: { deep: 1 } } })
  await other.call()
  const ring = { from: first.phoneNumber, take: true }
  const { call: rung } = dataOf(await agent.ask('POST', '/api/v1/calls/inbound', ring), 200) as { call: Call }
  const { calls: all, nextCursor } = await list()
  expect(nextCursor).toBeNull()
  expect(all.map(({ callId }) => callId)).toEqual([rung.callId, second.callId, first.callId])
  expect(all.map(({ direction }) => direction)).toEqual(['inbound', 'outbound', 'outbound'])
  const calls = all.slice(1)
  expect(calls[1]).toMatchObject({
    ...{ leadId: first.leadId, phoneNumber: first.phoneNumber, agent: 'Ada', attempt: 1 },
    ...{ outcome: 'answered', durationSeconds: 61, costAmount: '0.125', costCurrency: 'USD' },
    ...{ recordingUrl: 'https://voice.example/r', transcriptUrl: null, summary: 'Wants an offer' },
    origin: { kind: 'api', keyId: expect.any(String) },
  })
  expect(calls[0]).toMatchObject({ costAmount: null, costCurrency: null, summary: null, recordingUrl: null })
  expect((await list({}, other as never)).calls).toHaveLength(1)
  const { campaignId: _, readKey } = await seedWorld()
  const denied = await api(readKey).request('GET', `/api/v1/campaigns/${campaignId}/calls`)
  expectFailure(denied, 403, 'Campaign not found or access denied')
})

it('The calls of a campaign are found by outcome, agent, origin and time, and by nothing else', async () => {
  const { call, list } = await seedCalls()
  const one = await call('answered', {}, { agent: 'Ada', headers: { 'x-import-name': 'a.csv' } })
  const two = await call('answered', {}, { agent: 'Bob' })
  const three = await call('busy', {}, { agent: 'Ada' })
  const idsBy = async (query: Record<string, string>) => (await list(query)).calls.map(({ callId }) => callId)
  expect(await idsBy({ outcome: 'answered' })).toEqual([two.callId, one.callId])
  expect(await idsBy({ agent: 'Ada' })).toEqual([three.callId, one.callId])
  expect(await idsBy({ origin: 'import' })).toEqual([one.callId])
  expect(await idsBy({ origin: 'api', outcome: 'busy' })).toEqual([three.callId])
  const claimedAt = (await list()).calls[1]?.claimedAt as string
  expect(await idsBy({ from: claimedAt })).toEqual([three.callId, two.callId])
  expect(await idsBy({ to: claimedAt })).toEqual([one.callId])
})

it('The calls of a campaign are the same page by page and as CSV, with equal times too', async () => {
  const { call, list, campaign, readKey, campaignPath, manageKey } = await seedCalls()
  const ids: string[] = []
  for (const outcome of ['busy', 'busy', 'answered', 'no_answer', 'busy'])
    ids.unshift((await call(outcome)).callId)
  await companyDb
    .prepare('update calls set claimed_at_ms = 1795000000000 where campaign_number = ?1')
    .bind(campaign.number)
    .run()
  const leadIds = (await list()).calls.map(({ leadId }) => leadId)
  expect(new Set(leadIds).size).toBe(5)
  const walked: string[] = []
  const rows: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: Record<string, string> = { limit: '2', cursor }
    const path = `${campaignPath}/calls?${new URLSearchParams(query)}`
    const csv = await api(readKey).request('GET', path, undefined, { accept: 'text/csv' })
    rows.push(...csv.text.trimEnd().split('\r\n'))
    const page: Page = await list(query)
    expect(csv.headers.get('next-cursor')).toBe(page.nextCursor)
    walked.push(...page.calls.map(({ leadId }) => leadId))
    cursor = page.nextCursor
  }
  expect(walked).toEqual(leadIds)
  expect(rows[0]).toMatch(
    /^callId,leadId,phoneNumber,.*,summary,originKind,originId,originName,originImport$/,
  )
  expect(rows.slice(1).map((row) => row.split(',')[1])).toEqual(leadIds)
  expect(rows[1]).toMatch(/,\+1415\d+,/)
  const { events } = dataOf(
    await api(manageKey).request('GET', '/api/v1/events?types=leads.exported'),
    200,
  ) as { events: { data: object }[] }
  expect(events.map(({ data }) => data)).toEqual([{ campaignId: campaign.id, format: 'csv', of: 'calls' }])
})

it('The call of an erased lead is in no table, and the one beside it is', async () => {
  const { call, list, manageKey } = await seedCalls()
  const [gone, kept] = [await call('busy'), await call('busy')]
  dataOf(await api(manageKey).request('DELETE', `/api/v1/leads/${gone.leadId}`), 200)
  expect((await list()).calls.map(({ callId }) => callId)).toEqual([kept.callId])
})

it('A page of calls looks at a thousand, may be empty, and the pages have every match once', async () => {
  const { campaign, campaignPath, readKey, companyId, call, list } = await seedCalls()
  await call('answered')
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
       insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt, outcome)
       select ?1, l.phone_number, 1000 + n.i, l.seq, 't', 1, iif(n.i in (3, 4), 'answered', 'busy')
       from n cross join leads as l on l.campaign_number = ?2`,
    )
    .bind(companyId, campaign.number)
    .run()
  expect((await list({ limit: '1000', to: '3500' })).calls).toHaveLength(1000)
  const walked: unknown[] = []
  let pages = 0
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const { DB, trips } = watchedDatabase()
    const query: Record<string, string> = { outcome: 'answered', limit: '5', cursor }
    const path = `${campaignPath}/calls?${new URLSearchParams(query)}`
    const page = dataOf(await api(readKey, { bindings: { DB } }).request('GET', path), 200) as Page
    const read = trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
    expect(read).toBeLessThan(7_000)
    walked.push(...page.calls.map(({ claimedAt }) => Date.parse(claimedAt as string)))
    cursor = page.nextCursor
  }
  expect(walked.slice(1)).toEqual([1004, 1003])
  expect(pages).toBe(3)
})

it('Counts by outcome, agent and origin have calls and costs, each currency alone, and no other campaign', async () => {
  const { call, counted, other, list, release, claim, add } = await seedCalls()
  const usd = (costAmount: unknown) => ({ details: { costAmount, costCurrency: 'USD' } })
  await call('answered', usd('0.1'), { agent: 'Ada', headers: { 'x-import-name': 'a.csv' } })
  await call('answered', usd(0.2), { agent: 'Ada' })
  await call('answered', { details: { costAmount: '3', costCurrency: 'EUR' } }, { agent: 'Bob' })
  await call('busy', { details: { costAmount: '1', costCurrency: 'dollars' } }, { agent: 'Bob' })
  await call('busy', { details: { costAmount: '-1', costCurrency: 'USD' } }, { agent: 'Bob' })
  await add()
  await release([{ callId: (await claim()).calls[0]?.callId ?? '' }])
  await other.report([{ callId: (await other.call()).callId, outcome: 'answered', ...usd(7) }])
  expect(await counted({ by: 'outcome' })).toEqual([
    {
      ...{ outcome: 'answered', leads: null, called: 3, answered: 3, concluded: 3, unknownCosts: 0 },
      costs: [
        { currency: 'EUR', amount: '3', perAnswered: '1' },
        { currency: 'USD', amount: '0.3', perAnswered: '0.1' },
      ],
    },
    { outcome: 'busy', leads: null, called: 2, answered: 0, concluded: 0, costs: [], unknownCosts: 1 },
  ])
  const byAgent = await counted({ by: 'agent' })
  expect(byAgent.map(({ agent, called, answered }) => [agent, called, answered])).toEqual([
    ['Bob', 3, 1],
    ['Ada', 2, 2],
  ])
  const byOrigin = await counted({ by: 'origin' })
  expect(
    byOrigin.map(({ origin, leads, called }) => [(origin as { kind: string }).kind, leads, called]),
  ).toEqual([
    ['api', 4, 4],
    ['import', 1, 1],
    ['api', 1, 0],
  ])
  for (const by of ['day', 'hour']) {
    const rows = await counted({ by })
    expect(rows).toHaveLength(by === 'day' ? 7 : 24)
    expect(rows.at(-1)).toMatchObject({ leads: 6, called: 5, answered: 3, concluded: 3, unknownCosts: 1 })
    expect(rows[0]).toMatchObject({ leads: 0, called: 0, costs: [] })
  }
  expect((await list()).calls).toHaveLength(6)
})

it('Counts are CSV where that is asked for, with two columns for each currency', async () => {
  const { call, campaignPath, readKey } = await seedCalls()
  await call('answered', { details: { costAmount: '0.5', costCurrency: 'USD' } }, { agent: '=Ada' })
  await call('busy', {}, { agent: 'Bob' })
  const csv = await api(readKey).request('GET', `${campaignPath}/stats?by=agent`, undefined, {
    accept: 'text/csv',
  })
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(csv.text.split('\r\n').toSorted()).toEqual(
    [
      '',
      "'=Ada,,1,1,1,0,0.5,0.5",
      'Bob,,1,0,0,0,,',
      'agent,leads,called,answered,concluded,unknownCosts,costUSD,costPerAnsweredUSD',
    ].toSorted(),
  )
})

it('Counts of more than 100,000 leads or calls are refused, and those of a shorter time are not', async () => {
  const { campaign, campaignPath, readKey } = await seedCalls()
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 100001)
       insert into leads (seq, campaign_number, phone_number, created_at_ms, token)
       select (?1 << 32) + i, ?1, '+1' || (5000000000 + i), i * 1000, 't' from n`,
    )
    .bind(campaign.number)
    .run()
  const ask = (to: number) => api(readKey).request('GET', `${campaignPath}/stats?by=origin&from=0&to=${to}`)
  expectFailure(await ask(100_001_001), 400, 'choose a shorter time', 'invalid_field')
  const { rows } = dataOf(await ask(100_001_000), 200) as { rows: Row[] }
  expect(rows).toMatchObject([{ origin: null, leads: 100_000, called: 0 }])
})
