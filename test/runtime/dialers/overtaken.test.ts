// Settings that are changed while a round of the former ones, or another change of them, is under way.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { databaseThat } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { lasting, seedDialer } from '../../support/dialers/dialer-world.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

it.each<[what: string, isRefusedAgain: boolean]>([
  ['does not stop settings that were changed meanwhile', false],
  ['hides no alert of those that were changed meanwhile', true],
])(
  'A refusal of former settings %s, though they were shown before a round has taken them over',
  async (_, isRefusedAgain) => {
    const refused = () => Response.json({ message: 'wrong key' }, { status: 401 })
    const state = { mayAnswer: false }
    let starts = 0
    const world = await seedDialer(async (sent) => {
      if (sent.method !== 'POST' || sent.path !== '/calls') return lasting(sent)
      const isFirst = starts++ === 0
      while (isFirst && !state.mayAnswer) await new Promise((resolve) => setTimeout(resolve, 5))
      return isFirst || isRefusedAgain ? refused() : lasting(sent)
    })
    const stoppedReason = async () =>
      (
        await companyDb
          .prepare('select stopped_reason as reason from dialers where campaign_number = ?1')
          .bind(world.campaign.number)
          .first<{ reason: string | null }>()
      )?.reason
    await world.add()
    await world.run(0, 1)
    const round = runDurableObjectAlarm(world.object)
    await vi.waitFor(() => expect(world.starts()).toHaveLength(1))
    const changed = await world.shown('PATCH', { secrets: { apiKey: 'sk-9999999999-right-9z9z' } })
    expect(changed.state.status).not.toBe('stopped')
    state.mayAnswer = true
    await round
    await world.run(1)
    expect(world.starts()).toHaveLength(2)
    expect((await world.shown('GET')).state.status).toBe(isRefusedAgain ? 'stopped' : 'running')
    expect(await stoppedReason()).toBe(isRefusedAgain ? 'account' : null)
  },
)

type World = Awaited<ReturnType<typeof seedDialer>>
type Meanwhile = () => Promise<unknown>

/** Changes a dialer, and does `meanwhile` once the request has read how it is before, or has written it unheard. */
async function changeOvertaken(world: World, change: object, meanwhile: Meanwhile, isUnheard = false) {
  const awaited = isUnheard ? /insert into "?dialers"?\s/ : /"removedAtMs"/
  let isDone = false
  const { DB } = databaseThat(async (run, { statements }) => {
    const answer = await run()
    if (isDone || !statements.some(({ sql }) => awaited.test(sql))) return answer
    isDone = true
    await meanwhile()
    if (isUnheard) throw new Error('D1_ERROR: Network connection lost.')
    return answer
  })
  const client = api(world.manageKey, { bindings: { DB } })
  const changed = dataOf(await client.request('PATCH', `${world.campaignPath}/dialer`, change), 200)
  expect(isDone).toBe(true)
  return changed
}

it.each<[what: string, change: object, then: object]>([
  ['switched off and then given fewer calls at once', { enabled: false }, { maxLive: 1 }],
  ['given fewer calls at once and then switched off', { maxLive: 1 }, { enabled: false }],
])('A dialer that is %s within one millisecond is both, and no other is', async (_, change, then) => {
  const [world, other] = [await seedDialer(), await seedDialer()]
  const both = { enabled: false, maxLive: 1 }
  expect(await changeOvertaken(world, then, () => world.shown('PATCH', change))).toMatchObject(both)
  expect(await world.shown('GET')).toMatchObject(both)
  expect(await other.shown('GET')).toMatchObject({ enabled: true, maxLive: 5 })
})

it.each([
  ['being read', false],
  ['written, and its answer is lost', true],
])('Archiving disables a dialer, also while a change of it is %s, and no other', async (_, isUnheard) => {
  const [world, other] = [await seedDialer(), await seedDialer()]
  const archive = () => world.change({ archived: true })
  const off = { enabled: false, maxLive: 4 }
  expect(await changeOvertaken(world, { maxLive: 4 }, archive, isUnheard)).toMatchObject(off)
  expect(await changeOvertaken(other, { maxLive: 4 }, async () => {})).toMatchObject({ enabled: true })
  await world.change({ archived: false })
  for (const { add, run } of [world, other]) {
    await add()
    await run()
  }
  expect([world.starts().length, other.starts().length]).toEqual([0, 1])
  expect(await world.shown('GET')).toMatchObject(off)
})
