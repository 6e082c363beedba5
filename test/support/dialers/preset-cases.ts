// What pages, stand-ins and tests need of each preset: one that lacks any of it does not compile.
import type { PresetName } from '../../../src/channels/dialers/presets/presets.ts'
import type { Texts } from '../../../src/channels/dialers/template/template.ts'
import { type Fake, fakes } from './preset-fakes.ts'

export type Body = Readonly<Record<string, unknown>>

/** A call with talk and a no: that it is over, the other parts of the answer, and the no. */
export type Told = {
  readonly variables?: Readonly<Record<string, string>>
  readonly over: Body
  readonly parts: readonly Body[]
  readonly no: Body
  /** Of a complete answer that does not have it. */
  readonly without?: Body
}

type PresetCase = {
  /** Its page, in src/docs/connect/calls. */
  readonly page: string
  /** Whether its provider can tell what was said. */
  readonly hearsNo: boolean
  /** What a customer enters, required fields and others. */
  readonly given: { readonly variables: Texts; readonly secrets: Texts }
  /**
   * What its provider answers: a stand-in; what the provider's package lists (end-reasons.ts); or the preset plays
   * itself.
   */
  readonly answers: Fake | 'package' | 'itself'
  /** Null: it hears none, or not late. */
  readonly lateNo: Told | null
}

export const presetCases = {
  vapi: {
    page: 'vapi',
    hearsNo: true,
    given: { variables: { assistantId: 'a1', phoneNumberId: 'n1' }, secrets: { apiKey: 'sk-1' } },
    answers: 'package',
    lateNo: {
      over: { status: 'ended' },
      parts: [
        { analysis: { summary: 'short' } },
        { endedReason: 'customer-ended-call' },
        { startedAt: '2026-11-20T12:00:00Z' },
        { artifact: { messages: [{ role: 'user' }] } },
      ],
      no: { analysis: { structuredData: { doNotCall: true } } },
    },
  },
  retell: {
    page: 'retell',
    hearsNo: true,
    given: { variables: { fromNumber: '+14155550100', agentId: 'g1' }, secrets: { apiKey: 'sk-1' } },
    answers: 'package',
    lateNo: {
      over: { call_status: 'ended' },
      parts: [
        { call_analysis: { call_summary: 'short' } },
        { disconnection_reason: 'user_hangup' },
        { transcript_object: [{ role: 'user' }] },
      ],
      no: { call_analysis: { custom_analysis_data: { do_not_call: 'Yes.' } } },
    },
  },
  twilio: {
    page: 'twilio',
    hearsNo: false,
    given: {
      variables: {
        accountSid: 'AC1',
        user: 'SK1',
        from: '+14155550100',
        twimlUrl: 'https://voice.example.com/twiml',
        timeout: '30',
        machineDetection: 'Enable',
      },
      secrets: { password: 'p1' },
    },
    answers: 'package',
    lateNo: null,
  },
  telnyx: {
    page: 'telnyx',
    hearsNo: false,
    given: {
      variables: {
        ...{ accountSid: 'AC1', connectionId: 'c1', assistantId: 'a1', from: '+14155550100' },
        machineDetection: 'Enable',
      },
      secrets: { apiKey: 'sk-1' },
    },
    answers: fakes.telnyx,
    lateNo: null,
  },
  elevenlabs: {
    page: 'elevenlabs',
    hearsNo: true,
    given: {
      variables: { channel: 'twilio', agentId: 'a1', phoneNumberId: 'n1' },
      secrets: { apiKey: 'sk-1' },
    },
    answers: fakes.elevenlabs,
    lateNo: {
      variables: { channel: 'twilio' },
      over: { status: 'processing' },
      parts: [
        { metadata: { phone_call: { call_result: 'failed' } } },
        { status: 'done' },
        { transcript: [{ role: 'user' }] },
        { analysis: { transcript_summary: 'short' } },
      ],
      no: { status: 'done', analysis: { data_collection_results: { doNotCall: { value: 'ja' } } } },
    },
  },
  bland: {
    page: 'bland',
    hearsNo: true,
    given: {
      variables: { from: '+14155550100', pathwayId: 'w1', personaId: 's1', task: 'Say hello' },
      secrets: { apiKey: 'sk-1' },
    },
    answers: fakes.bland,
    lateNo: {
      over: { completed: true },
      parts: [
        { analysis: {} },
        { status: 'completed' },
        { answered_by: 'human' },
        { transcripts: [{ user: 'user' }] },
      ],
      no: { analysis: { outcome: 'DNC requested' } },
    },
  },
  bolna: {
    page: 'bolna',
    hearsNo: true,
    given: { variables: { agentId: 'a1', from: '+14155550100' }, secrets: { apiKey: 'sk-1' } },
    answers: fakes.bolna,
    lateNo: {
      over: { status: 'completed' },
      parts: [
        { transcript: 'assistant: hello\nuser: no' },
        { telephony_data: { duration: '42' } },
        { extracted_data: { General: { other: { objective: 'a' } } } },
      ],
      no: { extracted_data: { General: { doNotCall: { objective: 'Yes', subjective: 'She was clear.' } } } },
    },
  },
  ultravox: {
    page: 'ultravox',
    hearsNo: false,
    given: { variables: { agentId: 'a1', from: '+14155550100' }, secrets: { apiKey: 'sk-1' } },
    answers: fakes.ultravox,
    lateNo: null,
  },
  pretend: {
    page: 'dialer',
    hearsNo: true,
    given: { variables: { speed: '10' }, secrets: {} },
    answers: 'itself',
    lateNo: null,
  },
} as const satisfies Readonly<Record<PresetName, PresetCase>>

type Cases = typeof presetCases
export type PackagedName = {
  [Name in PresetName]: Cases[Name]['answers'] extends 'package' ? Name : never
}[PresetName]

export const caseOf = (name: PresetName): PresetCase => presetCases[name]
export const namesWhere = (fits: (one: PresetCase) => boolean) =>
  (Object.keys(presetCases) as PresetName[]).filter((name) => fits(presetCases[name]))
