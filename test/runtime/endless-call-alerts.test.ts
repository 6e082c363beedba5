// The alert that a call never ends: of an agent after two hours, of a dialer after twice the longest of its calls.
import { expect, it } from 'vitest'
import { alertByTheMinute } from '../../src/control/alerts/alert-cron.ts'
import { loggedIn, raisedIn } from '../support/alerts/alerts.ts'
import { type CallingWorld, hourMs, minuteMs, noonMs, seedCallingWorld } from '../support/calling/calling.ts'
import { planOf, watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'

const look = (atMs: number) => alertByTheMinute(companyDb, atMs)
const iso = (ms: number) => new Date(ms).toISOString()
const since = iso(noonMs)

/** A call of this agent, claimed at noon, whose lease does not end before tomorrow. */
async function callOf(world: CallingWorld, agent: string | null, leaseSeconds = 86_400) {
  await world.add()
  const { calls } = await world.claim(noonMs, { agent, leaseSeconds })
  return calls[0]?.callId ?? ''
}

/** Makes the campaign's agent key that of its dialer. */
const addDialer = ({ campaign, companyId, agentKeyId }: CallingWorld, variables: object) =>
  companyDb
    .prepare(
      `insert into dialers (campaign_number, company_id, key_id, max_live, preset, variables, sealed_secrets, origin,
         version, changed_at_ms)
       values (?1, ?2, ?3, 5, 'pretend', ?4, '', '', 1, 0)`,
    )
    .bind(campaign.number, companyId, agentKeyId, JSON.stringify(variables))
    .run()

it('A call that is live for more than two hours raises an alert of its agent, and its end clears it', async () => {
  const [world, other] = [await seedCallingWorld(), await seedCallingWorld()]
  const callId = await callOf(world, 'seat 7')
  await callOf(other, 'seat 7')
  await callOf(world, 'seat 8', 3_600)
  await look(noonMs + 2 * hourMs)
  expect(await raisedIn(world.companyId)).toEqual([])
  await look(noonMs + 2 * hourMs + 1)
  await look(noonMs + 2 * hourMs + minuteMs)
  for (const { companyId } of [world, other])
    expect(await loggedIn(companyId)).toEqual([['raised', 'call_never_ends', 'seat 7', since]])

  await world.report(noonMs + 3 * hourMs, [{ callId, outcome: 'answered' }])
  await look(noonMs + 3 * hourMs)
  expect(await loggedIn(world.companyId)).toContainEqual(['cleared', 'call_never_ends', 'seat 7', since])
  expect(await raisedIn(other.companyId)).toEqual(['call_never_ends seat 7'])
})

it('An alert that a call never ends is one for each agent, since the first of its calls, and is over with their leases', async () => {
  const world = await seedCallingWorld()
  await callOf(world, null, 4 * 3_600)
  await callOf(world, null, 5 * 3_600)
  await look(noonMs + 3 * hourMs)
  expect(await raisedIn(world.companyId)).toEqual([`call_never_ends key:${world.agentKeyId}`])
  await look(noonMs + 4 * hourMs)
  expect(await raisedIn(world.companyId)).toHaveLength(1)
  await look(noonMs + 5 * hourMs)
  expect((await loggedIn(world.companyId)).map(([change]) => change)).toEqual(['raised', 'cleared'])
})

it.each([
  [{ maxCallSeconds: '600' }, 1_200],
  [{}, 7_200],
  [{ maxCallSeconds: '7200' }, 14_400],
])(
  'A call of a dialer with %o raises the alert after %i s, and one of an agent beside it after two hours',
  async (variables, seconds) => {
    const world = await seedCallingWorld()
    await callOf(world, 'dialer')
    await addDialer(world, variables)
    const agents = await seedCallingWorld()
    await callOf(agents, 'dialer')
    const lateMs = noonMs + seconds * 1000
    await look(lateMs)
    expect(await raisedIn(world.companyId)).toEqual([])
    await look(lateMs + 1)
    expect(await raisedIn(world.companyId)).toEqual(['call_never_ends dialer'])
    expect((await raisedIn(agents.companyId)).length).toBe(seconds < 7_200 ? 0 : 1)
  },
)

it('The search for calls that never end reads the leased leads of a campaign with an alert, and all else by its key', async () => {
  await callOf(await seedCallingWorld(), null)
  const { DB, trips } = watchedDatabase()
  await alertByTheMinute(DB, noonMs + 3 * hourMs)
  const [, raise, clear] = trips[0]?.statements ?? []
  if (raise === undefined || clear === undefined) throw new Error('nothing was read')
  for (const [one, leased] of [
    [raise, 'SCAN l USING INDEX leads_leased'],
    [clear, 'SEARCH l USING INDEX leads_leased (campaign_number=? AND lease_expires_at_ms>?)'],
  ] as const) {
    const lines = (await planOf(one)).filter((line) => /^(SCAN|SEARCH) (l|k|last)\b/.test(line))
    const ofCalls = lines.filter((line) => !line.includes('api_keys')).sort()
    expect([...new Set(ofCalls)]).toEqual(
      [
        leased,
        'SEARCH k USING PRIMARY KEY (company_id=? AND phone_number=? AND claimed_at_ms=? AND seq=?)',
        'SEARCH last USING PRIMARY KEY (company_id=? AND phone_number=?)',
      ].sort(),
    )
  }
})
