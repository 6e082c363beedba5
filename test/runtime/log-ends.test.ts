// The end of a lead in the log: which call is said to have ended it.
import { describe, expect, it } from 'vitest'
import {
  hourMs,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  settleEverything,
} from '../support/calling/calling.ts'
import { entriesOf, listenTo } from '../support/ledger/log.ts'

describe('The end of a lead in the log', () => {
  const ended = async (companyId: string) =>
    (await entriesOf(companyId))
      .filter(({ type }) => type.startsWith('call.'))
      .map(({ type, data, actor }) => [
        type,
        data.outcome,
        data.status,
        data.isLastAttempt,
        data.isEnd,
        actor === 'system',
      ])

  async function seed(settings = {}) {
    const world = await seedCallingWorld({ ...openSettings, maxAttempts: 2, ...settings })
    await listenTo(world.companyId)
    const { leadId, phoneNumber } = await world.add()
    const claim = async (atMs: number) => (await world.claim(atMs)).calls[0]?.callId as string
    return { ...world, leadId, phoneNumber, claim: world.claim, next: claim }
  }

  it('The last attempt logs the end of a lead, and no attempt before it does', async () => {
    const world = await seed()
    await world.report(noonMs, [{ callId: await world.next(noonMs), outcome: 'busy' }])
    const laterMs = noonMs + hourMs
    await world.report(laterMs, [{ callId: await world.next(laterMs), outcome: 'busy' }])
    expect(await ended(world.companyId)).toEqual([
      ['call.reported', 'busy', 'attempting', 0, 0, false],
      ['call.reported', 'busy', 'exhausted', 1, 1, false],
    ])
  })

  it('An expired lease logs the end of a lead, and a late report logs the corrected end', async () => {
    const world = await seed({ maxAttempts: 1 })
    const callId = await world.next(noonMs)
    await settleEverything(noonMs + hourMs)
    await settleEverything(noonMs + hourMs)
    await world.report(noonMs + hourMs + minuteMs, [{ callId, outcome: 'answered' }])
    await world.report(noonMs + hourMs + minuteMs, [{ callId, outcome: 'answered' }])
    expect(await ended(world.companyId)).toEqual([
      ['call.expired', 'unknown', 'exhausted', 1, 1, true],
      ['call.reported', 'answered', 'concluded', 1, 1, false],
    ])
  })

  it('A claim that finds an expired lease logs the expired call', async () => {
    const world = await seed()
    await world.next(noonMs)
    await world.claim(noonMs + hourMs)
    expect(await ended(world.companyId)).toEqual([['call.expired', 'unknown', 'attempting', 0, 0, true]])
  })

  it('Two calls in one report log one end of the lead', async () => {
    const world = await seed({ maxAttempts: 5 })
    const first = await world.next(noonMs)
    await settleEverything(noonMs + hourMs)
    const second = await world.next(noonMs + 3 * hourMs)
    await world.report(noonMs + 3 * hourMs, [
      { callId: second, outcome: 'busy' },
      { callId: first, outcome: 'answered' },
    ])
    expect((await ended(world.companyId)).slice(1)).toEqual([
      ['call.reported', 'busy', 'concluded', 0, 0, false],
      ['call.reported', 'answered', 'concluded', 0, 1, false],
    ])
  })

  it('A late report of a do-not-call logs the end of the lead', async () => {
    const world = await seed({ maxAttempts: 5 })
    const first = await world.next(noonMs)
    await settleEverything(noonMs + hourMs)
    const second = await world.next(noonMs + 3 * hourMs)
    await world.report(noonMs + 3 * hourMs, [{ callId: second, outcome: 'busy' }])
    await world.report(noonMs + 3 * hourMs + 1, [{ callId: first, outcome: 'busy', doNotCall: true }])
    expect((await ended(world.companyId)).at(-1)).toEqual(['call.reported', 'busy', 'exhausted', 0, 1, false])
  })
})
