// How far the test clock of `npm start -- --clock` moves in a step: to the next lead that is due, and from a lead that
// can be called by a minute, in D1 and in a store of its own.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import clockedWorker from '../../src/admin/clock/clocked-worker.ts'
import { driveClock } from '../../src/admin/clock/drive-clock.ts'
import { readClock, setClock } from '../../src/admin/clock/test-clock.ts'
import { type Kind, type OwnCompany, seedCompanyIn } from '../support/companies/own-company.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { newPhone } from '../support/world.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const startMs = Date.UTC(2036, 6, 7, 12)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: startMs })
  setClock({ state: 'running', atMs: startMs, aheadMs: 0, untilMs: startMs + dayMs, stopsAtEvent: false })
})
afterEach(() => setClock({ state: 'real', aheadMs: 0, untilMs: null }))

/** How far each step moves the clock, and how: busy it runs, else it jumps. */
async function takeSteps(count: number) {
  const steps: (readonly [movedMs: number, state: string])[] = []
  let beforeMs = readClock().atMs
  await driveClock(env, {
    runCron: async () => {},
    idle: async () => {},
    isOver: () => steps.length === count,
    nextPersonMs: () => Number.POSITIVE_INFINITY,
    bringPeople: async () => {},
    onStep: async () => {
      const { atMs, state } = readClock()
      steps.push([atMs - beforeMs, state])
      beforeMs = atMs
      vi.setSystemTime(atMs)
    },
  })
  return steps
}

const addLead = async ({ campaignId, keyOf }: OwnCompany, dueAtMs: number) => {
  const scheduledFor = new Date(dueAtMs).toISOString()
  const lead = { campaignId, phoneNumber: newPhone(), scheduledFor }
  dataOf(await api(keyOf('write').key).createLead(lead), 201)
  // From the first claim on it is known when the campaign opens.
  if (dueAtMs > startMs)
    dataOf(await api(keyOf('agent').key).request('POST', '/api/v1/calls/claim', { campaignId }), 200)
}
const empty = ({ db, campaign }: OwnCompany) =>
  db.prepare('update leads set due_at_ms = null where campaign_number = ?1').bind(campaign.number).run()

it.each<Kind>(['shared', 'own'])(
  'From a lead that is due exactly now the clock moves by a minute, wherever its company is: %s',
  async (kind) => {
    const [company, neighbour] = [await seedCompanyIn(kind), await seedCompanyIn('shared')]
    await addLead(company, startMs)
    await addLead(neighbour, startMs + 5 * hourMs)
    expect(await takeSteps(2)).toEqual([
      [minuteMs, 'running'],
      [minuteMs, 'running'],
    ])
    await Promise.all([empty(company), empty(neighbour)])
  },
)

it.each<Kind>(['shared', 'own'])(
  'The clock jumps to the moment when a lead is due and no further, and runs from there: %s',
  async (kind) => {
    const [company, neighbour] = [await seedCompanyIn(kind), await seedCompanyIn('shared')]
    await addLead(company, startMs + 25 * minuteMs)
    await addLead(neighbour, startMs + 5 * hourMs)
    expect(await takeSteps(2)).toEqual([
      [25 * minuteMs, 'jumping'],
      [minuteMs, 'running'],
    ])
    await Promise.all([empty(company), empty(neighbour)])
  },
)

it('Where no lead is due the clock jumps by an hour at most, for what is due at no known moment', async () => {
  expect(await takeSteps(2)).toEqual([
    [hourMs, 'jumping'],
    [hourMs, 'jumping'],
  ])
})

const clockUrl = 'http://localhost/test/clock'
const post = (url: string, body: object | null, on: Env = env) =>
  clockedWorker.fetch(
    new Request(url, {
      ...{ method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    }) as Parameters<typeof clockedWorker.fetch>[0],
    on,
    createExecutionContext(),
  )

/** A phone that is rung for a test until then. */
const ringTest = ({ db, companyId, campaign }: OwnCompany, endsAtMs: number) =>
  db
    .prepare(
      `insert into test_calls (company_id, phone_number, campaign_number, test_id, ends_at_ms)
       values (?1, '+4930123456', ?2, 'test', ?3)`,
    )
    .bind(companyId, campaign.number, endsAtMs)
    .run()

it.each<Kind>(['shared', 'own'])(
  'The clock is not run while a test call is live anywhere, and is where that of another company is over: %s',
  async (kind) => {
    setClock({ state: 'real', aheadMs: 0, untilMs: null })
    // The clock is known, and nothing drives it.
    await (await post(`${clockUrl}/drive`, null, {} as Env)).body?.cancel()
    const [company, neighbour] = [await seedCompanyIn(kind), await seedCompanyIn('shared')]
    const run = async () => {
      const answer = await post(clockUrl, { runTo: new Date(startMs + dayMs).toISOString() })
      return [answer.status, answer.headers.get('x-error-code'), readClock().state]
    }
    await ringTest(neighbour, startMs)
    await ringTest(company, startMs + 1)
    expect(await run()).toEqual([409, 'test_call_is_live', 'real'])
    vi.setSystemTime(startMs + 1)
    expect(await run()).toEqual([200, null, 'running'])
    for (const { db, companyId } of [company, neighbour])
      await db.prepare('delete from test_calls where company_id = ?1').bind(companyId).run()
  },
)
