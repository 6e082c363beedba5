// The catalogue's entries of campaigns: listed, read, changed.
import { hashApiKey } from '../../../src/base/access/api-key.ts'
import { randomBase62 } from '../../../src/base/base62.ts'
import { openAtAllHours } from '../calling/agent.ts'
import { companyDb } from '../database/store.ts'
import { seedCompany } from '../world.ts'
import { agentBeside } from './calls.ts'
import { consentOf } from './consents.ts'
import { endpoint, scopesOf, type World, withFields } from './endpoint.ts'
import { almostKnown, givenTwice, invalidBody, invalidQuery, notAnObject, notStorable } from './mistakes.ts'

const listCampaigns = endpoint({
  name: 'listCampaigns',
  method: 'GET',
  path: '/api/v1/campaigns',
  scopes: scopesOf.look,
  actsOn: 'nothing',
  request: () => ({ path: '/api/v1/campaigns' }),
  alsoSucceeds: {
    'with one that is configured': async (world) => {
      await agentBeside(world)
      return { path: '/api/v1/campaigns' }
    },
    'page by page': () => ({ path: '/api/v1/campaigns', query: { limit: '1' } }),
    'with overviews': async (world) => {
      const agent = await agentBeside(world)
      await agent.call()
      return { path: '/api/v1/campaigns', query: { include: 'overview' } }
    },
    'after a cursor': () => ({ path: '/api/v1/campaigns', query: { cursor: '000000' } }),
    'that are archived': async (world) => {
      const { change } = await agentBeside(world)
      await change({ archived: true })
      return { path: '/api/v1/campaigns', query: { archived: 'true' } }
    },
  },
  invalid: [
    invalidQuery('archived must be true or false', { archived: 'yes' }),
    invalidQuery('include must be one of overview', { include: 'queue' }),
    invalidQuery('limit must be an integer between 1 and 1000', { limit: '1001' }),
    invalidQuery('cursor is not valid', { cursor: '42' }),
    invalidQuery('limit must be an integer between 1 and 25 when include is overview', {
      include: 'overview',
      limit: '26',
    }),
    ...['archived', 'include', 'limit', 'cursor'].map(givenTwice),
    almostKnown('Limit', 'limit'),
  ],
})

const pathOf = ({ campaignId }: { campaignId: string }) =>
  `/api/v1/campaigns/${encodeURIComponent(campaignId)}`

async function readAfter(world: World, settings: object) {
  const agent = await agentBeside(world)
  await agent.add()
  await agent.change(settings)
  return { path: pathOf(agent) }
}

const getCampaign = endpoint({
  name: 'getCampaign',
  method: 'GET',
  path: '/api/v1/campaigns/:campaignId',
  scopes: scopesOf.look,
  actsOn: 'campaign',
  request: (place) => ({ path: pathOf(place) }),
  alsoSucceeds: {
    'that calls': (world) => readAfter(world, openAtAllHours),
    'that is archived': (world) => readAfter(world, { archived: true }),
    'that is paused': (world) => readAfter(world, { paused: true }),
    'with everything set': (world) =>
      readAfter(world, {
        name: 'Spring 2027',
        closedDates: ['2026-12-25'],
        numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: 2 },
        maxLiveCalls: 10,
        callsPerMinute: 120,
        outcomes: { busy: { class: 'dead', minutes: 5 } },
        callingHours: { mon: [['09:00', '12:30']] },
        requireConsent: { purpose: 'phone-offers', maxAgeDays: 365 },
      }),
  },
})

const days = 'mon, tue, wed, thu, fri, sat, sun'
const outcomes =
  'answered, not_interested, wrong_number, invalid_number, do_not_call, no_answer, busy, voicemail, failed, ' +
  'abandoned, callback_requested, unknown'
const longName = 'name must be a string of at most 255 characters'

/** What settings may not be, in the order in which they are checked. */
const wrongSettings: readonly (readonly [message: string, fields: object])[] = [
  ['id must be that of the campaign', { id: 'another' }],
  ['name is required', { name: '' }],
  [longName, { name: 'x'.repeat(256) }],
  [notStorable('name'), { name: '\0' }],
  ['archived must be true or false', { archived: 1 }],
  ['paused must be true or false', { paused: 'yes' }],
  ['timeZone must be the name of a time zone, such as Europe/Berlin', { timeZone: 'europe/berlin' }],
  ['callingHours must be an object', { callingHours: [] }],
  [
    'callingHours.mon must be an array of windows such as ["09:00", "17:00"]',
    { callingHours: { mon: '09:00' } },
  ],
  [
    'callingHours.tue must have windows such as ["09:00", "17:00"]',
    { callingHours: { tue: ['09:00', '17:00'] } },
  ],
  ['callingHours.wed must have windows from 00:00 to 24:00', { callingHours: { wed: [['09:00', '25:00']] } }],
  [
    'callingHours.thu must have windows that end after they begin',
    { callingHours: { thu: [['17:00', '09:00']] } },
  ],
  [
    'callingHours.fri must have windows that do not overlap',
    {
      callingHours: {
        fri: [
          ['09:00', '12:00'],
          ['11:00', '13:00'],
        ],
      },
    },
  ],
  [
    'callingHours.sat must have at most 48 windows',
    { callingHours: { sat: Array(49).fill(['09:00', '17:00']) } },
  ],
  [`callingHours.monday is not a day: ${days}`, { callingHours: { monday: [] } }],
  ['appointmentHours must be an object', { appointmentHours: '08:00' }],
  [
    'appointmentHours.sun must be an array of windows such as ["09:00", "17:00"]',
    { appointmentHours: { sun: null } },
  ],
  [
    'closedDates must be an array of at most 1000 dates such as 2026-12-25',
    { closedDates: Array(1001).fill('2026-12-25') },
  ],
  ['closedDates[1] must be a date such as 2026-12-25', { closedDates: ['2026-12-25', '2026-02-30'] }],
  ['maxAttempts must be an integer between 1 and 50', { maxAttempts: 51 }],
  ['leaseSeconds must be an integer between 30 and 7200', { leaseSeconds: 29 }],
  ['maxLiveCalls must be an integer between 1 and 10000', { maxLiveCalls: 10_001 }],
  ['maxLiveCalls must be an integer between 1 and 10000', { maxLiveCalls: 0 }],
  ['callsPerMinute must be an integer between 1 and 60000', { callsPerMinute: 60_001 }],
  ['callsPerMinute must be an integer between 1 and 60000', { callsPerMinute: 1.5 }],
  ['numberLimits must be an object', { numberLimits: 3 }],
  [
    'numberLimits.minGapMinutes must be an integer between 0 and 10080',
    { numberLimits: { minGapMinutes: -1 } },
  ],
  ['numberLimits.per24Hours must be an integer between 1 and 1000', { numberLimits: { per24Hours: 0 } }],
  ['numberLimits.per7Days must be an integer between 1 and 1000', { numberLimits: { per7Days: '7' } }],
  [
    'numberLimits.perHour is not a limit: minGapMinutes, per24Hours, per7Days',
    { numberLimits: { perHour: 1 } },
  ],
  ['outcomes must be an object', { outcomes: [] }],
  ['outcomes.busy must be an object', { outcomes: { busy: 15 } }],
  [
    'outcomes.busy.class must be one of done, dead, retry, appointment',
    { outcomes: { busy: { class: 'later' } } },
  ],
  [
    'outcomes.busy.minutes must be an integer between 0 and 43200',
    { outcomes: { busy: { minutes: 43_201 } } },
  ],
  ['outcomes.busy.hours is not part of an outcome: class, minutes', { outcomes: { busy: { hours: 1 } } }],
  [`outcomes.rang is not an outcome: ${outcomes}`, { outcomes: { rang: {} } }],
  ['colour is not a setting', { colour: 'red' }],
  ['A member is not a setting', { '+4915112345678': true }],
  ['retentionDays must be an integer between 1 and 3650', { retentionDays: 3651 }],
  ['retentionSuppresses must be true or false', { retentionSuppresses: 'yes' }],
  ['requireConsent must be an object', { requireConsent: 'phone-offers' }],
  ['requireConsent.purpose is required', { requireConsent: {} }],
  [
    'requireConsent.purpose must be 1 to 64 of letters, digits, dot, underscore and hyphen',
    { requireConsent: { purpose: 'phone offers' } },
  ],
  [
    'requireConsent.maxAgeDays must be an integer between 1 and 3650',
    { requireConsent: { purpose: 'phone-offers', maxAgeDays: 0 } },
  ],
  ['requireConsent.days is not a member', { requireConsent: { purpose: 'phone-offers', days: 1 } }],
]

const changeCampaign = endpoint({
  name: 'changeCampaign',
  method: 'PATCH',
  path: '/api/v1/campaigns/:campaignId',
  scopes: scopesOf.manage,
  actsOn: 'campaign',
  maxBytes: 64 * 1024,
  request: (place) => ({ path: pathOf(place), body: { timeZone: 'Europe/Berlin' } }),
  alsoSucceeds: {
    'to what it is': async (world) => {
      const agent = await agentBeside(world)
      return { path: pathOf(agent), body: await agent.settings() }
    },
    'that requires a consent of any age': async (world) => ({
      path: pathOf(await agentBeside(world)),
      body: { requireConsent: { purpose: 'phone-offers' } },
    }),
    'back to the defaults': async (world) => ({
      path: pathOf(await agentBeside(world)),
      body: { timeZone: null, callingHours: null, numberLimits: null, outcomes: null, closedDates: null },
    }),
  },
  invalid: [notAnObject, ...wrongSettings.map((wrong) => invalidBody(...wrong))],
})

const wrongId = 'id must be 1 to 128 of A-Z, a-z, 0-9, dot, underscore and hyphen, and neither . nor ..'
const newCampaign = () => ({ id: `made-${randomBase62(10)}`, name: 'Spring 2027' })
const create = (settings: object = {}) => ({
  path: '/api/v1/campaigns',
  body: { ...newCampaign(), ...settings },
})

const createCampaign = endpoint({
  name: 'createCampaign',
  method: 'POST',
  path: '/api/v1/campaigns',
  scopes: scopesOf.manage,
  actsOn: 'company',
  maxBytes: 64 * 1024,
  success: 201,
  request: () => create(),
  alsoSucceeds: {
    'with settings': () =>
      create({ timeZone: 'Europe/Berlin', callingHours: { mon: [] }, outcomes: { busy: { minutes: 5 } } }),
    'that is archived at once': () => create({ archived: true, queue: {} }),
  },
  invalid: [
    notAnObject,
    invalidBody('id is required', { id: '' }),
    invalidBody(wrongId, { id: '..' }),
    invalidBody(wrongId, { id: 'spring 2027' }),
    invalidBody(wrongId, { id: 'x'.repeat(129) }),
    ...wrongSettings.filter(([, fields]) => !('id' in fields)).map((wrong) => invalidBody(...wrong)),
  ],
  conflicts: [
    {
      name: 'an id that is taken',
      said: [409, 'Campaign already exists', 'campaign_exists'],
      change: (sent, { campaignId }) => withFields({ id: campaignId })(sent),
    },
  ],
  alsoFails: [
    {
      name: 'as many campaigns as there may be',
      hasOwnKey: true,
      said: [409, 'Too many campaigns', 'too_many_campaigns'],
      // The key that asks becomes that of another company, which may have none.
      async change(sent, _, key) {
        const companyId = await seedCompany()
        const [limit, move] = [
          'update companies set max_campaigns = 0 where id = ?1',
          'update api_keys set company_id = ?1 where hash = ?2',
        ]
        await companyDb.batch([
          companyDb.prepare(limit).bind(companyId),
          companyDb.prepare(move).bind(companyId, hashApiKey(key)),
        ])
        return sent
      },
    },
  ],
})

const previewOf = (path: string) => ({ path: `${path}/preview` })

const previewCampaign = endpoint({
  name: 'previewCampaign',
  method: 'GET',
  path: '/api/v1/campaigns/:campaignId/preview',
  scopes: scopesOf.look,
  actsOn: 'campaign',
  request: (place) => previewOf(pathOf(place)),
  alsoSucceeds: {
    'with leads that can be called, are held, and wait': async (world) => {
      const agent = await agentBeside(world)
      await agent.change({ requireConsent: { purpose: 'phone-offers' } })
      await agent.add()
      await agent.claim()
      const consent = consentOf()
      await agent.add({ consent })
      await agent.add({ consent, scheduledFor: '2099-01-15T09:30:00+01:00' })
      return previewOf(pathOf(agent))
    },
    'that is paused': async (world) => {
      const { path } = await readAfter(world, { paused: true })
      return previewOf(path)
    },
    'by a consent that is only considered': async (world) => {
      const { path } = await readAfter(world, openAtAllHours)
      return { ...previewOf(path), query: { consentPurpose: 'phone-offers', consentMaxAgeDays: '365' } }
    },
  },
  invalid: [
    invalidQuery('consentPurpose must be 1 to 64 of letters, digits, dot, underscore and hyphen', {
      consentPurpose: 'phone offers',
    }),
    invalidQuery('consentMaxAgeDays must be an integer between 1 and 3650', {
      consentPurpose: 'phone-offers',
      consentMaxAgeDays: '3651',
    }),
    ...['consentPurpose', 'consentMaxAgeDays'].map(givenTwice),
    almostKnown('consentpurpose', 'consentPurpose'),
  ],
})

export const campaignEndpoints = [listCampaigns, createCampaign, getCampaign, changeCampaign, previewCampaign]
