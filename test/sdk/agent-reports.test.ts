// The reports of the client's agent: what it says of each call, and what of a report survives a refusal.
import { describe, expect, it } from 'vitest'
import { readReport } from '../../src/queue/calling/input.ts'
import type { CallOutcome } from '../../src/sdk/src/lead-intake.ts'
import { campaignOf, type Script, until } from './scripted-campaign.ts'
import { type Asked, passing, type Scripted } from './scripted-service.ts'

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

describe('The report of an agent', () => {
  it('A call that throws, or has no outcome, is reported as failed', async () => {
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

  it.each<[object, isNo: boolean]>([
    [{ outcome: 'answered', do_not_call: true }, true],
    [{ outcome: 'answered', donotcall: 1 }, true],
    [{ outcome: 'answered', dnc: 'yes', doNotCall: false }, true],
    [{ outcome: 'answered', 'Opt-Out': 'maybe' }, true],
    [{ outcome: 'Do Not Call' }, true],
    [{ outcome: 'opt_out_requested' }, true],
    [{ outcome: 'answered', dnc: 'No', do_not_call: false, optOut: null, unsubscribe: '' }, false],
    [{ outcome: 'answered', note: 'do not call' }, false],
  ])('A no in other words is reported as one, and nothing else is: %j', async (said, isNo) => {
    const { reports } = await reportingAmong(said as CallOutcome, asTheService)
    const heard = reports.map(({ outcome, doNotCall }) => outcome === 'do_not_call' || doNotCall === true)
    expect(heard).toEqual([false, isNo, false])
  })

  it('A no in other words as the whole outcome is reported as one', async () => {
    const { reports } = await reportingAmong('do not call' as CallOutcome, asTheService)
    expect(reports.map(({ outcome }) => outcome)).toEqual(['answered', 'do_not_call', 'answered'])
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

  it('Each invalid part of several reports is omitted', async () => {
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

  it('A no stays one when a proxy refuses report after report', async () => {
    let left = 4
    const { reports } = await reportingAmong('do_not_call', ({ text }) =>
      text.includes('call-2') && left-- > 0 ? { status: 403, text: '' } : undefined,
    )
    const no = reports.find(({ callId }) => callId === 'call-2')
    expect(no?.outcome === 'do_not_call' || no?.doNotCall === true).toBe(true)
  })

  it('A report with an unknown member that the refusal does not name loses only that member', async () => {
    const { reports, errors } = await reportingAmong(
      { ...outcomeOf, 'call-notes': 'x' } as CallOutcome,
      asTheService,
    )
    expect(reports).toContainEqual({ callId: 'call-2', ...outcomeOf })
    expect(errors).toMatchObject([{ message: 'calls[1].A member is not a member' }])
  })

  it('A report that is too large loses only its details', async () => {
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

  it('A claim that the service refuses ends the agent, and all reports are sent', async () => {
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

  it('A part of an outcome that cannot be JSON is omitted, and nothing else', async () => {
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
})
