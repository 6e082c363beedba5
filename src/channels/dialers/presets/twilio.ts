// Twilio: a call that the customer's TwiML leads. Data, read from twilio 6.3.1 and twilio.com/docs. Pure.
import type { TemplateOutcome } from '../template/template.ts'
import { field, type Preset } from './preset.ts'

const calls = 'https://api.twilio.com/2010-04-01/Accounts/{{variables.accountSid}}/Calls'

/** By `answered_by`, then by `status`. Of `human` and `unknown` the status decides. */
const outcomes: Readonly<Record<string, TemplateOutcome>> = {
  'machine*': 'voicemail',
  fax: 'wrong_number',
  completed: 'answered',
  busy: 'busy',
  'no-answer': 'no_answer',
  // Most often a number that does not exist, but the call does not tell.
  failed: 'failed',
  // By the API before the answer, or after 24 hours in Twilio's queue.
  canceled: 'failed',
}

/** Twilio answers most refusals with 400: its code tells them apart. */
const whenCode = (...codes: readonly number[]) => ({ at: '/code', in: codes })

export const twilio = {
  name: 'twilio',
  title: 'Twilio',
  isProven: false,
  variables: [
    field('accountSid', 'Account SID', 'Of the account, begins with AC.'),
    field('user', 'User', 'The account SID, or the SID of an API key, which begins with SK.'),
    field('from', 'Phone number', 'The number that calls, such as +14155550123.'),
    field(
      'twimlUrl',
      'URL of the TwiML',
      'What connects the call to your assistant. Without a query: leadId and callId are added.',
    ),
    field('timeout', 'Seconds of ringing', '60 without it, at most 600.', false),
    field(
      'machineDetection',
      'Machine detection',
      'Enable or DetectMessageEnd. Without it, a voicemail counts as answered.',
      false,
    ),
    field(
      'asyncAmd',
      'Detection meanwhile',
      'true: the person hears your assistant at once, not after it.',
      false,
    ),
  ],
  secrets: [field('password', 'Password', 'The auth token, or the secret of the API key.')],
  template: {
    auth: { kind: 'basic', user: { variable: 'user' }, password: { secret: 'password' } },
    start: {
      method: 'POST',
      url: `${calls}.json`,
      encoding: 'form',
      body: {
        To: '{{lead.phoneNumber}}',
        From: '{{variables.from}}',
        Url: '{{variables.twimlUrl}}?leadId={{lead.leadId}}&callId={{call.callId}}',
        Timeout: '{{variables.timeout}}',
        MachineDetection: '{{variables.machineDetection}}',
        AsyncAmd: '{{variables.asyncAmd}}',
        StatusCallback: '{{call.endUrl}}',
      },
    },
    started: { id: '/sid' },
    notDialled: [
      // Concurrency, of calls and of requests; an upstream that is overloaded.
      { status: [400, 403, 429], when: whenCode(10004, 22005, 86008), because: 'busy' },
      { status: [401, 403, 404], because: 'account' },
      { status: [429], because: 'busy' },
      {
        status: [400],
        when: whenCode(10001, 21200, 21210, 21212, 21219, 573002, 573005),
        because: 'account',
      },
      { status: [400], when: whenCode(21211, 21217), because: 'lead:invalid_number' },
      { status: [400], because: 'lead' },
    ],
    status: {
      method: 'GET',
      url: `${calls}/{{provider.id}}.json`,
      over: { at: '/status', in: ['completed', 'busy', 'failed', 'no-answer', 'canceled'] },
      reason: ['/answered_by', '/status'],
      outcomes,
      seconds: { at: '/duration', unit: 's' },
      // Of the connection, in the currency of the account: Call in the same package.
      cost: { at: '/price', currency: '/price_unit' },
      details: {
        status: '/status',
        answeredBy: '/answered_by',
        price: '/price',
        priceUnit: '/price_unit',
      },
    },
    hangUp: {
      method: 'POST',
      url: `${calls}/{{provider.id}}.json`,
      encoding: 'form',
      body: { Status: 'completed' },
    },
    check: { method: 'GET', url: `${calls}.json?PageSize=1` },
  },
} as const satisfies Preset
