// Campaigns in the API description: their settings and their queue.

import { limits } from '../../base/limits.ts'
import { dialerStatuses } from '../../channels/dialers/dialer-status.ts'
import { blockerReasons, waitReasons } from '../../queue/calling/reasons.ts'
import { defaultSettings, settingRanges } from '../../queue/campaigns/settings.ts'
import { campaignsQuery, previewQuery } from '../../queue/campaigns/settings-input.ts'
import { settings } from '../fields/campaign-settings.ts'
import type { Cli } from '../openapi/cli.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, body, created, needs, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'

const tag = {
  name: 'Campaigns',
  description:
    'When and how often a campaign calls. Claims return no calls until the campaign has a time zone.',
}

const queue = s.exactObject({
  queued: s.count('Leads in the queue, due or not, counted up to 10,000.'),
  leased: s.count('Leads that are being called, counted up to 10,000.'),
  heldForConsent: s.count`Leads that left the queue because the consent that the campaign requires is missing,
    counted up to 10,000.`,
  gate: s.orNull({
    ...s.exactObject({
      checked: s.count('Answers of the gate.'),
      refused: s.count('Those that were a no: the lead is exhausted.'),
      waiting: s.count('Leads without a fresh yes of it: nobody calls them before. Counted up to 1,000.'),
    }),
    description: 'What the gate of the campaign has said. Null: it has none.',
  }),
  isCapped: s.flag('True: a count stopped at its maximum.'),
  reason: s.oneOfOrNull(Object.keys(waitReasons))`Why a claim would return no calls now. Null: it would
    return some.`,
  nextOpening: s.timeOrNull('When calling hours begin next. Null while they last, and if there is none.'),
  failingAgents: {
    type: 'array',
    maxItems: 10,
    items: s.exactObject({
      agent: s.text('The agent’s name, or `key:` and the id of its key.'),
      until: s.time('The agent gets no leads before this time.'),
    }),
    description: 'Agents that claim leads and do not report them.',
  },
  agentsWaiting: s.countOrNull`How many claims wait for a lead now, by \`waitSeconds\`. Null if that is not
    known at the moment.`,
})

const today = {
  ...s.exactObject({
    created: s.count('Leads that were stored.'),
    claimed: s.count('Leads that were claimed.'),
    called: s.count('Calls: claims less those that were released without dialling.'),
    answered: s.count('Calls that were reported as `answered`.'),
  }),
  description: 'Activity since midnight in the campaign’s time zone, counted by the hour.',
}

const dialer = s.orNull({
  ...s.exactObject({
    status: s.oneOfOrNull(Object.keys(dialerStatuses))`As in the state of the dialer. Null if that is not
      known at the moment.`,
    reason: s.textOrNull('Why it waits, rests or has stopped. Null: there is no reason.'),
  }),
  description:
    'How the campaign’s dialer is; `off`: only calls that it has started are live. Null: it has ' +
    'none that is switched on.',
})

const queueOfClient = {
  type: 'object',
  additionalProperties: true,
  description: 'Accepted and ignored, so that you can send back what you read.',
} as const

/** A setting as PATCH accepts it: null restores the default, and parts are optional. */
function asChange(name: string, schema: s.JsonSchema): s.JsonSchema {
  const { required: _, ...rest } = schema
  if (name === 'id' || name === 'name') return schema
  if (name === 'outcomes') return { ...s.orNull(rest), properties: partial(schema, (one) => s.orNull(one)) }
  // Replaced as a whole.
  if (name === 'requireConsent') return { ...schema, required: ['purpose'] }
  return Array.isArray(schema.type) ? rest : s.orNull(rest)
}

function partial({ properties }: s.JsonSchema, change: (schema: s.JsonSchema) => s.JsonSchema) {
  return Object.fromEntries(
    Object.entries(properties as s.Properties).map(([name, { required: _, ...rest }]) => [
      name,
      change(rest),
    ]),
  )
}

const changes = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, asChange(name, schema)]),
)

const schemas = {
  CampaignSettings: s.exactObject(settings),
  Campaign: s.exactObject({ ...settings, queue: s.reference('Queue') }),
  ListedCampaign: {
    ...s.objectWithout(['queue', 'dialer', 'today'], {
      ...settings,
      queue: s.reference('Queue'),
      dialer: s.reference('Dialing'),
      today,
    }),
    description: prose`Queue, dialer and activity are absent without \`include=overview\`. Its leads are counted up to
      ${limits.leadsCountedPerOverview.toLocaleString('en')} each.`,
  },
  Queue: queue,
  Dialing: dialer,
  CreateCampaign: {
    ...s.objectWithout(
      [...Object.keys(settings).filter((name) => name !== 'id' && name !== 'name'), 'queue'],
      {
        ...changes,
        id: {
          type: 'string',
          pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,128}$',
          description: 'Unique within the company. It cannot change.',
        },
        queue: queueOfClient,
      },
    ),
    description: 'Absent settings, and absent parts of a setting, have their defaults.',
  },
  ChangeCampaign: {
    ...s.objectWithout([...Object.keys(settings), 'queue'], { ...changes, queue: queueOfClient }),
    description:
      'The settings to change. Absent settings, and absent parts of a setting, do not change. ' +
      'Null restores the default.',
  },
}

export const exampleSettings = {
  id: 'demo',
  name: 'Demo',
  archived: false,
  ...defaultSettings,
  timeZone: 'Europe/Berlin',
}
export const exampleQueue = {
  queued: 2480,
  leased: 12,
  heldForConsent: 0,
  gate: null,
  isCapped: false,
  reason: 'outside_hours',
  nextOpening: '2026-11-23T08:00:00.000Z',
  failingAgents: [],
  agentsWaiting: 2,
}
const emptyQueue = { ...exampleQueue, queued: 0, leased: 0, agentsWaiting: 0 }
const exampleCampaign = { ...exampleSettings, queue: exampleQueue }

/** The names and forms that people use. */
const cliOptions: Cli['options'] = {
  callingHours: { name: 'hours', reader: 'hours' },
  appointmentHours: { reader: 'hours' },
  closedDates: { name: 'closed' },
  leaseSeconds: { name: 'lease', reader: 'duration' },
  minGapMinutes: {
    name: 'min-gap',
    reader: 'duration',
    resetsTo: defaultSettings.numberLimits.minGapMinutes,
  },
  per24Hours: { name: 'per-day', resetsTo: defaultSettings.numberLimits.per24Hours },
  per7Days: { name: 'per-week', resetsTo: defaultSettings.numberLimits.per7Days },
  queue: { isLeftOut: true },
  outcomes: { name: 'outcome', reader: 'outcome' },
}

const operations = {
  listCampaigns: needs.look('GET /api/v1/campaigns', {
    summary: 'List campaigns',
    description: prose`Returns the campaigns of the company that are not archived and their settings, oldest
      first. A campaign’s key gets only its own campaign. Returns one page and \`nextCursor\`. A page has at
      most 1000 campaigns, and fewer where their settings are large: continue until \`nextCursor\` is null.`,
    cli: { noun: 'campaign', verb: 'list', columns: 'id name timeZone paused archived' },
    query: s.describeQuery(campaignsQuery, {
      archived: s.queryFlag('True: only the archived campaigns.'),
      include: {
        description:
          `\`overview\`: each campaign with its queue and today’s activity, at most ` +
          `${limits.overviewsPerPage} in a page.`,
      },
      limit: {
        ...s.queryNumber(limits.campaignsPerPage)`The maximum number of campaigns of a page: at most
          ${limits.overviewsPerPage} with \`include=overview\`.`,
        examples: [limits.overviewsPerPage],
      },
      cursor: s.pageCursor,
    }),
    refusals: ['limit must be an integer between 1 and 25 when include is overview'],
    responses: ok(
      'The campaigns.',
      s.exactObject({ campaigns: s.arrayOf('ListedCampaign'), nextCursor: s.nextCursor }),
      { campaigns: [exampleSettings], nextCursor: null },
      [],
      {
        page: { summary: 'A page', data: { campaigns: [exampleSettings], nextCursor: '00002a' } },
        overview: {
          summary: 'A page with overviews',
          data: {
            campaigns: [
              {
                ...exampleCampaign,
                dialer: null,
                today: { created: 320, claimed: 1190, called: 1180, answered: 274 },
              },
            ],
            nextCursor: null,
          },
        },
      },
    ),
  }),

  createCampaign: needs.manage('POST /api/v1/campaigns', {
    summary: 'Create a campaign',
    description: prose`Needs a company-wide key. \`id\` and \`name\` are required, everything else is optional:
      see changing a campaign. A company may have ${limits.campaignsPerCompany.toLocaleString('en')} campaigns,
      archived ones included.`,
    cli: { noun: 'campaign', verb: 'create', once: true, options: cliOptions },
    body: body('CreateCampaign', null, {
      named: ['With a time zone', { id: 'spring', name: 'Spring 2027', timeZone: 'Europe/Berlin' }],
    }),
    refusals: [
      'name is required',
      'timeZone must be the name of a time zone, such as Europe/Berlin',
      'maxAttempts must be an integer between 1 and 50',
    ],
    responses: created(
      'The new campaign.',
      s.reference('Campaign'),
      { ...exampleCampaign, queue: emptyQueue },
      ['LocationOfCampaign'],
    ),
    failures: ['company_key_required', 'campaign_exists', 'too_many_campaigns'],
  }),

  getCampaign: needs.look('GET /api/v1/campaigns/{campaignId}', {
    summary: 'Read a campaign',
    description: 'Returns the settings and the queue of a campaign.',
    responses: ok('The campaign.', s.reference('Campaign'), exampleCampaign),
  }),

  previewCampaign: needs.look('GET /api/v1/campaigns/{campaignId}/preview', {
    summary: 'Preview a campaign',
    description: prose`What the first leads of the queue, and those that are held because consent is missing,
      would do if the campaign called now: read it before you resume. A pause and the campaign’s capacity do not
      count. Looks at up to 5,000 leads for up to 100 ms. Do not poll it. With \`consentPurpose\` or
      \`consentMaxAgeDays\`, as if the campaign required that consent: read it before you require one.`,
    cli: { noun: 'campaign', verb: 'preview' },
    query: s.describeQuery(previewQuery, {
      consentPurpose: {
        description: 'The purpose of a consent. Default: that which the campaign requires.',
        examples: ['phone-offers'],
      },
      consentMaxAgeDays: {
        ...s.queryNumber(settingRanges.consentMaxAgeDays.max)`How old the consent may be, in days. Default:
          as the campaign requires it, or any age of another purpose.`,
        examples: [365],
      },
    }),
    responses: ok(
      'The preview.',
      s.exactObject({
        callableNow: s.count('Leads that could be called now.'),
        laterToday: s.count('Leads that could be called later today, in the time zone of the lead.'),
        later: s.count('Of those in `blocked`, leads that only wait for a later day.'),
        blocked: {
          type: 'object',
          additionalProperties: s.count(''),
          propertyNames: { enum: Object.keys(blockerReasons) },
          description:
            'All others, counted by the reason that lasts longest. Reasons without leads are absent.',
        },
        withoutConsent: s.count`Leads without a valid consent where one is required, whatever else blocks them.`,
        counted: s.count('Leads that were looked at.'),
        isWhole: s.flag('False: the queue has more leads.'),
      }),
      {
        callableNow: 320,
        laterToday: 41,
        later: 7,
        blocked: { no_consent: 12, spaced: 7 },
        withoutConsent: 13,
        counted: 380,
        isWhole: true,
      },
    ),
  }),

  changeCampaign: needs.manage('PATCH /api/v1/campaigns/{campaignId}', {
    summary: 'Change a campaign',
    description: prose`Accepts what reading the campaign returns, or parts of it. Takes effect with the next
      claim. Leads that already wait because of a number limit do not become due earlier when you relax that
      limit.`,
    cli: { noun: 'campaign', verb: 'set', options: { ...cliOptions, id: { isLeftOut: true } } },
    body: body('ChangeCampaign', null, {
      hours: [
        'Set time zone and hours',
        {
          timeZone: 'Europe/Berlin',
          callingHours: {
            fri: [
              ['09:00', '12:30'],
              ['13:30', '16:00'],
            ],
          },
          closedDates: ['2026-12-25'],
        },
      ],
      pause: ['Pause the campaign', { paused: true }],
      resume: ['Resume the campaign', { paused: false }],
      defaults: ['Restore defaults', { outcomes: null, numberLimits: null }],
    }),
    refusals: [
      'callingHours.fri must have windows that do not overlap',
      'id must be that of the campaign',
      'maxAttempts must be an integer between 1 and 50',
    ],
    responses: ok('The changed campaign.', s.reference('Campaign'), exampleCampaign),
  }),
}

export const campaigns: Area = { tag, operations, schemas }
