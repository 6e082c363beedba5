// Campaigns in the API description: their settings and their queue.

import { maxWindowsPerDay, weekdays } from '../../campaigns/calling-hours.ts'
import { outcomeClasses, outcomes } from '../../campaigns/outcomes.ts'
import { defaultSettings, settingRanges } from '../../campaigns/settings.ts'
import { limits } from '../../limits.ts'
import { settingMessages, settingPatterns } from '../invalid/settings.ts'
import { count, exactObject, type JsonSchema, type Properties, reference } from '../openapi/json-schema.ts'
import { type Area, json, keyedOperation, response } from '../openapi/operation.ts'
import { time, timeOrNull, waitReasons } from './describe-calling.ts'
import { fields as leadFields } from './describe-leads.ts'

const tag = {
  name: 'Campaigns',
  description:
    'When and how often a campaign calls. Claims return no calls until the campaign has a time zone. We create new campaigns for you: contact us.',
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
  ...exactObject(Object.fromEntries(weekdays.map((weekday) => [weekday, day]))),
  description,
})
const outcomeRule = exactObject({
  class: { type: 'string', enum: outcomeClasses },
  minutes: integer(settingRanges.outcomeMinutes, 'How long to wait before the retry.'),
})

const settings: Properties = {
  id: { type: 'string', description: 'Unique within the company.', examples: ['demo'] },
  name: {
    type: 'string',
    minLength: 1,
    maxLength: limits.campaignNameMaxChars,
    description: 'The display name.',
  },
  paused: { type: 'boolean', description: 'True: claims return no calls. Reports are still accepted.' },
  timeZone: {
    type: ['string', 'null'],
    pattern: leadFields.timeZone?.pattern,
    description:
      'The exact name of an IANA time zone, for leads without their own. Null: claims return no calls.',
  },
  callingHours: hours(
    'The windows of each day, in the lead’s time zone. They must not overlap, and end at `24:00` at the latest. An empty array means closed.',
  ),
  appointmentHours: hours(
    'The same for appointments: leads that are due by `scheduledFor`, and agreed callbacks.',
  ),
  closedDates: {
    type: 'array',
    maxItems: settingRanges.maxClosedDates,
    items: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
    description: 'Days without any calls, including appointments.',
  },
  maxAttempts: integer(settingRanges.maxAttempts, 'Attempts per lead, counted since it was last requeued.'),
  leaseSeconds: integer(settingRanges.leaseSeconds, 'How long a claim leases a lead by default.'),
  retentionDays: orNull(
    integer(
      settingRanges.retentionDays,
      'After how many days an exhausted or concluded lead is erased, with its calls. Null (the default): never.',
    ),
  ),
  retentionSuppresses: {
    type: 'boolean',
    description:
      'True (the default): when retention erases a lead that ended `not_interested` or with an outcome of class `dead`, its number stays suppressed in the campaign, as a hash. A new lead with this number is stored but not queued, until you remove the suppression with this `campaignId`. False: retention suppresses no further numbers; existing suppressions stay. Numbers with `do_not_call` are suppressed in the company in any case.',
  },
  numberLimits: {
    ...exactObject({
      minGapMinutes: orNull(
        integer(settingRanges.minGapMinutes, 'Minimum time between two calls. Appointments are exempt.'),
      ),
      per24Hours: orNull(integer(settingRanges.callsPerNumber, 'Maximum calls in any 24 hours.')),
      per7Days: orNull(integer(settingRanges.callsPerNumber, 'Maximum calls in any 7 days.')),
    }),
    description: 'Limits per phone number, across all calls of the company. Null: no limit.',
  },
  outcomes: {
    ...exactObject(Object.fromEntries(outcomes.map((outcome) => [outcome, outcomeRule]))),
    description:
      'What each outcome does. `done`: concludes the lead. `dead`: exhausts it. `retry`: calls again after `minutes`. `appointment`: calls back at the agreed time. `do_not_call` always suppresses the number, whatever its class.',
  },
}

const queue = exactObject({
  queued: count('Leads in the queue, due or not, counted up to 10,000.'),
  leased: count('Leads that are being called, counted up to 10,000.'),
  isCapped: { type: 'boolean', description: 'True: a count stopped at its maximum.' },
  reason: {
    type: ['string', 'null'],
    enum: [...waitReasons, null],
    description: 'Why a claim would return no calls now. Null: it would return some.',
  },
  nextOpening: timeOrNull('When calling hours begin next. Null while they last, and if there are none.'),
  failingAgents: {
    type: 'array',
    maxItems: 10,
    items: exactObject({
      agent: { type: 'string', description: 'The agent’s name, or `key:` and the id of its key.' },
      until: time('The agent gets no leads before this time.'),
    }),
    description: 'Agents that claim leads and do not report them.',
  },
  agentsWaiting: {
    type: ['integer', 'null'],
    minimum: 0,
    description:
      'How many claims wait for a lead now, by `waitSeconds`. Null if that is not known at the moment.',
  },
})

/** A setting as PATCH accepts it: null restores the default, and parts are optional. */
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
  description: 'The id of the campaign, percent-encoded.',
  schema: { type: 'string' },
  example: 'demo',
}

const schemas = {
  CampaignSettings: exactObject(settings),
  Campaign: exactObject({ ...settings, queue: reference('Queue') }),
  Queue: queue,
  ChangeCampaign: {
    ...exactObject(
      {
        ...Object.fromEntries(
          Object.entries(settings).map(([name, schema]) => [name, asChange(name, schema)]),
        ),
        queue: {
          type: 'object',
          additionalProperties: true,
          description: 'Accepted and ignored, so that you can send back what you read.',
        },
      },
      [...Object.keys(settings), 'queue'],
    ),
    description:
      'The settings to change. Absent settings, and absent parts of a setting, do not change. Null restores the default.',
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
  agentsWaiting: 2,
}
const exampleCampaign = { ...exampleSettings, queue: exampleQueue }

const listCampaigns = keyedOperation({
  operationId: 'listCampaigns',
  tags,
  summary: 'List campaigns',
  description:
    'Returns the campaigns of the company and their settings, oldest first. A campaign’s key gets only its own campaign.',
  right: 'look',
  parameters: [],
  responses: {
    200: response(
      'The campaigns.',
      json(exactObject({ campaigns: { type: 'array', items: reference('CampaignSettings') } }), {
        campaigns: [exampleSettings],
      }),
    ),
  },
  failures: [],
})

const getCampaign = keyedOperation({
  operationId: 'getCampaign',
  tags,
  summary: 'Read a campaign',
  description: 'Returns the settings and the queue of a campaign.',
  right: 'look',
  parameters: [campaignInPath],
  responses: { 200: response('The campaign.', json(reference('Campaign'), exampleCampaign)) },
  failures: ['campaign_denied'],
})

const changeCampaign = keyedOperation({
  operationId: 'changeCampaign',
  tags,
  summary: 'Change a campaign',
  description:
    'Accepts what reading the campaign returns, or parts of it. Takes effect with the next claim. Leads that already wait because of a number limit do not become due earlier when you relax that limit.',
  right: 'manage',
  parameters: [campaignInPath],
  body: {
    schema: reference('ChangeCampaign'),
    examples: {
      hours: {
        summary: 'Set time zone and hours',
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
      pause: { summary: 'Pause the campaign', value: { paused: true } },
      resume: { summary: 'Resume the campaign', value: { paused: false } },
      defaults: { summary: 'Restore defaults', value: { outcomes: null, numberLimits: null } },
    },
  },
  responses: {
    200: response('The changed campaign.', json(reference('Campaign'), exampleCampaign)),
  },
  invalid: {
    messages: settingMessages,
    patterns: settingPatterns,
    example: 'callingHours.fri must have windows that do not overlap',
  },
  failures: ['campaign_denied'],
})

export const campaigns: Area = {
  tag,
  paths: {
    '/api/v1/campaigns': { get: listCampaigns },
    '/api/v1/campaigns/{campaignId}': { get: getCampaign, patch: changeCampaign },
  },
  schemas,
}
