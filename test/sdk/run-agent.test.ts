// The agent of the client: what it does next, and how it plays against a service in memory, on a clock that is told.
import { describe, expect, it, vi } from 'vitest'
import { readReport } from '../../src/calling/input.ts'
import { nextStep, type Progress, type Situation } from '../../src/sdk/src/agent/agent-step.ts'
import { type CallOutcome, CallStopped } from '../../src/sdk/src/lead-intake.ts'
import { sleep } from '../../src/sdk/src/send.ts'
import { campaignOf, lasting, type Script, until } from './scripted-campaign.ts'
import { type Asked, passing, type Scripted } from './scripted-service.ts'

describe('The next step of an agent', () => {
  const nowMs = 1_000_000
  const later = nowMs + 1
  /** Goes on: half of its lease is not over. */
  const going: Progress = {
    state: 'going',
    stop: null,
    dialBeforeMs: later,
    extendsAtMs: later + 9,
    confirmedAtMs: nowMs,
    isNoted: false,
  }
  const ready: Progress = { ...going, state: 'ready' }
  const ended: Progress = { ...going, state: 'ended' }
  const step = (flights: Progress[], situation: Partial<Situation> = {}) =>
    nextStep(
      flights,
      {
        ...{ concurrency: 1, places: 2, claimsAtMs: nowMs, pacedAtMs: 0, isEnding: false, notesDials: false },
        ...situation,
      },
      nowMs,
    )

  it('A free place is a claim, of as many as there are', () => {
    expect(step([])).toEqual({ kind: 'claim', claimLimit: 2 })
    expect(step([going])).toEqual({ kind: 'claim', claimLimit: 1 })
    expect(step([], { places: 110 })).toEqual({ kind: 'claim', claimLimit: 100 })
  })

  it('An agent that was told when to come back, or keeps its pace, does not claim before', () => {
    expect(step([], { claimsAtMs: later })).toEqual({ kind: 'rest', untilMs: later })
    expect(step([], { pacedAtMs: later + 3 })).toEqual({ kind: 'rest', untilMs: later + 3 })
    expect(step([going], { claimsAtMs: later + 20 })).toEqual({ kind: 'rest', untilMs: going.extendsAtMs })
  })

  it('An agent with nothing to ask rests until a lease is half over or a lead may no longer be dialled', () => {
    expect(step([going, { ...going, extendsAtMs: later + 3 }])).toEqual({ kind: 'rest', untilMs: later + 3 })
    expect(step([going, ready])).toEqual({ kind: 'rest', untilMs: later + 1 })
  })

  it('Calls that have ended are reported together, with a claim for each place that is free then', () => {
    expect(step([ended, going], { places: 5 })).toEqual({ kind: 'report', flights: [ended], claimLimit: 4 })
    expect(step([ended, ended, going, going])).toEqual({
      kind: 'report',
      flights: [ended, ended],
      claimLimit: 0,
    })
    expect(step([ended], { pacedAtMs: later })).toEqual({ kind: 'rest', untilMs: later })
  })

  it('A lease that is half over is extended before anything is reported, unless its call has ended', () => {
    const expiring = { ...going, extendsAtMs: nowMs }
    expect(step([ended, expiring], { pacedAtMs: later })).toEqual({ kind: 'extend', flights: [expiring] })
    expect(step([{ ...ended, extendsAtMs: nowMs }])).toMatchObject({ kind: 'report' })
  })

  it('A lead that was at hand for more than 5 s is extended once somebody is free to dial it, and not before', () => {
    const since = (ms: number): Progress => ({ ...ready, confirmedAtMs: nowMs - ms })
    expect(step([since(5_001)], { concurrency: 1 })).toMatchObject({
      kind: 'extend',
      flights: [since(5_001)],
    })
    expect(step([since(5_000)], { concurrency: 1 })).not.toMatchObject({ kind: 'extend' })
    expect(step([going, since(5_001)], { concurrency: 1 })).toMatchObject({ kind: 'rest' })
    expect(step([since(5_001), since(6_000), since(7_000)], { concurrency: 2, places: 3 })).toEqual({
      kind: 'extend',
      flights: [since(5_001), since(6_000)],
    })
    expect(step([since(5_001)], { isEnding: true })).toMatchObject({ kind: 'release' })
  })

  it('An agent that notes its dials notes each right before, and no lead that it has only claimed', () => {
    const notesDials = true
    const noted = { ...ready, isNoted: true }
    expect(step([ready], { notesDials })).toEqual({ kind: 'note', flights: [ready] })
    expect(step([going, ready], { notesDials })).toEqual({ kind: 'rest', untilMs: later + 1 })
    expect(step([noted], { notesDials })).not.toMatchObject({ kind: 'note' })
    // A call that an earlier run left is on the phone for all that is known, and its lease is extended without a note.
    const resumed = { ...going, extendsAtMs: nowMs }
    expect(step([resumed, ready], { notesDials, concurrency: 2, places: 3 })).toEqual({
      kind: 'note',
      flights: [ready],
    })
    expect(step([resumed, noted], { notesDials })).toEqual({ kind: 'extend', flights: [resumed] })
  })

  it('What nobody dialled is released when it is told to end, or may not be dialled any more', () => {
    const told = { ...ready, stop: 'suppressed' }
    const late = { ...ready, dialBeforeMs: nowMs - 1 }
    const refused: Progress = { ...going, state: 'undialled' }
    expect(step([told, ended, late, refused])).toEqual({ kind: 'release', flights: [told, late, refused] })
  })

  it('At its end an agent releases what is ready, and reports without claiming and without pause', () => {
    expect(step([ready, ended], { isEnding: true })).toEqual({ kind: 'release', flights: [ready] })
    expect(step([ended], { isEnding: true, pacedAtMs: later })).toEqual({
      kind: 'report',
      flights: [ended],
      claimLimit: 0,
    })
    expect(step([going], { isEnding: true })).toEqual({ kind: 'rest', untilMs: going.extendsAtMs })
  })

  it('No request names more calls than the service takes', () => {
    const first = step(Array(101).fill(ended), { places: 100 })
    expect(first).toMatchObject({ kind: 'report', claimLimit: 99 })
    expect('flights' in first && first.flights).toHaveLength(100)
  })
})

/** Judges reports as the service does. */
function asTheService({ path, text }: Asked): Scripted | undefined {
  const reading = path === '/api/v1/calls/report' ? readReport(text) : null
  if (reading === null || reading.isValid) return undefined
  return { status: 400, error: reading.message, headers: { 'x-error-code': 'invalid_field' } }
}

/** An agent with three calls, the second of which ends so: all that is reported. */
async function reportingAmong(outcome: CallOutcome, fault: NonNullable<Script['fault']>) {
  const campaign = campaignOf(3, { fault })
  const errors: unknown[] = []
  const agent = campaign.start({
    concurrency: 3,
    call: async ({ phoneNumber }) => (phoneNumber === '+2' ? outcome : 'answered'),
    onError: (error) => errors.push(error),
  })
  const endedAtMs = Date.now()
  await until(() => campaign.reports.length === 3)
  campaign.ending.abort()
  expect((await passing(agent)).error).toBeUndefined()
  return { reports: campaign.reports, errors, endedAtMs }
}

describe('An agent', () => {
  it('Each lead is called and reported once, never more at once than it may, in few requests', async () => {
    const campaign = campaignOf(100)
    let [onPhone, most] = [0, 0]
    const agent = campaign.start({
      concurrency: 10,
      call: async (_, signal) => {
        most = Math.max(most, ++onPhone)
        await sleep(30_000, signal)
        onPhone--
        return { outcome: 'answered', durationSeconds: 30 }
      },
    })
    await until(() => campaign.reports.length === 100)
    campaign.ending.abort()
    await passing(agent)
    expect(most).toBe(10)
    expect(new Set(campaign.reports.map(({ callId }) => callId)).size).toBe(100)
    expect(campaign.reports[0]).toEqual({ callId: 'call-1', outcome: 'answered', durationSeconds: 30 })
    // Each round is a report with a claim, and a look at the lead that was at hand.
    expect(campaign.asked.length).toBeLessThan(30)
    expect(campaign.open.size).toBe(0)
  })

  it.each([
    [1, 1],
    [9, 9],
    [10, 11],
    [25, 27],
  ])('With %i calls at once it claims %i leads, if nothing else is set', async (concurrency, claimed) => {
    const campaign = campaignOf(100)
    const agent = campaign.start({ concurrency, call: lasting(1_000) })
    await until(() => campaign.reports.length === 100)
    expect(campaign.asked[0]?.body).toMatchObject({ limit: claimed })
    campaign.ending.abort()
    await passing(agent)
  })

  it('A lead that waited is dialled once the service has said again that it may be', async () => {
    const campaign = campaignOf(2)
    const agent = campaign.start({ ahead: 1, call: lasting(10_000) })
    await until(() => campaign.reports.length === 2)
    expect(campaign.paths().slice(0, 4)).toEqual(['/claim', '/extend', '/report', '/report'])
    expect(campaign.extended).toEqual(['call-2'])
    campaign.ending.abort()
    await passing(agent)
  })

  it.each([
    ['suppressed', { delaySeconds: 0 }],
    ['erased', { delaySeconds: 0 }],
    ['concluded', { delaySeconds: 0 }],
    ['lease_lost', { delaySeconds: 0 }],
    ['paused', {}],
    ['outside_hours', {}],
  ])('A lead that waited and is %s by then is not dialled, but given back', async (stop, delay) => {
    const campaign = campaignOf(2, { stop })
    const called: string[] = []
    const agent = campaign.start({
      ahead: 1,
      call: async (lead, signal) => {
        called.push(lead.phoneNumber)
        return lasting(10_000)(lead, signal)
      },
    })
    await until(() => campaign.released.length === 1)
    expect(called).toEqual(['+1'])
    expect(campaign.released).toEqual([{ callId: 'call-2', ...delay }])
    campaign.ending.abort()
    await passing(agent)
  })

  it('A lead may be at hand before somebody is free, and a claim travels with each report', async () => {
    const campaign = campaignOf(5)
    const begun: number[] = []
    const agent = campaign.start({
      ahead: 1,
      call: async (lead, signal) => {
        begun.push(Date.now())
        return lasting(10_000)(lead, signal)
      },
    })
    const startedAtMs = Date.now()
    await until(() => campaign.reports.length === 5)
    expect(campaign.asked[0]?.body).toMatchObject({ campaignId: 'spring', limit: 2 })
    expect(begun.map((ms) => ms - startedAtMs)).toEqual([0, 10_000, 20_000, 30_000, 40_000])
    expect(campaign.paths().filter((path) => path !== '/extend')).toEqual([
      '/claim',
      ...Array(5).fill('/report'),
    ])
    campaign.ending.abort()
    await passing(agent)
  })

  it('A lease lasts as long as its call', async () => {
    const campaign = campaignOf(1, { leaseMs: 60_000 })
    const agent = campaign.start({ call: lasting(300_000) })
    await until(() => campaign.reports.length === 1)
    expect(campaign.reports).toMatchObject([{ outcome: 'answered' }])
    expect(campaign.extended).toHaveLength(9)
    campaign.ending.abort()
    await passing(agent)
  })

  it.each(['suppressed', 'erased', 'concluded', 'lease_lost'])(
    'A call that should stop (%s) is told so, and reported',
    async (stop) => {
      const campaign = campaignOf(1, { leaseMs: 60_000, stop })
      let reason: unknown
      const agent = campaign.start({
        call: async (_, signal) => {
          await sleep(300_000, signal)
          reason = signal.reason
          throw reason
        },
      })
      await until(() => campaign.reports.length === 1)
      expect(reason).toBeInstanceOf(CallStopped)
      expect(reason).toMatchObject({ stop })
      expect(campaign.reports).toEqual([{ callId: 'call-1', outcome: 'failed' }])
      campaign.ending.abort()
      await passing(agent)
    },
  )

  it.each(['paused', 'outside_hours'])(
    'A call goes on when its campaign is %s, and it is for the agent to decide whether it should',
    async (stop) => {
      const campaign = campaignOf(2, { leaseMs: 60_000, stop })
      const seen: unknown[] = []
      const agent = campaign.start({
        concurrency: 2,
        call: async (lead, signal, _, advice) => {
          // The second one ends on it.
          if (lead.phoneNumber === '+2') await sleep(300_000, AbortSignal.any([signal, advice]))
          else await sleep(300_000, signal)
          seen.push([signal.aborted, advice.aborted, (advice.reason as CallStopped).stop])
          return lead.phoneNumber === '+2' ? 'abandoned' : 'answered'
        },
      })
      await until(() => campaign.reports.length === 2)
      expect(campaign.reports.map(({ outcome }) => outcome)).toEqual(['abandoned', 'answered'])
      expect(seen).toEqual([
        [false, true, stop],
        [false, true, stop],
      ])
      campaign.ending.abort()
      await passing(agent)
    },
  )

  it('A call that goes on in a pause is aborted when its number is suppressed then', async () => {
    let stop = 'paused'
    const campaign = campaignOf(1, { leaseMs: 60_000, stop: () => stop })
    let reason: unknown
    const agent = campaign.start({
      call: async (_, signal, __, advice) => {
        await sleep(300_000, advice)
        stop = 'suppressed'
        await sleep(300_000, signal)
        reason = signal.reason
        return 'failed'
      },
    })
    await until(() => campaign.reports.length === 1)
    expect(reason).toMatchObject({ stop: 'suppressed' })
    campaign.ending.abort()
    await passing(agent)
  })

  it('At its end calls are told, waited for and reported, their leases kept, and what is ready is given back', async () => {
    const campaign = campaignOf(9, { leaseMs: 60_000 })
    const agent = campaign.start({
      concurrency: 2,
      ahead: 2,
      // Says good-bye for longer than a lease.
      call: async (_, signal) => {
        await sleep(300_000, signal)
        await sleep(100_000)
        return 'callback_requested'
      },
    })
    await vi.advanceTimersByTimeAsync(10_000)
    campaign.ending.abort()
    const { error } = await passing(agent)
    expect(error).toBeUndefined()
    expect(campaign.released).toEqual([
      { callId: 'call-3', delaySeconds: 0 },
      { callId: 'call-4', delaySeconds: 0 },
    ])
    expect(campaign.reports.map(({ callId }) => callId)).toEqual(['call-1', 'call-2'])
    expect(campaign.extended.length).toBeGreaterThan(4)
    expect(campaign.paths().filter((path) => path === '/claim')).toHaveLength(1)
    expect(campaign.open.size).toBe(0)
  })

  it('A call that nobody dialled is given back, and not to be handed out again at once', async () => {
    const campaign = campaignOf(1)
    const agent = campaign.start({ call: async () => null })
    await until(() => campaign.released.length === 1)
    expect(campaign.released).toEqual([{ callId: 'call-1' }])
    campaign.ending.abort()
    await passing(agent)
    expect(campaign.reports).toEqual([])
  })

  it('A call that throws, or has no outcome, has failed, and is told', async () => {
    const campaign = campaignOf(2)
    const errors: unknown[] = []
    const agent = campaign.start({
      call: async ({ phoneNumber }) => {
        if (phoneNumber === '+1') throw new Error('no line')
        return undefined as never
      },
      onError: (error) => errors.push(error),
    })
    await until(() => campaign.reports.length === 2)
    expect(campaign.reports).toMatchObject([{ outcome: 'failed' }, { outcome: 'failed' }])
    expect(errors).toEqual([new Error('no line'), new TypeError('call() gave no outcome')])
    campaign.ending.abort()
    await passing(agent)
  })

  it.each<[string, CallOutcome, object, string]>([
    [
      'durationSeconds',
      { outcome: 'do_not_call', durationSeconds: 12.5, providerCallId: 'CA1' },
      { outcome: 'do_not_call', providerCallId: 'CA1' },
      'calls[1].durationSeconds',
    ],
    [
      'details',
      { outcome: 'answered', doNotCall: true, durationSeconds: 9, details: { said: 'x'.repeat(20_000) } },
      { outcome: 'answered', doNotCall: true, durationSeconds: 9 },
      'calls[1].details',
    ],
    [
      'providerCallId',
      { outcome: 'not_interested', durationSeconds: 9, providerCallId: 'x'.repeat(256) },
      { outcome: 'not_interested', durationSeconds: 9 },
      'calls[1].providerCallId',
    ],
    [
      'callbackAt',
      { outcome: 'not_interested', callbackAt: 'tomorrow', details: { note: 'Ada' } },
      { outcome: 'not_interested', details: { note: 'Ada' } },
      'calls[1].callbackAt',
    ],
    [
      'doNotCall',
      { outcome: 'no_answer', doNotCall: 'yes' as never },
      { outcome: 'no_answer', doNotCall: true },
      'calls[1].doNotCall',
    ],
    [
      'outcome',
      { outcome: 'rang' as never, doNotCall: true, durationSeconds: 9 },
      { outcome: 'failed', doNotCall: true, durationSeconds: 9 },
      'calls[1].outcome',
    ],
  ])('What the service refuses of a report (%s) is left out, and costs nothing else', async (...row) => {
    const [, outcome, reported, field] = row
    const { reports, errors } = await reportingAmong(outcome, asTheService)
    expect(reports).toEqual([
      { callId: 'call-1', outcome: 'answered' },
      { callId: 'call-2', ...reported },
      { callId: 'call-3', outcome: 'answered' },
    ])
    expect(errors).toMatchObject([{ field }])
  })

  it.each<[string, CallOutcome]>([
    ['cannot be read', { outcome: 'callback_requested', callbackAt: 'tomorrow', doNotCall: true }],
    ['is missing', { outcome: 'callback_requested', doNotCall: true }],
  ])('Whose callbackAt %s is called back a day later', async (_, outcome) => {
    const { reports, errors, endedAtMs } = await reportingAmong(outcome, asTheService)
    const callbackAt = new Date(endedAtMs + 86_400_000).toISOString()
    expect(reports[1]).toEqual({
      callId: 'call-2',
      outcome: 'callback_requested',
      callbackAt,
      doNotCall: true,
    })
    expect(errors).toMatchObject([{ field: 'calls[1].callbackAt' }])
  })

  it('Each of several things that are wrong with several reports is left out', async () => {
    const wrong = { outcome: 'busy', durationSeconds: -1, providerCallId: 'x'.repeat(256) } as const
    const campaign = campaignOf(3, { fault: asTheService })
    const errors: unknown[] = []
    const agent = campaign.start({
      concurrency: 3,
      call: async () => wrong,
      onError: (error) => errors.push(error),
    })
    await until(() => campaign.reports.length === 3)
    expect(campaign.reports.map(({ callId: _, ...report }) => report)).toEqual(
      Array(3).fill({ outcome: 'busy' }),
    )
    expect(errors).toHaveLength(6)
    campaign.ending.abort()
    await passing(agent)
  })

  const outcomeOf = {
    outcome: 'callback_requested',
    callbackAt: '2026-12-24T10:00:00Z',
    doNotCall: true,
    durationSeconds: 9,
    details: { note: 'poison' },
  } as const
  it.each<[string, Scripted]>([
    ['names nothing', { status: 400, error: 'No', headers: { 'x-error-code': 'invalid_json' } }],
    ['names no call that was sent', { status: 400, error: 'calls[700].details is odd' }],
    ['names what cannot be left out', { status: 400, error: 'calls[poison].callId is odd' }],
    ['comes from what stands before the service', { status: 403, text: '<html>blocked</html>' }],
  ])(
    'When a refusal %s, the outcome, callbackAt and doNotCall of one report alone are sent',
    async (...row) => {
      const [, refusal] = row
      const { reports, errors } = await reportingAmong(outcomeOf, ({ text }) =>
        text.includes('poison') ? refusal : undefined,
      )
      const { outcome, callbackAt, doNotCall } = outcomeOf
      expect(reports.sort((a, b) => (String(a.callId) < String(b.callId) ? -1 : 1))).toMatchObject([
        { callId: 'call-1', outcome: 'answered' },
        { callId: 'call-2', outcome, callbackAt, doNotCall },
        { callId: 'call-3', outcome: 'answered' },
      ])
      expect(reports[1]).not.toHaveProperty('details')
      expect(errors.length).toBeGreaterThan(0)
    },
  )

  it('A report with a member whose name is refused without being named loses nothing else', async () => {
    const { reports, errors } = await reportingAmong(
      { ...outcomeOf, 'call-notes': 'x' } as CallOutcome,
      asTheService,
    )
    expect(reports).toContainEqual({ callId: 'call-2', ...outcomeOf })
    expect(errors).toMatchObject([{ message: 'calls[1].A member is not a member' }])
  })

  it('A report that is too large for the service loses its details alone', async () => {
    const { reports, errors } = await reportingAmong(outcomeOf, ({ text }) =>
      text.includes('poison') ? { status: 413, error: 'Request body too large' } : undefined,
    )
    const { details: _, ...rest } = outcomeOf
    expect(reports).toContainEqual({ callId: 'call-2', ...rest })
    expect(reports).toHaveLength(3)
    expect(errors).toMatchObject([{ status: 413 }])
  })

  it('A call of which nothing can be reported ends the agent with that error, after all others are reported', async () => {
    const campaign = campaignOf(3, {
      fault: ({ text }) => (text.includes('call-2"') && text.includes('outcome') ? refusal : undefined),
    })
    const refusal = { status: 400, error: 'No', headers: { 'x-error-code': 'invalid_field' } }
    const agent = campaign.start({ concurrency: 3, call: async () => 'answered' })
    const { error } = await passing(agent)
    expect(error).toMatchObject({ status: 400, message: 'No' })
    expect(campaign.reports.map(({ callId }) => callId).sort()).toEqual(['call-1', 'call-3'])
  })

  it('A claim that the service refuses ends the agent, and changes no report', async () => {
    const campaign = campaignOf(1, {
      fault: ({ body, path }) =>
        'claim' in body && path.endsWith('report')
          ? { status: 400, error: 'claim.agent is odd', headers: { 'x-error-code': 'invalid_field' } }
          : undefined,
    })
    const report = { outcome: 'busy', durationSeconds: 9 } as const
    const { error } = await passing(campaign.start({ call: async () => report }))
    expect(error).toMatchObject({ message: 'claim.agent is odd' })
    expect(campaign.reports).toEqual([{ callId: 'call-1', ...report }])
  })

  it('What of an outcome cannot be JSON is left out, and costs nothing else', async () => {
    const outcome = {
      outcome: 'do_not_call',
      durationSeconds: 9,
      details: { seconds: 10n } as never,
    } as const
    const { reports, errors } = await reportingAmong(outcome, asTheService)
    expect(reports[1]).toEqual({ callId: 'call-2', outcome: 'do_not_call', durationSeconds: 9 })
    expect(reports).toHaveLength(3)
    expect(errors).toEqual([expect.any(TypeError)])
  })

  it('A claim and a report whose answers are lost are sent again as they were, and count once', async () => {
    const lost = new Set<string>()
    const campaign = campaignOf(10, {
      fault: ({ path }) => {
        if (lost.has(path)) return undefined
        lost.add(path)
        return 'lost'
      },
    })
    const agent = campaign.start({ concurrency: 3, call: lasting(1_000) })
    await until(() => campaign.reports.length === 10)
    expect(new Set(campaign.reports.map(({ callId }) => callId)).size).toBe(10)
    const sent = campaign.asked.map(
      ({ path, headers, text }) => `${path} ${headers.get('idempotency-key')} ${text}`,
    )
    expect(sent.length - new Set(sent).size).toBe(2)
    campaign.ending.abort()
    await passing(agent)
  })

  it('An outage is outlasted, however long it is; at the end it is waited for a little', async () => {
    let isDown = false
    const campaign = campaignOf(5, { fault: () => (isDown ? 'no answer' : undefined) })
    const agent = campaign.start({ call: lasting(1_000) })
    await until(() => campaign.reports.length === 1)
    isDown = true
    await vi.advanceTimersByTimeAsync(3_600_000)
    isDown = false
    await until(() => campaign.reports.length === 5)
    isDown = true
    campaign.ending.abort()
    const { error, tookMs } = await passing(agent)
    expect([error, tookMs < 60_000]).toEqual([undefined, true])
  })

  it('A refusal ends it with that error, after it has told its calls and reported what it could', async () => {
    const campaign = campaignOf(4, {
      fault: ({ body }, number) =>
        number > 1 && 'claim' in body
          ? {
              status: 403,
              error: 'Campaign not found or access denied',
              headers: { 'x-error-code': 'campaign_denied' },
            }
          : undefined,
    })
    let count = 0
    const agent = campaign.start({
      concurrency: 2,
      ahead: 0,
      call: (lead, signal) => lasting(++count * 1_000)(lead, signal),
    })
    const { error } = await passing(agent)
    expect(error).toMatchObject({ code: 'campaign_denied' })
    expect(campaign.reports.map(({ outcome }) => outcome).sort()).toEqual(['answered', 'failed'])
    expect(campaign.open.size).toBe(0)
  })

  it('Whoever is told may throw: no lead is lost, and the agent goes on', async () => {
    const campaign = campaignOf(6)
    const clumsy = () => {
      throw new Error('clumsy')
    }
    const agent = campaign.start({
      concurrency: 2,
      call: async ({ phoneNumber }) => {
        if (phoneNumber === '+1') throw new Error('no line')
        return phoneNumber === '+2' ? null : 'answered'
      },
      onError: clumsy,
      onReport: async () => clumsy(),
      onRelease: clumsy,
      onIdle: clumsy,
    })
    await until(() => campaign.reports.length === 5)
    campaign.ending.abort()
    expect((await passing(agent)).error).toBeUndefined()
    expect([campaign.released.length, campaign.open.size]).toEqual([1, 0])
  })

  it.each(['silence', 'no answer'] as const)(
    'At its end calls are waited for, and then a service that fails (%s) not for long',
    async (failure) => {
      let isDown = false
      const campaign = campaignOf(1, {
        leaseMs: 60_000,
        fault: () => (isDown ? failure : undefined),
      })
      const agent = campaign.start({
        call: async () => {
          await sleep(200_000)
          return 'answered'
        },
      })
      await vi.advanceTimersByTimeAsync(1_000)
      isDown = true
      campaign.ending.abort()
      const { error, tookMs } = await passing(agent)
      expect(error).toMatchObject({ code: 'connection_failed' })
      expect(tookMs).toBeGreaterThan(199_000)
      expect(tookMs).toBeLessThan(215_000)
    },
  )

  it('A request that fails at the end keeps no outcome from being reported once the service answers again', async () => {
    let isDown = false
    const campaign = campaignOf(1, { leaseMs: 60_000, fault: () => (isDown ? 'no answer' : undefined) })
    const agent = campaign.start({
      call: async () => {
        await sleep(100_000)
        isDown = false
        return 'answered'
      },
    })
    await vi.advanceTimersByTimeAsync(1_000)
    isDown = true
    campaign.ending.abort()
    expect((await passing(agent)).error).toBeUndefined()
    expect(campaign.reports).toEqual([{ callId: 'call-1', outcome: 'answered' }])
  })

  it('An agent whose signal is aborted before it begins asks for nothing', async () => {
    const campaign = campaignOf(4)
    campaign.ending.abort()
    await passing(campaign.start({ call: lasting(1) }))
    expect(campaign.asked).toEqual([])
  })

  it('When there is nothing to call it says why, and asks again when it is told', async () => {
    const campaign = campaignOf(0)
    const idle: unknown[] = []
    const agent = campaign.start({ call: lasting(1), onIdle: (told) => idle.push(told) })
    await vi.advanceTimersByTimeAsync(125_000)
    expect(idle).toEqual(Array(3).fill({ reason: 'empty', retryAfterSeconds: 60 }))
    campaign.ending.abort()
    await passing(agent)
  })

  it('A report whose claim is refused is done with, and the agent claims again when it may', async () => {
    const refused = { calls: [], reason: 'suppression_unavailable', retryAfterSeconds: 30 }
    const results = [{ callId: 'call-1', result: 'recorded' }]
    const campaign = campaignOf(2, {
      fault: ({ path }, number) =>
        path.endsWith('/report') && number < 4 ? { data: { results, claim: refused } } : undefined,
    })
    const [idle, told]: unknown[][] = [[], []]
    const agent = campaign.start({
      ahead: 0,
      call: lasting(1_000),
      onIdle: (each) => idle?.push(each),
      onReport: ({ result }) => told?.push(result?.result),
    })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(campaign.paths()).toEqual(['/claim', '/report'])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(campaign.paths().slice(0, 3)).toEqual(['/claim', '/report', '/claim'])
    expect(idle?.[0]).toEqual({ reason: 'suppression_unavailable', retryAfterSeconds: 30 })
    expect(told?.[0]).toBe('recorded')
    campaign.ending.abort()
    await passing(agent)
  })
})
