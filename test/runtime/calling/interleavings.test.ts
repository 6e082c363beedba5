// A create and a claim that waits, each stopped at every one of its awaits while the other goes on, with rings that are
// lost, doubled or delayed: the lead is never left while the agent waits.
import { expect, it } from 'vitest'
import { seedAgent } from '../../support/calling/agent.ts'
import { rings, untilWaiting, watchedBells } from '../../support/calling/bell.ts'
import { databaseThat } from '../../support/database/database.ts'
import { createGate } from '../../support/database/gate.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { everyOther } from '../../support/run/thorough.ts'
import { newPhone } from '../../support/world.ts'

const createStops = ['before its commit', 'after its commit', 'before its ring', 'after its ring'] as const
const waitStops = [
  'before the first try',
  'after the first try',
  'before registering',
  'after registering',
  'before the second try',
  'after the second try',
] as const

type Order = 'create' | 'claim'

/** Both stop at their places; `order` goes on first, to its end. Throws when the lead is left. */
async function interleave(
  order: Order,
  createStop: (typeof createStops)[number],
  waitStop: (typeof waitStops)[number],
  ring: keyof typeof rings,
): Promise<void> {
  const agent = await seedAgent()
  const { campaignId, campaign } = agent
  // Writes the openings, so that each try is one trip.
  await agent.add()
  await agent.claim()
  const [creating, waiting] = [createGate(createStop), createGate(waitStop)]

  const ringing = watchedBells(async (run) => {
    await creating.pass('before its ring')
    const rung = await rings[ring](run)
    await creating.pass('after its ring')
    return rung
  })
  const inserting = databaseThat(async (run, { statements }) => {
    const isInsert = statements.some(({ sql }) => sql.startsWith('insert into leads'))
    if (isInsert) await creating.pass('before its commit')
    const result = await run()
    if (isInsert) await creating.pass('after its commit')
    return result
  })
  const creation = api(agent.writeKey, {
    bindings: { DB: inserting.DB, CAMPAIGN_BELLS: ringing.CAMPAIGN_BELLS },
  }).createLead({ campaignId, phoneNumber: newPhone() })
  await Promise.race([creating.reached, creation])

  const { CAMPAIGN_BELLS } = watchedBells()
  let tries = 0
  const claiming = databaseThat(async (run, { statements }) => {
    if (!statements.some(({ sql }) => sql.startsWith('insert into claims'))) return run()
    const which = tries++ === 0 ? 'first' : 'second'
    await waiting.pass(`before the ${which} try`)
    const result = await run()
    await waiting.pass(`after the ${which} try`)
    return result
  })
  const getByName = (name: string) => ({
    async fetch(url: string, init: RequestInit) {
      await waiting.pass('before registering')
      const response = await CAMPAIGN_BELLS.getByName(name).fetch(url, init)
      await waiting.pass('after registering')
      return response
    },
  })
  const body = { campaignId, waitSeconds: ring === 'dropped' ? 2 : 25 }
  const claim = api(agent.agentKey, {
    bindings: { DB: claiming.DB, CAMPAIGN_BELLS: { getByName } },
  }).request('POST', '/api/v1/calls/claim', body)
  const over = new AbortController()
  await Promise.race([waiting.reached, claim, untilWaiting(campaign, 1, over.signal)])

  if (order === 'create') {
    creating.goOn()
    await creation
    waiting.goOn()
  } else {
    waiting.goOn()
    await Promise.race([claim, untilWaiting(campaign, 1, over.signal)])
    creating.goOn()
  }
  const [answer, created] = await Promise.all([claim, creation])
  over.abort()
  expect(created.status).toBe(201)
  const { calls, reason } = dataOf(answer, 200) as { calls: object[]; reason: string | null }
  if (calls.length > 0) return
  // A dropped ring costs the rest of the wait, and no more.
  if (ring !== 'dropped') expect([createStop, waitStop, reason]).toEqual([createStop, waitStop, 'ready'])
  expect((await agent.claim()).calls).toHaveLength(1)
}

const ringNames = Object.keys(rings) as (keyof typeof rings)[]
const cases = (['create', 'claim'] as const).flatMap((order, first) =>
  createStops.flatMap((createStop, second) =>
    ringNames.map((ring, third) => [createStop, ring, order, first + second + third] as const),
  ),
)

it.each(cases)(
  'A lead is not left while an agent waits: its create stops %s, which is %s, and the %s continues first',
  async (createStop, ring, order, place) => {
    const stops = everyOther(waitStops, place)
    await Promise.all(stops.map((waitStop) => interleave(order, createStop, waitStop, ring)))
  },
)
