// How the presets read the end of a call: every reason that a provider’s package lists, and where the types have the
// rest.
import type { Vapi } from '@vapi-ai/server-sdk'
import type Retell from 'retell-sdk'
import { describe, expect, it } from 'vitest'
import { presets } from '../../../src/channels/dialers/presets/presets.ts'
import { retell } from '../../../src/channels/dialers/presets/retell.ts'
import { twilio } from '../../../src/channels/dialers/presets/twilio.ts'
import { vapi } from '../../../src/channels/dialers/presets/vapi.ts'
import { type CallEnd, readStatus } from '../../../src/channels/dialers/template/read-status.ts'
import { hears, type StatusTemplate, type Template } from '../../../src/channels/dialers/template/template.ts'
import { endReasons } from '../../support/dialers/end-reasons.ts'
import { caseOf } from '../../support/dialers/preset-cases.ts'

const context = { variables: {}, timeZone: 'Europe/Berlin', overAtMs: Date.UTC(2026, 0, 5, 12) }

const endOf = ({ template }: { readonly template: Template }, body: object): CallEnd => {
  const read = readStatus(template.status, { status: 200, body }, context)
  if (read === null || read === 'unreadable') throw new Error('it is not over')
  return read.end
}

const vapiEnd = (endedReason: Vapi.CallEndedReason, artifact: Vapi.Artifact = {}) =>
  endOf(vapi, { status: 'ended', endedReason, artifact } satisfies Partial<Vapi.Call>)

type RetellCall = Partial<Retell.PhoneCallResponse>
const retellEnd = (call: RetellCall) => endOf(retell, { call_status: 'ended', ...call })

const { vapi: ofVapi, retell: ofRetell, twilio: ofTwilio } = endReasons

describe('Every reason that a package lists has an outcome', () => {
  it('Vapi', () => {
    const reasons = ofVapi.reasons
    expect(reasons.length).toBeGreaterThan(500)
    expect(
      reasons.filter((reason) => vapiEnd(reason as Vapi.CallEndedReason).unmappedReason !== null),
    ).toEqual([])
  })

  it('Retell', () => {
    expect(ofRetell.reasons.length).toBeGreaterThan(30)
    expect([...ofRetell.reasons].sort()).toEqual(Object.keys(retell.template.status.outcomes).sort())
  })

  it('Twilio', () => {
    expect(ofTwilio.reasons).toHaveLength(8)
    const over = ofTwilio.reasons.filter(
      (status) => readStatus(twilio.template.status, { status: 200, body: { status } }, context) !== null,
    )
    expect(over).toEqual(['completed', 'busy', 'failed', 'no-answer', 'canceled'])
    expect(over.filter((status) => endOf(twilio, { status }).unmappedReason !== null)).toEqual([])
  })

  it('No key of Vapi is without a reason, so that a misspelt one is seen', () => {
    const { reasons } = ofVapi
    const unused = Object.keys(vapi.template.status.outcomes).filter((key) =>
      key.endsWith('*')
        ? !reasons.some((reason) => reason.startsWith(key.slice(0, -1)))
        : !reasons.includes(key),
    )
    expect(unused).toEqual([])
  })
})

it.each<[reason: Vapi.CallEndedReason, outcome: string, notDialled: string | null]>([
  ['assistant-ended-call-after-message-spoken', 'answered', null],
  ['call.in-progress.twilio-completed-call', 'answered', null],
  ['customer-did-not-answer', 'no_answer', null],
  ['customer-busy', 'busy', null],
  ['voicemail', 'voicemail', null],
  ['call.start.error-subscription-concurrency-limit-reached', 'failed', 'busy'],
  ['call.start.error-vapi-number-outbound-daily-limit', 'failed', 'account'],
  ['call.start.error-vapi-number-international', 'failed', 'lead'],
  ['twilio-reported-customer-misdialed', 'failed', 'lead:invalid_number'],
  ['twilio-failed-to-connect-call', 'failed', null],
  ['call.in-progress.error-vapifault-worker-not-available', 'failed', null],
  ['call.in-progress.error-vapifault-worker-died', 'abandoned', null],
  ['worker-shutdown', 'abandoned', null],
  ['phone-call-provider-closed-websocket', 'abandoned', null],
  ['call.in-progress.error-vapifault-call-started-but-connection-to-transport-missing', 'abandoned', null],
  ['call.in-progress.error-vapifault-transport-connected-but-call-not-active', 'abandoned', null],
  ['call.in-progress.error-vapifault-transport-never-connected', 'failed', null],
  ['call.in-progress.error-providerfault-outbound-sip-403-forbidden', 'busy', null],
  ['scheduled-call-deleted', 'failed', 'lead'],
  ['silence-timed-out', 'abandoned', null],
  ['call.in-progress.error-pipeline-no-available-llm-model', 'abandoned', null],
])(
  'A call of Vapi that ends with %s, without a word, is %s (not dialled: %s)',
  (reason, outcome, notDialled) => {
    expect(vapiEnd(reason)).toMatchObject({ outcome, notDialled })
  },
)

it.each<[reason: RetellCall['disconnection_reason'], outcome: string, notDialled: string | null]>([
  ['agent_hangup', 'answered', null],
  ['user_declined', 'no_answer', null],
  ['ivr_reached', 'voicemail', null],
  ['invalid_destination', 'failed', 'lead:invalid_number'],
  ['no_valid_payment', 'failed', 'account'],
  ['concurrency_limit_reached', 'failed', 'busy'],
  ['manual_stopped', 'failed', null],
  ['error_asr', 'abandoned', null],
  ['inactivity', 'abandoned', null],
])(
  'A call of Retell that ends with %s, without a word, is %s (not dialled: %s)',
  (reason, outcome, notDialled) => {
    expect(retellEnd({ disconnection_reason: reason as never })).toMatchObject({ outcome, notDialled })
  },
)

it.each([
  [{ status: 'completed', answered_by: null }, 'answered'],
  [{ status: 'completed', answered_by: 'human' }, 'answered'],
  [{ status: 'completed', answered_by: 'machine_end_beep' }, 'voicemail'],
  [{ status: 'completed', answered_by: 'machine_start' }, 'voicemail'],
  [{ status: 'completed', answered_by: 'fax' }, 'wrong_number'],
  [{ status: 'no-answer', answered_by: null }, 'no_answer'],
  [{ status: 'failed' }, 'failed'],
])('A call of Twilio that ends as %j is %s', (call, outcome) => {
  expect(endOf(twilio, call).outcome).toBe(outcome)
})

it('Nobody who has talked with Vapi or Retell is called again, whatever the reason', () => {
  const machines = ['voicemail', 'voicemail_reached', 'ivr_reached']
  const messages = [{ role: 'system' }, { role: 'user' }] as unknown as Vapi.Artifact['messages'] & {}
  for (const reason of ofVapi.reasons)
    expect(vapiEnd(reason as Vapi.CallEndedReason, { messages }).outcome, reason).toBe(
      machines.includes(reason) ? 'voicemail' : 'answered',
    )
  const transcript_object = [
    { role: 'user', content: 'Hello', words: [] },
  ] as RetellCall['transcript_object'] & {}
  for (const reason of ofRetell.reasons)
    expect(retellEnd({ disconnection_reason: reason as never, transcript_object }).outcome, reason).toBe(
      machines.includes(reason) ? 'voicemail' : 'answered',
    )
})

it('What is said of a call is read from where the types have it', () => {
  const said: Partial<Vapi.Call> = {
    status: 'ended',
    startedAt: '2026-01-05T12:00:00Z',
    endedAt: '2026-01-05T12:00:42Z',
    cost: 0.1,
    analysis: { summary: 'Well', structuredData: { outcome: 'not_interested' } },
    artifact: { recordingUrl: 'https://a.example/r', transcript: 'AI: Hi' },
  }
  expect(endOf(vapi, said)).toMatchObject({
    outcome: 'not_interested',
    durationSeconds: 42,
    details: {
      summary: 'Well',
      recordingUrl: 'https://a.example/r',
      cost: 0.1,
      transcript: 'AI: Hi',
      costAmount: '0.1',
      costCurrency: 'USD',
    },
  })
  const call: RetellCall = {
    duration_ms: 4200,
    transcript: 'Agent: Hi',
    recording_url: 'https://a.example/r',
    call_cost: { combined_cost: 12 } as RetellCall['call_cost'] & {},
    call_analysis: {
      call_summary: 'Well',
      in_voicemail: false,
      custom_analysis_data: { outcome: 'callback_requested', callbackAt: '2026-01-06T09:00:00Z' },
    },
  }
  expect(retellEnd(call)).toMatchObject({
    outcome: 'callback_requested',
    callbackAtMs: Date.UTC(2026, 0, 6, 9),
    durationSeconds: 4,
    details: {
      summary: 'Well',
      inVoicemail: false,
      recordingUrl: 'https://a.example/r',
      costCents: 12,
      costAmount: '0.12',
      costCurrency: 'USD',
    },
  })
  expect(
    endOf(twilio, { status: 'completed', duration: '5', price: '-0.01', price_unit: 'USD' }),
  ).toMatchObject({
    durationSeconds: 5,
    details: { price: '-0.01', priceUnit: 'USD' },
  })
})

// As the examples of the documentation have them, where it has one.
it.each<[name: string, over: object, cost: string, currency: string]>([
  ['bolna', { status: 'completed', total_cost: 3.23 }, '0.0323', 'USD'],
  ['bland', { completed: true, answered_by: 'human', price: 0.068 }, '0.068', 'USD'],
  ['vapi', { status: 'ended', cost: 0.1 }, '0.1', 'USD'],
  ['retell', { call_status: 'ended', call_cost: { combined_cost: 70 } }, '0.7', 'USD'],
  ['elevenlabs', { status: 'done', metadata: { cost: 296, cost_fiat: 0.12 } }, '0.12', 'USD'],
  ['twilio', { status: 'completed', price: '-0.03000', price_unit: 'EUR' }, '0.03', 'EUR'],
  ['telnyx', { status: 'completed', price: '0.001', price_unit: 'USD' }, '0.001', 'USD'],
])(
  'The cost of a call with %s is read in the unit that its maker documents',
  (name, over, cost, currency) => {
    const preset = presets.find((one) => one.name === name) ?? vapi
    expect(endOf(preset, over).details).toMatchObject({ costAmount: cost, costCurrency: currency })
  },
)

it.each(presets)(
  'Every reason that the table of $name has is mapped, with talk and without',
  ({ template }) => {
    const { outcomes = {}, reason = [] } = template.status as StatusTemplate
    const [at = ''] = reason.slice(-1)
    for (const key of Object.keys(outcomes))
      for (const hasTalked of [false, true]) {
        const body = { [at.slice(1)]: key.replaceAll('*', 'x') }
        const read = readStatus(
          { ...(template.status as StatusTemplate), over: { at: '', notNull: true } },
          { status: 200, body },
          { ...context, hasTalked },
        )
        expect(read, key).toMatchObject({ end: { unmappedReason: null, isUnknown: false } })
      }
  },
)

it.each(presets)('Only the preset of a provider that tells what was said can hear a no: $name', (preset) => {
  const { hearsNo, lateNo, answers } = caseOf(preset.name)
  expect(hears(preset.template.status)).toBe(hearsNo)
  expect(lateNo !== null).toBe(hearsNo && answers !== 'itself')
})

it('An output of Vapi that a customer names wins over the analysis', () => {
  const body = {
    status: 'ended',
    analysis: { structuredData: { outcome: 'answered' } },
    artifact: { structuredOutputs: { o1: { result: { outcome: 'do_not_call' } } } },
  }
  const read = readStatus(
    vapi.template.status,
    { status: 200, body },
    { ...context, variables: { outcomeOutputId: 'o1' } },
  )
  expect(read).toMatchObject({ end: { outcome: 'do_not_call' } })
})
