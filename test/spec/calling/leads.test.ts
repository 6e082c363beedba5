// Calling, one lead: the history of its calls, and calling it again after all (D40).
import { beforeEach, expect, it } from 'vitest'
import { openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { hourMs, minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'

beforeEach(stopClockAtNoon)

it('The history of a lead has every call, oldest first, with all that was reported', async () => {
  const agent = await seedAgent()
  const { leadId } = await agent.add()
  expect(await agent.history(leadId)).toEqual([])
  const [first] = (await agent.claim({ agent: 'seat 7' })).calls
  clockAt(5_000)
  await agent.report([
    {
      callId: first?.callId,
      outcome: 'callback_requested',
      callbackAt: '2026-11-18T15:00:00+01:00',
      durationSeconds: 61,
      providerCallId: 'CA1',
      details: { notes: ['x'] },
    },
  ])
  clockAt(2 * hourMs)
  const [second] = (await agent.claim()).calls
  const open = {
    direction: 'outbound',
    agent: null,
    outcome: null,
    endedAt: null,
    callbackAt: null,
    doNotCall: false,
    isLate: false,
    durationSeconds: null,
    providerCallId: null,
    consentId: null,
    details: null,
  }
  expect(await agent.history(leadId)).toEqual([
    {
      callId: first?.callId,
      direction: 'outbound',
      attempt: 1,
      agent: 'seat 7',
      claimedAt: iso(0),
      outcome: 'callback_requested',
      endedAt: iso(5_000),
      callbackAt: iso(2 * hourMs),
      doNotCall: false,
      isLate: false,
      durationSeconds: 61,
      providerCallId: 'CA1',
      consentId: null,
      details: { notes: ['x'] },
    },
    { ...open, callId: second?.callId, attempt: 2, claimedAt: iso(2 * hourMs) },
  ])
})

it('The history of a lead in pages has every call once, and a cursor until there are no more', async () => {
  const agent = await seedAgent()
  const { leadId } = await agent.add()
  const claimed: string[] = []
  for (let i = 0; i < 5; i++) {
    clockAt(i * 1_000)
    const [call] = (await agent.claim()).calls
    claimed.push(call?.callId as string)
    await agent.release([{ callId: call?.callId, delaySeconds: 0 }])
  }
  const read = async (query: Record<string, string>) =>
    dataOf(await agent.ask('GET', `/api/v1/leads/${leadId}/calls?${new URLSearchParams(query)}`), 200) as {
      calls: { callId: string }[]
      nextCursor: string | null
    }
  const whole = await read({})
  expect([whole.calls.map(({ callId }) => callId), whole.nextCursor]).toEqual([claimed, null])
  const pages: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof read>> = await read({ limit: '2', cursor })
    pages.push(page.calls.map(({ callId }) => callId))
    cursor = page.nextCursor
  }
  expect(pages).toEqual([claimed.slice(0, 2), claimed.slice(2, 4), claimed.slice(4)])
})

it.each([
  [{ limit: '0' }, 'limit must be an integer between 1 and 100'],
  [{ limit: '101' }, 'limit must be an integer between 1 and 100'],
  [{ cursor: 'next' }, 'cursor is not valid'],
])('The history of a lead in pages is refused with %j', async (query, message) => {
  const agent = await seedAgent()
  const { leadId } = await agent.add()
  const path = `/api/v1/leads/${leadId}/calls?${new URLSearchParams(query)}`
  expectFailure(await agent.ask('GET', path), 400, message, 'invalid_field')
})

it('Requeueing grants as many attempts again, and attempts keep counting', async () => {
  const agent = await seedAgent({ ...openAtAllHours, maxAttempts: 1 })
  const { callId, lead } = await agent.call()
  await agent.report([{ callId, outcome: 'no_answer' }])
  expect((await agent.lead(lead._id)).status).toBe('exhausted')
  expect(await agent.requeue(lead._id)).toEqual({ ...lead, status: 'attempting', attempts: 1 })
  clockAt(15 * minuteMs)
  expect((await agent.claim()).calls).toMatchObject([{ attempt: 2, isLastAttempt: true }])
})

it('Requeueing brings a concluded lead back', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  await agent.report([{ callId, outcome: 'answered' }])
  expect((await agent.requeue(lead._id)).status).toBe('attempting')
  clockAt(15 * minuteMs)
  const [again] = (await agent.claim()).calls
  expect(await agent.extend([again?.callId as string])).toMatchObject([{ stop: null }])
  await agent.report([{ callId: again?.callId, outcome: 'no_answer' }])
  expect((await agent.lead(lead._id)).status).toBe('attempting')
})

it.each(['alone', 'with many'])(
  'Requeueing a lead that is scheduled for later (%s) calls it then, as an appointment',
  async (how) => {
    const agent = await seedAgent()
    const seedEnded = async () => {
      const { callId, lead } = await agent.call()
      await agent.report([{ callId, outcome: 'wrong_number' }])
      return lead._id
    }
    const [scheduled, plain] = [await seedEnded(), await seedEnded()]
    const change = { scheduledFor: iso(hourMs) }
    const patch = await agent.ask('PATCH', `/api/v1/leads/${scheduled}`, change, { key: agent.writeKey })
    expect(patch.status).toBe(200)
    if (how === 'alone') for (const leadId of [scheduled, plain]) await agent.requeue(leadId)
    else
      await agent.ask(
        'POST',
        `${agent.campaignPath}/requeue`,
        { status: 'exhausted', since: iso(-minuteMs) },
        { key: agent.writeKey },
      )
    const claimed = async () => (await agent.claim({ limit: 5 })).calls.map(({ lead }) => lead._id)
    clockAt(hourMs - 1)
    expect(await claimed()).toEqual([plain])
    const urgent = await agent.add({ priority: 100 })
    clockAt(hourMs)
    expect(await claimed()).toEqual([scheduled, urgent.leadId])
  },
)

it('Requeueing is refused while the lead is being called, and while its number is suppressed', async () => {
  const agent = await seedAgent()
  const { callId, lead } = await agent.call()
  const requeue = () =>
    agent.ask('POST', `/api/v1/leads/${lead._id}/requeue`, undefined, { key: agent.manageKey })
  expectFailure(await requeue(), 409, 'Lead is being called', 'lead_leased')
  await agent.report([{ callId, outcome: 'do_not_call' }])
  expectFailure(await requeue(), 409, 'Phone number is suppressed', 'number_suppressed')
  await agent.lift([lead.phoneNumber])
  expect((await requeue()).status).toBe(200)
})

it('Requeueing many leads of a campaign calls those again that became exhausted, or concluded, since a moment', async () => {
  const agent = await seedAgent()
  const requeue = async (body: object, key = agent.writeKey) =>
    agent.ask('POST', `${agent.campaignPath}/requeue`, body, { key })
  const ended = async (outcome: string) => {
    const { callId, lead } = await agent.call()
    await agent.report([{ callId, outcome }])
    return lead
  }
  const [dead, done, suppressed] = [
    await ended('wrong_number'),
    await ended('answered'),
    await ended('invalid_number'),
  ]
  await agent.suppress([suppressed.phoneNumber])
  const since = new Date(Date.now() - minuteMs).toISOString()
  const later = new Date(Date.now() + minuteMs).toISOString()
  const none = { requeued: 0, skipped: 0, more: false }
  expect(dataOf(await requeue({ status: 'exhausted', since: later }), 200)).toEqual(none)
  expect(dataOf(await requeue({ status: 'exhausted', since }), 200)).toEqual({
    requeued: 1,
    skipped: 1,
    more: false,
  })
  expect((await agent.lead(dead._id)).status).toBe('attempting')
  expect((await agent.lead(done._id)).status).toBe('concluded')
  expect(dataOf(await requeue({ status: 'concluded', since }), 200)).toEqual({ ...none, requeued: 1 })
  expectFailure(
    await requeue({ status: 'concluded', since }, agent.agentKey),
    403,
    'Insufficient permissions',
  )
})
