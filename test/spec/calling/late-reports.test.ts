// Calling, reports that come late or again, and leases that end without one (D41, D47).
import { beforeEach, expect, it } from 'vitest'
import { openAtAllHours, type Result, seedAgent } from '../../support/calling/agent.ts'
import { hourMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { runCron } from '../../support/run/cron.ts'

beforeEach(stopClockAtNoon)

const wordsOf = (results: readonly Result[]) => results.map(({ result }) => result)

/** A call that was claimed at noon, whose lease of ten minutes has ended and was settled. */
async function seedExpired() {
  const agent = await seedAgent()
  const call = await agent.call()
  clockAt(602_000)
  await runCron()
  return { agent, call, leadId: call.lead._id }
}

it('A lease that ends without a report counts as an attempt with the outcome unknown, and spaces the next one', async () => {
  const { agent, leadId } = await seedExpired()
  expect(await agent.lead(leadId)).toMatchObject({ status: 'attempting', attempts: 1 })
  expect(await agent.history(leadId)).toMatchObject([{ outcome: 'unknown', endedAt: iso(600_000) }])
  expect((await agent.claim()).calls).toEqual([])
  clockAt(600_000 + hourMs)
  expect((await agent.claim()).calls).toMatchObject([{ attempt: 2 }])
})

it('A lease that ends without a report is not settled within the two seconds after', async () => {
  const agent = await seedAgent()
  const { lead } = await agent.call()
  clockAt(601_999)
  await runCron()
  expect(await agent.history(lead._id)).toMatchObject([{ outcome: null }])
  clockAt(602_000)
  await agent.claim()
  expect(await agent.history(lead._id)).toMatchObject([{ outcome: 'unknown' }])
})

it('A lease that ends without a report exhausts the lead when it was the last attempt', async () => {
  const agent = await seedAgent({ ...openAtAllHours, maxAttempts: 1 })
  const { lead } = await agent.call()
  clockAt(602_000)
  await runCron()
  expect((await agent.lead(lead._id)).status).toBe('exhausted')
})

it('A late report corrects the unknown while nobody has claimed the lead since', async () => {
  const { agent, call, leadId } = await seedExpired()
  const { results } = await agent.report([{ callId: call.callId, outcome: 'answered' }])
  expect(results).toMatchObject([{ result: 'recorded', status: 'concluded', attempts: 1 }])
  expect(await agent.history(leadId)).toMatchObject([{ outcome: 'answered', isLate: false }])
})

it('A late report is kept and applied when the lead was claimed since: the newer call continues', async () => {
  const { agent, call, leadId } = await seedExpired()
  clockAt(600_000 + hourMs)
  const [newer] = (await agent.claim()).calls
  const { results } = await agent.report([{ callId: call.callId, outcome: 'busy', doNotCall: true }])
  expect(wordsOf(results)).toEqual(['recorded_late'])
  expect(await agent.history(leadId)).toMatchObject([
    { outcome: 'busy', isLate: true, doNotCall: true },
    { outcome: null, callId: newer?.callId },
  ])
  expect(await agent.extend([newer?.callId as string])).toMatchObject([{ stop: 'suppressed' }])
})

it('A late report that ends the lead names no next call once the newer lease has run out', async () => {
  for (const [outcome, nextCallAt] of [
    ['answered', null],
    ['wrong_number', null],
    ['no_answer', iso(1_200_000 + 2 * hourMs)],
  ]) {
    clockAt(0)
    const { agent, call } = await seedExpired()
    clockAt(600_000 + hourMs)
    await agent.claim()
    clockAt(1_202_000 + hourMs)
    const { results } = await agent.report([{ callId: call.callId, outcome }])
    expect(results).toMatchObject([{ result: 'recorded_late', nextCallAt }])
  }
})

it('A late report that reached the person stops the newer call', async () => {
  const { agent, call, leadId } = await seedExpired()
  clockAt(600_000 + hourMs)
  const [newer] = (await agent.claim()).calls
  await agent.report([{ callId: call.callId, outcome: 'answered' }])
  expect(await agent.extend([newer?.callId as string])).toMatchObject([{ stop: 'concluded' }])
  await agent.report([{ callId: newer?.callId, outcome: 'no_answer' }])
  expect((await agent.lead(leadId)).status).toBe('concluded')
})

it('A report that comes again is replayed when it is the same, and a conflict when it is another', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  const first = await agent.report([{ callId, outcome: 'busy' }])
  const again = await agent.report([{ callId, outcome: 'busy' }])
  expect(again.results).toEqual([{ ...first.results[0], result: 'replayed' }])
  const other = await agent.report([{ callId, outcome: 'answered' }])
  expect(other.results).toEqual([{ ...first.results[0], result: 'conflict' }])
  expect(await agent.history(lead._id)).toMatchObject([{ outcome: 'busy' }])
})

it('A report that comes again records a do-not-call that it adds, and says so: the first outcome, duration and details stay', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  await agent.report([{ callId, outcome: 'answered', durationSeconds: 7, details: { first: true } }])
  const second = {
    callId,
    outcome: 'no_answer',
    doNotCall: true,
    durationSeconds: 90,
    details: { second: true },
  }
  const { results } = await agent.report([second])
  expect(results).toMatchObject([{ result: 'do_not_call_recorded', status: 'concluded', attempts: 1 }])
  expect(wordsOf((await agent.report([second])).results)).toEqual(['replayed'])
  expect(await agent.history(lead._id)).toMatchObject([
    { outcome: 'answered', durationSeconds: 7, details: { first: true }, doNotCall: true },
  ])
  expect((await agent.suppress([lead.phoneNumber])).existing).toBe(1)
})

it('A report that comes again exhausts a lead that would be called again, when it is a do_not_call', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  await agent.report([{ callId, outcome: 'busy' }])
  const { results } = await agent.report([{ callId, outcome: 'do_not_call' }])
  expect(results).toMatchObject([{ result: 'do_not_call_recorded', status: 'exhausted', nextCallAt: null }])
})

it.each([
  ['no_answer', 'exhausted'],
  ['callback_requested', 'exhausted'],
  ['answered', 'concluded'],
  ['wrong_number', 'exhausted'],
])(
  'A late report of %s leaves a lead %s whose number was suppressed since, also once that is lifted',
  async (outcome, status) => {
    const [{ agent, call, leadId }, other] = [await seedExpired(), await seedExpired()]
    await agent.suppress([call.lead.phoneNumber])
    await agent.lift([call.lead.phoneNumber])
    const callbackAt = iso(2 * hourMs)
    const report = (callId: string) => [{ callId, outcome, callbackAt }]
    const { results } = await agent.report(report(call.callId))
    expect(results).toMatchObject([{ result: 'recorded', status, nextCallAt: null }])
    expect(await agent.history(leadId)).toMatchObject([{ outcome, isLate: false }])
    clockAt(3 * hourMs)
    expect((await agent.claim()).calls).toEqual([])
    const [result] = (await other.agent.report(report(other.call.callId))).results
    expect(result?.status).toBe(['no_answer', 'callback_requested'].includes(outcome) ? 'attempting' : status)
  },
)

it('A late report leaves a lead final whose number was suppressed during the call, also once that is lifted', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  await agent.suppress([lead.phoneNumber])
  clockAt(602_000)
  await runCron()
  await agent.lift([lead.phoneNumber])
  const { results } = await agent.report([{ callId, outcome: 'no_answer' }])
  expect(results).toMatchObject([{ result: 'recorded', status: 'exhausted', nextCallAt: null }])
})

it.each([
  ['it had no attempt left, and has one by now', { maxAttempts: 1 }, { maxAttempts: 3 }, 'exhausted'],
  ['its campaign takes it for the end', { outcomes: { unknown: { class: 'done' } } }, {}, 'concluded'],
])(
  'A late report opens a lead again that its own unknown had ended: %s',
  async (_, settings, later, ended) => {
    const agent = await seedAgent({ ...openAtAllHours, ...settings })
    const { callId, lead } = await agent.call()
    clockAt(602_000)
    await runCron()
    expect((await agent.lead(lead._id)).status).toBe(ended)
    await agent.change(later)
    const { results } = await agent.report([{ callId, outcome: 'no_answer' }])
    expect(results).toMatchObject([
      { result: 'recorded', status: 'attempting', nextCallAt: iso(602_000 + hourMs) },
    ])
  },
)
