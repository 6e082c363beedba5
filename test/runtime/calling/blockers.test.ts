// Every rule that blocks a lead, one by one: claim, explanation and preview judge by the same list.
import { beforeEach, expect, it } from 'vitest'
import { type BlockerCode, blockerReasons } from '../../../src/queue/calling/reasons.ts'
import { type AgentWorld, anyNumberAgain, seedAgent } from '../../support/calling/agent.ts'
import { dayMs, hourMs, minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { setGate } from '../../support/dialers/gate-world.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'

// Shortly before midnight, so that whatever blocks for an hour blocks until another day.
const nightMs = 11 * hourMs + 45 * minuteMs
beforeEach(() => {
  stopClockAtNoon()
  clockAt(nightMs)
})

type World = Awaited<ReturnType<typeof seedAgent>>
type Lead = { leadId: string; phoneNumber: string }
type Rule = {
  block: (agent: World, lead: Lead) => Promise<unknown>
  /** Where a preview does not count it: it takes the campaign as running, and only looks at leads of the queue. */
  isPreviewed?: false
}

const missed = async (agent: AgentWorld, outcome = 'busy') => {
  const [call] = (await agent.claim()).calls
  await agent.report([{ callId: call?.callId, outcome }])
}
const calledOnce = (numberLimits: object) => async (agent: AgentWorld) => {
  await agent.change({ numberLimits, outcomes: { busy: { class: 'retry', minutes: 1 } } })
  await missed(agent)
  clockAt(nightMs + 2 * minuteMs)
}
const { numberLimits: free } = anyNumberAgain

const rules: Readonly<Record<BlockerCode, Rule>> = {
  not_configured: { block: (agent) => agent.change({ timeZone: null }) },
  paused: { block: (agent) => agent.change({ paused: true }), isPreviewed: false },
  at_capacity: {
    async block(agent) {
      await agent.change({ maxLiveCalls: 1 })
      await agent.call({ priority: 100 })
    },
    isPreviewed: false,
  },
  final: {
    async block(agent) {
      await agent.change({ numberLimits: free })
      await missed(agent)
      await agent.change({ maxAttempts: 1 })
      clockAt(nightMs + 2 * hourMs)
    },
  },
  suppressed: {
    // As a report leaves the leads of a number that has more of them than it may look at.
    block: ({ companyId }, { phoneNumber }) =>
      companyDb
        .prepare(`insert into suppressions (company_id, phone_number, campaign_number, token, leads_removed,
          created_at_ms)
          values (?1, ?2, 0, 'test', 0, 0)`)
        .bind(companyId, phoneNumber)
        .run(),
  },
  no_consent: { block: (agent) => agent.change({ requireConsent: { purpose: 'phone-offers' } }) },
  gate: { block: setGate },
  leased: { block: (agent) => agent.claim(), isPreviewed: false },
  number_live: {
    async block(agent, { phoneNumber }) {
      const other = await agent.another()
      await agent.change({ numberLimits: free })
      await other.add({ phoneNumber })
      await other.claim({ leaseSeconds: 3600 })
    },
  },
  number_gap: { block: calledOnce({ ...free, minGapMinutes: 60 }) },
  number_day: { block: calledOnce({ ...free, per24Hours: 1 }) },
  number_week: { block: calledOnce({ ...free, per7Days: 1 }) },
  scheduled: {
    block: (agent, { leadId }) =>
      agent.ask(
        'PATCH',
        `/api/v1/leads/${leadId}`,
        { scheduledFor: iso(2 * dayMs) },
        { key: agent.writeKey },
      ),
  },
  spaced: { block: (agent) => missed(agent, 'no_answer') },
  outside_hours: { block: (agent) => agent.change({ callingHours: { thu: [], fri: [], wed: [] } }) },
}

it.each(Object.keys(blockerReasons) as BlockerCode[])(
  'A lead that a rule blocks is not leased, is explained by it, and is counted by the preview under it: %s',
  async (code) => {
    const [agent, equal] = [await seedAgent(), await seedAgent()]
    const lead = await agent.add()
    const free = await equal.add({ phoneNumber: lead.phoneNumber })
    const { block, isPreviewed } = rules[code]
    await block(agent, lead)
    const ask = async (path: string) => dataOf(await agent.ask('GET', path), 200) as Record<string, unknown>
    const { callable, blockers } = await ask(`/api/v1/leads/${lead.leadId}/calling`)
    expect({ callable, blockers }).toMatchObject({
      callable: false,
      blockers: expect.arrayContaining([expect.objectContaining({ code })]),
    })
    const preview = await ask(`${agent.campaignPath}/preview`)
    expect(preview.blocked).toEqual(isPreviewed === false ? {} : { [code]: 1 })
    expect((await agent.claim({ limit: 10 })).calls).toEqual([])
    expect((await equal.claim()).calls.map((call) => call.lead._id)).toEqual([free.leadId])
  },
)

/** What explanation, preview and claim say of the one lead of a campaign. */
async function allSay(agent: AgentWorld, leadId: string) {
  const ask = async (path: string) => dataOf(await agent.ask('GET', path), 200) as Record<string, unknown>
  const { callable, blockers, nextCallAt } = await ask(`/api/v1/leads/${leadId}/calling`)
  const preview = await ask(`${agent.campaignPath}/preview`)
  const codes = (blockers as { code: BlockerCode }[]).map(({ code }) => code)
  const claimed = (await agent.claim({ limit: 10 })).calls.map(({ lead }) => lead._id)
  return { callable, codes, nextCallAt, preview, claimed }
}
const previewOf = (found: object) => ({
  callableNow: 0,
  laterToday: 0,
  later: 0,
  blocked: {},
  counted: 1,
  ...found,
})

it('A lead held after the requirement was lifted is explained and previewed as held until the minute’s job returns it', async () => {
  const [agent, other] = [await seedAgent(), await seedAgent()]
  clockAt(0)
  const requireConsent = { purpose: 'phone-offers' }
  const leads = [await agent.add(), await other.add()] as const
  for (const each of [agent, other]) {
    await each.change({ requireConsent })
    expect((await each.claim()).calls).toEqual([])
  }
  await agent.change({ requireConsent: null })
  expect(await allSay(agent, leads[0].leadId)).toMatchObject({
    callable: false,
    codes: ['no_consent'],
    nextCallAt: iso(minuteMs),
    preview: previewOf({ laterToday: 1 }),
    claimed: [],
  })
  // As if this were required: then it returns as well, and has no consent.
  const considered = dataOf(await agent.ask('GET', `${agent.campaignPath}/preview?consentPurpose=x`), 200)
  expect(considered).toMatchObject({ blocked: { no_consent: 1 }, withoutConsent: 1 })
  await runCron()
  expect(await allSay(agent, leads[0].leadId)).toMatchObject({
    callable: true,
    preview: previewOf({ callableNow: 1 }),
    claimed: [leads[0].leadId],
  })
  expect(await allSay(other, leads[1].leadId)).toMatchObject({
    callable: false,
    codes: ['no_consent'],
    nextCallAt: null,
    preview: previewOf({ blocked: { no_consent: 1 } }),
    claimed: [],
  })
})

const anyNumber = { numberLimits: free }
const waits = (minutes: number, more = {}) => ({
  ...anyNumber,
  outcomes: { unknown: { class: 'retry', minutes } },
  ...more,
})

it.each<[what: string, settings: object, afterMs: number, code: BlockerCode | null]>([
  ['waits for its next attempt', waits(60), 5 * minuteMs, 'spaced'],
  ['has just run out', waits(1), 1_000, 'spaced'],
  ['may be called again', waits(1), 5 * minuteMs, null],
  ['has no attempt left', waits(1, { maxAttempts: 1 }), 5 * minuteMs, 'final'],
  [
    'is dead by its outcome',
    { ...anyNumber, outcomes: { unknown: { class: 'dead', minutes: 1 } } },
    5 * minuteMs,
    'final',
  ],
])(
  'A lead whose lease has run out is at once as the claim after it finds it: it %s',
  async (_, settings, afterMs, code) => {
    const [agent, other] = [await seedAgent(), await seedAgent()]
    clockAt(0)
    for (const each of [agent, other]) await each.change(settings)
    const [{ leadId }, { leadId: live }] = [await agent.add(), await other.add()]
    await agent.claim({ leaseSeconds: 60 })
    await other.claim({ leaseSeconds: 3600 })
    clockAt(minuteMs + afterMs)
    expect(await allSay(agent, leadId)).toMatchObject({
      callable: code === null,
      codes: code === null ? [] : expect.arrayContaining([code]),
      preview: previewOf(
        code === null
          ? { callableNow: 1 }
          : code === 'spaced'
            ? { laterToday: 1 }
            : { blocked: { [code]: 1 } },
      ),
      claimed: code === null ? [leadId] : [],
    })
    // One that is being called is in no queue.
    expect(await allSay(other, live)).toMatchObject({
      codes: ['leased'],
      preview: previewOf({ counted: 0 }),
      claimed: [],
    })
  },
)

it('A lead whose lease has run out, scheduled for later meanwhile, is an appointment, as the next claim finds it', async () => {
  const agent = await seedAgent()
  clockAt(0)
  await agent.change(waits(1))
  const { leadId } = await agent.add()
  await agent.claim({ leaseSeconds: 60 })
  await agent.ask(
    'PATCH',
    `/api/v1/leads/${leadId}`,
    { scheduledFor: iso(2 * hourMs) },
    { key: agent.writeKey },
  )
  clockAt(hourMs)
  expect(await allSay(agent, leadId)).toMatchObject({
    codes: ['scheduled'],
    nextCallAt: iso(2 * hourMs),
    preview: previewOf({ laterToday: 1 }),
    claimed: [],
  })
  clockAt(2 * hourMs)
  expect(await allSay(agent, leadId)).toMatchObject({ callable: true, claimed: [leadId] })
})
