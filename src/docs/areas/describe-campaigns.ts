// Campaigns in the API description: their settings, to read and to change, and what is in their queue.

import { maxWindowsPerDay, weekdays } from '../../campaigns/calling-hours.ts'
import { outcomeClasses, outcomes } from '../../campaigns/outcomes.ts'
import { defaultSettings, settingRanges } from '../../campaigns/settings.ts'
import { limits } from '../../limits.ts'
import { settingMessages, settingPatterns } from '../invalid/invalid-settings.ts'
import { answered, count, type JsonSchema, type Properties, reference } from '../openapi/json-schema.ts'
import { type Area, answer, json, keyedOperation } from '../openapi/operation.ts'
import { time, timeOrNull, waitReasons } from './describe-calling.ts'
import { words as leadWords } from './describe-leads.ts'

const tag = {
  name: 'Campaigns',
  description:
    'When and how often a campaign calls. Nothing is handed out before it has a time zone. New campaigns are set up for you: ask us.',
}
const tags = [tag.name]

const integer = ({ min, max }: { min: number; max: number }, description: string): JsonSchema => ({
  type: 'integer',
  minimum: min,
  maximum: max,
  description,
})
const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: [schema.type, 'null'] })

const day: JsonSchema = {
  type: 'array',
  maxItems: maxWindowsPerDay,
  items: {
    type: 'array',
    minItems: 2,
    maxItems: 2,
    items: { type: 'string', pattern: '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$' },
  },
}
const hours = (description: string) => ({
  ...answered(Object.fromEntries(weekdays.map((weekday) => [weekday, day]))),
  description,
})
const outcomeRule = answered({
  class: { type: 'string', enum: outcomeClasses },
  minutes: integer(settingRanges.outcomeMinutes, 'After which a retry follows.'),
})

const settings: Properties = {
  id: { type: 'string', description: 'Unique within the company.', examples: ['demo'] },
  name: { type: 'string', minLength: 1, maxLength: limits.campaignNameMaxChars, description: 'For people.' },
  paused: { type: 'boolean', description: 'True: nothing is handed out. Reports go on.' },
  timeZone: {
    type: ['string', 'null'],
    pattern: leadWords.timeZone?.pattern,
    description:
      'The name of an IANA time zone, in its exact spelling, for leads that have none of their own. Null: nothing is handed out.',
  },
  callingHours: hours(
    'Windows of each day by the clock of the lead’s zone. They do not overlap, and end at `24:00` at the latest. An array of none: closed.',
  ),
  appointmentHours: hours(
    'The same for appointments: leads whose `scheduledFor` has come, and callbacks that were agreed.',
  ),
  closedDates: {
    type: 'array',
    maxItems: settingRanges.maxClosedDates,
    items: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
    description: 'Days on which nobody is called, for appointments neither.',
  },
  maxAttempts: integer(settingRanges.maxAttempts, 'Of one lead, counted since it was last requeued.'),
  leaseSeconds: integer(settingRanges.leaseSeconds, 'How long a claim holds a lead.'),
  retentionDays: orNull(
    integer(
      settingRanges.retentionDays,
      'After so many days a lead that is exhausted or concluded is erased, with its calls. Null, the default: never.',
    ),
  ),
  retentionSuppresses: {
    type: 'boolean',
    description:
      'True, the default: when that erases a lead which ended `not_interested` or by an outcome of the class `dead`, its number stays suppressed in the campaign, as a hash. It comes in again stored and not queued, until `DELETE /api/v1/suppressions` with this `campaignId` names it. False: no more numbers are kept; those that were stay. `do_not_call` is on the company’s list in any case.',
  },
  numberLimits: {
    ...answered({
      minGapMinutes: orNull(
        integer(settingRanges.minGapMinutes, 'Between two calls. Appointments are exempt.'),
      ),
      per24Hours: orNull(integer(settingRanges.callsPerNumber, 'Calls in any 24 hours.')),
      per7Days: orNull(integer(settingRanges.callsPerNumber, 'Calls in any 7 days.')),
    }),
    description: 'Of one phone number, over all calls of the company. Null: no such limit.',
  },
  outcomes: {
    ...answered(Object.fromEntries(outcomes.map((outcome) => [outcome, outcomeRule]))),
    description:
      'What follows from each outcome. `done`: the lead is concluded. `dead`: it is exhausted. `retry`: it is called again after some minutes. `appointment`: at the time that was agreed. `do_not_call` suppresses the number, whatever its class.',
  },
}

const queue = answered({
  queued: count('Leads in the queue, due or not, counted to 10,000.'),
  leased: count('Leads that are being called, counted to 10,000.'),
  isCapped: { type: 'boolean', description: 'True: there are more than are counted.' },
  reason: {
    type: ['string', 'null'],
    enum: [...waitReasons, null],
    description: 'Why nothing is handed out now, as a claim would tell; null: something is.',
  },
  nextOpening: timeOrNull('When calling hours begin next; null while they last, and where there are none.'),
  failingAgents: {
    type: 'array',
    maxItems: 10,
    items: answered({
      agent: { type: 'string', description: 'Its name, or `key:` and the id of its key.' },
      until: time('It gets no leads before.'),
    }),
    description: 'Agents that claim leads and never report them.',
  },
})

/** What PATCH takes of a member: null restores the default, and a part may be left out. */
function asChange(name: string, schema: JsonSchema): JsonSchema {
  const { required: _, ...rest } = schema
  if (name === 'id' || name === 'name') return schema
  if (name === 'outcomes') return { ...orNull(rest), properties: partial(schema, (one) => orNull(one)) }
  return Array.isArray(schema.type) ? rest : orNull(rest)
}

function partial({ properties }: JsonSchema, change: (schema: JsonSchema) => JsonSchema) {
  return Object.fromEntries(
    Object.entries(properties as Properties).map(([name, { required: _, ...rest }]) => [name, change(rest)]),
  )
}

export const campaignInPath = {
  name: 'campaignId',
  in: 'path',
  required: true,
  description: 'The campaign’s id, percent-encoded.',
  schema: { type: 'string' },
  example: 'demo',
}

const schemas = {
  CampaignSettings: answered(settings),
  Campaign: answered({ ...settings, queue: reference('Queue') }),
  Queue: queue,
  ChangeCampaign: {
    ...answered(
      {
        ...Object.fromEntries(
          Object.entries(settings).map(([name, schema]) => [name, asChange(name, schema)]),
        ),
        queue: { type: 'object', additionalProperties: true, description: 'As it was read. Not changed.' },
      },
      [...Object.keys(settings), 'queue'],
    ),
    description:
      'What is to be different: what is left out stays, also within a setting, and null restores the default.',
  },
}

const exampleSettings = { id: 'demo', name: 'Demo', ...defaultSettings, timeZone: 'Europe/Berlin' }
export const exampleQueue = {
  queued: 2480,
  leased: 12,
  isCapped: false,
  reason: 'outside_hours',
  nextOpening: '2026-11-23T08:00:00.000Z',
  failingAgents: [],
}
const exampleCampaign = { ...exampleSettings, queue: exampleQueue }

const listCampaigns = keyedOperation({
  operationId: 'listCampaigns',
  tags,
  summary: 'List campaigns',
  description: 'Those of the company, oldest first, with their settings; to a campaign’s key, its own.',
  right: 'look',
  parameters: [],
  answers: {
    200: answer(
      'The campaigns.',
      json(answered({ campaigns: { type: 'array', items: reference('CampaignSettings') } }), {
        campaigns: [exampleSettings],
      }),
    ),
  },
  refusals: [],
})

const getCampaign = keyedOperation({
  operationId: 'getCampaign',
  tags,
  summary: 'Read a campaign',
  description: 'Its settings, and its queue.',
  right: 'look',
  parameters: [campaignInPath],
  answers: { 200: answer('The campaign.', json(reference('Campaign'), exampleCampaign)) },
  refusals: ['campaign_denied'],
})

const changeCampaign = keyedOperation({
  operationId: 'changeCampaign',
  tags,
  summary: 'Change a campaign',
  description:
    'Takes what reading it gives, whole or in part. The next claim follows it. Limits of a number that are loosened let leads go that wait for them no sooner.',
  right: 'manage',
  parameters: [campaignInPath],
  body: {
    schema: reference('ChangeCampaign'),
    examples: {
      hours: {
        summary: 'Time zone and hours',
        value: {
          timeZone: 'Europe/Berlin',
          callingHours: {
            fri: [
              ['09:00', '12:30'],
              ['13:30', '16:00'],
            ],
          },
          closedDates: ['2026-12-25'],
        },
      },
      pause: { summary: 'Pause', value: { paused: true } },
      resume: { summary: 'Resume', value: { paused: false } },
      defaults: { summary: 'Back to the defaults', value: { outcomes: null, numberLimits: null } },
    },
  },
  answers: {
    200: answer('The campaign as it is now.', json(reference('Campaign'), exampleCampaign)),
  },
  invalid: {
    messages: settingMessages,
    patterns: settingPatterns,
    example: 'callingHours.fri must have windows that do not overlap',
  },
  refusals: ['campaign_denied'],
})

export const campaigns: Area = {
  tag,
  paths: {
    '/api/v1/campaigns': { get: listCampaigns },
    '/api/v1/campaigns/{campaignId}': { get: getCampaign, patch: changeCampaign },
  },
  schemas,
}
