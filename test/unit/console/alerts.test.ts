// What needs attention in a campaign, as the console says it: each thing once, since when, and what to do.
import { describe, expect, it } from 'vitest'
import { describeCalls, describeDialer } from '../../../src/console/calling/dialer-words.ts'
import { fieldsOfText, readText, textOf, wrongAt } from '../../../src/console/calling/template-text.ts'
import { alertSentences, describeWebhooks } from '../../../src/console/overview/alert-sentences.ts'
import {
  type Blocker,
  describeCampaign,
  isBlocked,
  needsAgent,
} from '../../../src/console/overview/campaign-state.ts'
import { setLanguage } from '../../../src/console/ui/words/number-words.ts'
import type { Alert, Campaign, CampaignOverview, WebhookState } from '../../../src/sdk/src/models.ts'

setLanguage('en')
const now = Date.parse('2026-11-21T10:00:00Z')
const since = '2026-11-21T09:20:00Z'

type Queue = Campaign['queue']
const campaignOf = (queue: Partial<Queue>, settings: Partial<Campaign> = {}) => {
  const idle = {
    queued: 1,
    leased: 0,
    isCapped: false,
    reason: null,
    nextOpening: null,
    agentsWaiting: 0,
    heldForConsent: 0,
    gate: null,
  }
  const always = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['00:00', '24:00']]]),
  )
  return {
    id: 'demo',
    timeZone: 'Europe/Berlin',
    archived: false,
    paused: false,
    callingHours: always,
    appointmentHours: always,
    closedDates: [],
    ...settings,
    queue: { ...idle, failingAgents: [], ...queue },
  } as unknown as Campaign
}
const sentencesOf = (
  alerts: readonly Partial<Alert>[] | null,
  queue: Partial<Queue> = {},
  dialer: CampaignOverview['dialer'] = null,
) => alertSentences({ campaign: campaignOf(queue), dialer, alerts: alerts as Alert[] | null }, now, 'key_own')
const alert = (kind: Alert['kind'], more: Partial<Alert> = {}): Alert => ({
  kind,
  campaignId: 'demo',
  subject: null,
  since,
  ...more,
})

it('An alert that no agent is calling says since when, and what to do', () => {
  const [sentence] = sentencesOf([alert('no_agent')])
  expect(sentence?.text).toMatch(
    /^Leads are ready, and no agent is calling, since 10:20.* in Berlin\. Start an agent or a dialer/,
  )
  expect(sentence?.page).toBe('connect')
})

it('An alert that no agent is calling is gone as soon as one is seen', () => {
  expect(sentencesOf([alert('no_agent')], { leased: 1 })).toEqual([])
  expect(sentencesOf([alert('no_agent')], { agentsWaiting: 1 })).toEqual([])
})

it('An alert about several webhooks is one sentence, since the first of them failed', () => {
  const first = alert('webhook_failing', { subject: 'wh_1' })
  const second = alert('webhook_failing', { subject: 'wh_2', since: '2026-11-21T09:40:00Z' })
  expect(sentencesOf([first])).toMatchObject([
    {
      text: expect.stringMatching(/^A webhook has been failing since 10:20/),
      page: 'settings',
      part: 'webhooks',
    },
  ])
  expect(sentencesOf([first, second])).toMatchObject([
    { text: expect.stringMatching(/^2 webhooks have been failing since 10:20/) },
  ])
})

it('An alert about the company leads to the company’s pages', () => {
  const alerts = [
    alert('webhook_failing', { campaignId: null }),
    alert('key_limit', { campaignId: null, subject: 'key_other' }),
  ]
  expect(sentencesOf(alerts).map(({ page, part }) => [page, part])).toEqual([
    ['company', 'webhooks'],
    ['company', 'keys'],
  ])
})

it('An alert about a key names it, and says whether it is the one in use', () => {
  const textOf = (subject: string) => sentencesOf([alert('key_limit', { subject })])[0]?.text
  expect(textOf('key_other')).toMatch(/^The key key_other has sent 900 of the 1,000 requests/)
  expect(textOf('key_own')).toMatch(/^Your key has sent 900/)
})

it('An alert about a full store says what happens, and how to make room', () => {
  const [full] = sentencesOf([alert('store_full', { campaignId: null, subject: null })])
  expect(full).toMatchObject({
    text: expect.stringMatching(/8 of its 10 GB since 10:20.*takes no new leads/),
    page: 'settings',
  })
})

it('An alert about the dialer says why and what to do, and leads to the page Calling', () => {
  const raised = [
    alert('dialer_stopped', { subject: 'account' }),
    alert('dialer_resting', { subject: 'failing' }),
    alert('dialer_unmapped', { subject: 'carrier-weather' }),
    alert('dialer_unmapped', { subject: 'outcome_not_understood' }),
  ]
  const sentences = sentencesOf(raised)
  expect(sentences.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^The dialer stopped at 10:20.*the provider refuses the account\. Check the cred/),
    expect.stringMatching(/^The dialer rests since 10:20.*ten calls in a row failed/),
    expect.stringMatching(/^A call ended at 10:20.*“carrier-weather”.*no outcome in the template/),
    expect.stringMatching(/^A call ended at 10:20.*an outcome that is none.*saidOutcome: tell the assistant/),
  ])
  expect(new Set(sentences.map(({ page }) => page))).toEqual(new Set(['calling']))
})

it('An alert about a call that never ends names its agent, and says what to do and where', () => {
  const raised = ['seat-7', null, 'dialer'].map((subject) => alert('call_never_ends', { subject }))
  expect(sentencesOf(raised)).toMatchObject([
    {
      text: expect.stringMatching(/^Agent seat-7 has a call .* since 10:20.* restart the agent\.$/),
      page: 'connect',
    },
    {
      text: expect.stringMatching(/^An agent has a call .* since 10:20.* restart the agent\.$/),
      page: 'connect',
    },
    {
      text: expect.stringMatching(/^The dialer has a call .* since 10:20.* at the provider\.$/),
      page: 'calling',
    },
  ])
})

it('An alert about work that stands still says since when, and whom to tell', () => {
  const raised = [
    alert('dialer_stalled'),
    alert('webhook_stalled', { subject: 'wh_1' }),
    alert('store_stalled', { campaignId: null }),
  ]
  const sentences = sentencesOf(raised)
  expect(sentences.map(({ page }) => page)).toEqual(['calling', 'settings', 'settings'])
  for (const { text } of sentences)
    expect(text).toMatch(/since 10:20.*by a fault of the service\. Tell the operator\.$/)
})

it('An alert about an agent is one sentence, whether the queue, the alert or both say so', () => {
  const failingAgents = [{ agent: 'seat-7', until: '2026-11-21T10:10:00Z' }]
  const raised = [alert('agent_failing', { subject: 'seat-7' })]
  const both = sentencesOf(raised, { failingAgents })
  expect(both.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^Agent seat-7 claims leads and never reports them, since 10:20.*\. It gets no leads until 11:10.*\. Restart it/,
    ),
  ])
  expect(sentencesOf(null, { failingAgents }).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Agent seat-7 claims leads and never reports them\. .* until .*11:10.*\./),
  ])
  expect(sentencesOf(raised)[0]?.text).toMatch(/never reports them, since 10:20[^.]*\. Restart it/)
})

describe('Green', () => {
  const reasons = ['waiting', 'empty', 'at_capacity', 'outside_hours', 'paused', 'not_configured', null]
  const shown = (queue: Partial<Queue>, settings: Partial<Campaign> = {}) =>
    describeCampaign(campaignOf(queue, { callsPerMinute: 60, maxLiveCalls: null, ...settings }), now)

  it('A green state means that calls are being made, whatever the reason', () => {
    for (const reason of reasons as Queue['reason'][])
      for (const agentsWaiting of [0, 2, null])
        for (const archived of [false, true])
          expect({
            reason,
            tone: shown({ reason, agentsWaiting, leased: 0 }, { archived }).tone,
          }).not.toEqual({
            reason,
            tone: 'good',
          })
    for (const reason of ['waiting', 'empty', 'at_capacity', null] as const)
      expect(shown({ reason, leased: 1 }).tone).toBe('good')
  })

  it('The state is red where leads are ready and no agent is calling, with the time of the alert', () => {
    const idle = campaignOf({})
    expect(describeCampaign(idle, now)).toMatchObject({
      tone: 'act',
      title: 'Leads are ready, and no agent is calling',
    })
    expect(describeCampaign(idle, now, { noAgentSince: since })).toMatchObject({
      tone: 'act',
      title: expect.stringMatching(/no agent is calling, since 10:20.* in Berlin$/),
    })
    expect(needsAgent(campaignOf({ leased: 1 }), null)).toBe(false)
  })
})

it('Amber and red are states that need somebody: a pause, closed hours and leads that wait are grey', () => {
  const monday = '2026-11-23T08:00:00Z'
  const grey: readonly Partial<Queue>[] = [
    { reason: 'paused' },
    { reason: 'outside_hours' },
    { reason: 'outside_hours', nextOpening: monday },
    { reason: 'empty', nextOpening: monday },
    { reason: 'waiting' },
    { reason: 'empty' },
  ]
  for (const queue of grey) expect(describeCampaign(campaignOf(queue), now)).toMatchObject({ tone: 'calm' })
  const needy: readonly [Partial<Queue>, CampaignOverview['dialer']][] = [
    [{ reason: 'not_configured' }, null],
    [{}, null],
    [{}, { status: 'stopped', reason: 'account' }],
    [{}, { status: 'failing', reason: null }],
    [{ leased: 1 }, { status: 'off', reason: null }],
  ]
  for (const [queue, dialer] of needy)
    expect(['act', 'wait']).toContain(describeCampaign(campaignOf(queue), now, { dialer }).tone)
  const states = [
    ...['paused', 'outside_hours', 'at_capacity'].map((reason) => ({ status: 'waiting' as const, reason })),
    { status: 'resting' as const, reason: 'busy' },
    { status: 'off' as const, reason: null },
  ]
  for (const state of states)
    expect(describeDialer(state as Parameters<typeof describeDialer>[0], { reason: null }).tone).toBe('calm')
})

it('A pause says that running calls continue', () => {
  const { tone, advice } = describeCampaign(campaignOf({ reason: 'paused', leased: 3 }), now)
  expect([tone, advice]).toEqual(['calm', 'Running calls go on, and no new calls start until you resume.'])
})

describe('The webhooks of a campaign', () => {
  const of = (...states: (readonly [WebhookState['state'], number])[]) =>
    describeWebhooks(states.map(([state, waiting], index) => ({ webhookId: `wh_${index}`, state, waiting })))

  it('The webhooks of a campaign are described by the one that fails, with its events that wait', () => {
    expect(of()).toBeNull()
    expect(of(['delivering', 0])).toBe('Delivering')
    expect(of(['delivering', 0], ['failing', 37])).toBe('Failing: 37 events waiting')
    expect(of(['failing', 1], ['failing', 0], ['disabled', 9])).toBe('Failing: 1 event waiting')
    expect(of(['failing', 0])).toBe('Failing')
    expect(of(['disabled', 5])).toBe('Off')
    expect(of(['disabled', 5], ['delivering', 0])).toBe('Delivering')
  })
})

it('A lead that can be called or is being called is not a blocked one', () => {
  const by = (...codes: Blocker['code'][]) => codes.map((code): Blocker => ({ code, until: null }))
  expect(isBlocked(by())).toBe(false)
  expect(isBlocked(by('leased'))).toBe(false)
  expect(isBlocked(by('spaced'))).toBe(true)
  expect(isBlocked(by('leased', 'suppressed'))).toBe(true)
  expect(isBlocked(undefined)).toBe(true)
})

const pacing = { status: 'waiting', reason: 'pace' } as const

it('A campaign whose dialer calls at its pace is green, between its calls too, and says the pace', () => {
  const ready = campaignOf({ queued: 5_331 }, { callsPerMinute: null })
  const title = 'The dialer calls, at its pace of 60 a minute'
  expect(describeCampaign(ready, now, { dialer: pacing })).toMatchObject({ tone: 'good', title })
  const calling = campaignOf({ queued: 5_331, leased: 3 })
  expect(describeCampaign(calling, now, { dialer: pacing })).toMatchObject({ tone: 'good', title })
  const own = campaignOf({ reason: 'at_capacity' }, { callsPerMinute: 30, maxLiveCalls: null })
  expect(describeCampaign(own, now, { dialer: { status: 'waiting', reason: 'at_capacity' } })).toMatchObject({
    tone: 'good',
    title: 'The dialer calls, at its pace of 30 a minute',
  })
  expect(describeDialer(pacing, { reason: null }).tone).toBe('good')
  expect(needsAgent(ready, pacing)).toBe(false)
  expect(sentencesOf([alert('no_agent')], {}, pacing)).toEqual([])
})

it.each<[CampaignOverview['dialer'], tone: string, title: RegExp]>([
  [{ status: 'idle', reason: null }, 'calm', /^Open: leads are ready$/],
  [{ status: null, reason: null }, 'calm', /^Open: leads are ready$/],
  [{ status: 'running', reason: null }, 'calm', /^Open: leads are ready$/],
  [{ status: 'resting', reason: 'busy' }, 'calm', /the dialer rests$/],
  [{ status: 'failing', reason: null }, 'wait', /the dialer fails$/],
  [{ status: 'stopped', reason: 'account' }, 'act', /the dialer has stopped$/],
  [null, 'act', /no agent is calling$/],
])('A campaign with leads that are ready says what its dialer does: %j', (dialer, tone, title) => {
  expect(describeCampaign(campaignOf({}), now, { dialer })).toMatchObject({
    tone,
    title: expect.stringMatching(title),
  })
  expect(needsAgent(campaignOf({}), dialer)).toBe(dialer === null)
})

it('A dialer that calls nobody for ten minutes is red, in the state and in the alert, which leads to Calling', () => {
  const idle = { status: 'idle', reason: null } as const
  const said = /^Leads are ready, and the dialer does not call, since 10:20.* in Berlin/
  expect(describeCampaign(campaignOf({}), now, { dialer: idle, noAgentSince: since })).toMatchObject({
    tone: 'act',
    title: expect.stringMatching(said),
  })
  expect(sentencesOf([alert('no_agent')], {}, idle)).toMatchObject([
    { page: 'calling', text: expect.stringMatching(said) },
  ])
  const stopped = { status: 'stopped', reason: 'account' } as const
  const both = [alert('no_agent'), alert('dialer_stopped', { subject: 'account' })]
  expect(sentencesOf(both, {}, stopped).map(({ kind }) => kind)).toEqual(['dialer_stopped'])
})

it('Who saves a dialer reads how many it calls at once, today and later, and when the campaign opens', () => {
  const none = {
    callableNow: 0,
    laterToday: 0,
    later: 0,
    blocked: {},
    withoutConsent: 0,
    counted: 0,
    isWhole: true,
  }
  const say = (preview: Partial<typeof none>, queue: Partial<Queue> = {}, settings: Partial<Campaign> = {}) =>
    describeCalls({ ...none, ...preview }, campaignOf(queue, settings), now)
  const nextOpening = '2026-11-23T08:00:00Z'
  expect(say({ callableNow: 12, laterToday: 3, later: 400 })).toBe(
    'It calls 12 leads at once, 3 later today, 400 tomorrow or later.',
  )
  expect(say({ later: 400 }, { nextOpening })).toMatch(
    /^It calls 400 tomorrow or later, when it opens Monday 0?9:00.* in Berlin\.$/,
  )
  expect(say({ callableNow: 5_000, isWhole: false, counted: 5_000 })).toBe(
    'It calls 5,000 leads at once of the first 5,000 leads.',
  )
  expect(say({ callableNow: 1 }, {}, { paused: true })).toBe(
    'Nobody is called while the campaign is paused, then 1 lead at once.',
  )
  expect(say({})).toMatch(/^No lead can be called now/)
  expect(say({ callableNow: 1 }, {}, { timeZone: null })).toMatch(/^The campaign has no time zone/)
})

describe('A template of one’s own', () => {
  const text = textOf({
    auth: { kind: 'bearer', secret: 'apiKey' },
    start: {
      method: 'POST',
      url: 'https://calls.test/{{variables.account}}',
      body: { to: '{{lead.phoneNumber}}' },
    },
    notDialled: [{ status: [401] }, { status: [402], because: '}"[' }],
    status: { method: 'GET', url: 'http://calls.test', over: { at: '/state', equals: 'ended' } },
  })
  const at = (message: string) => {
    const { problem, from, until } = wrongAt(text, message)
    return [problem, text.slice(from, until)]
  }

  it('A template of one’s own shows an error of the service at the line of its member, and selects that', () => {
    expect(at('template.status.url must be an https:// URL')).toEqual([
      'Line 28: status.url must be an https:// URL',
      '"url": "http://calls.test"',
    ])
    expect(at('template.notDialled[1].because must be one of account')).toEqual([
      'Line 23: notDialled[1].because must be one of account',
      '"because": "}\\"["',
    ])
    // A member that is missing: where it should be.
    expect(at('template.notDialled[0].because is required')[0]).toMatch(/^Line 14: notDialled\[0\]/)
    expect(at('template.started is required')[0]).toBe('Line 1: started is required')
    expect(at('template must name at most 40 variables')[0]).toBe(
      'Line 1: template must name at most 40 variables',
    )
  })

  it('A template of one’s own names its line where it is no JSON, and the variables and secrets that it needs', () => {
    expect(readText(text)).toEqual({ template: JSON.parse(text) })
    expect(readText('{\n  "a": 1,\n  b\n}')).toMatchObject({ problem: 'Line 3: this is no JSON' })
    expect(readText('{"a": 1')).toMatchObject({ problem: 'Line 1: this is no JSON' })
    const names = (one: string) =>
      Object.values(fieldsOfText(one) ?? {}).map((fields) => fields.map(({ name }) => name))
    expect(names(text)).toEqual([['account'], ['apiKey']])
    for (const none of ['', '{}', '[]', 'null', '{"start":5}']) expect(names(none).flat()).toEqual([])
  })
})

it('An idle dialer has nothing to call only where no lead is ready', () => {
  const idle = { status: 'idle', reason: null } as const
  expect(describeDialer(idle, { reason: 'empty' }).title).toBe('On. Nothing to call right now')
  expect(describeDialer(idle, { reason: null }).title).toMatch(/^On\. Leads are ready, and their calls start/)
  expect(describeDialer(pacing, { reason: null }).title).toMatch(
    /^Calling: it has started 60 calls in a minute/,
  )
})

it('The state of a campaign is that its leads have no consent where nothing else can be called', () => {
  const requireConsent = { purpose: 'phone-offers', maxAgeDays: null }
  const held = (queue: Partial<Queue>, settings: Partial<Campaign> = { requireConsent }) =>
    describeCampaign(campaignOf({ queued: 0, heldForConsent: 4_760, ...queue }, settings), now)
  expect(held({ reason: 'empty' })).toMatchObject({
    tone: 'act',
    title: 'Held: 4,760 leads have no consent',
    advice: expect.stringContaining('“phone-offers”'),
  })
  expect(held({ reason: 'waiting', queued: 2, heldForConsent: 1 }).title).toBe(
    'Held: 1 lead has no consent; the others wait for their next call',
  )
  expect(held({ reason: 'empty', heldForConsent: 10_000, isCapped: true }).title).toMatch(
    /^Held: 10,000\+ leads/,
  )
  expect(held({ reason: 'empty' }, { requireConsent: null })).toMatchObject({ tone: 'calm' })
  expect(held({ reason: 'empty', nextOpening: '2026-11-23T08:00:00Z' })).toMatchObject({
    title: expect.stringMatching(/^Closed until Monday/),
    advice: expect.stringMatching(/^Held: 4,760 leads have no consent\. /),
  })
  // Others are called.
  expect(held({ reason: 'empty', leased: 1 }).title).toMatch(/the last leads are being called/)
  expect(held({}).title).toMatch(/no agent is calling/)
})
