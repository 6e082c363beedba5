// The catalogue's entries of the leads' endpoints: create, bulk, list, read one.
import { api } from '../http/api.ts'
import { clearedFields } from '../leads/new-lead.ts'
import { newPhone, newPhones, seedKey, seedLead, seedLeads } from '../world.ts'
import { consentOf, wrongConsentsOfLead } from './consents.ts'
import {
  type Endpoint,
  endpoint,
  type Sent,
  scopesOf,
  type World,
  withFields,
  withHeaders,
  withoutQuery,
  withQuery,
} from './endpoint.ts'
import {
  again,
  almostKnown,
  givenTwice,
  invalidBody,
  invalidQuery,
  neverGiven,
  noId,
  notAnObject,
  notStorable,
  reused,
  tooLongCampaign,
  wrongIdempotencyKey,
} from './mistakes.ts'

export const wrongOrigin = 'origin must be one of source, api, import, or the id of a source, key or member'
const wrongImportName = {
  message:
    'X-Import-Name must be percent-encoded UTF-8 of at most 100 characters, without control characters',
  change: withHeaders({ 'x-import-name': '%FF' }),
}

const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) })

/** What one lead may not be, in the order of D9. */
const wrongLeads: readonly (readonly [message: string, fields: object])[] = [
  ['phoneNumber is required', { phoneNumber: undefined }],
  ['phoneNumber must be in E.164 format', { phoneNumber: '4155550123' }],
  ['phoneNumber must be a string in E.164 format', { phoneNumber: 4915112345678 }],
  ['externalId must be a string of at most 255 characters', { externalId: 'x'.repeat(256) }],
  [notStorable('externalId'), { externalId: '\0' }],
  ['metadata must be an object', { metadata: 'Ada' }],
  ['metadata must be at most 16384 bytes', { metadata: { a: 'x'.repeat(16_384) } }],
  ['metadata must be nested at most 32 levels deep', { metadata: nested(33) }],
  [notStorable('metadata'), { metadata: { a: '\0' } }],
  ['scheduledFor must be an ISO 8601 timestamp with a UTC offset', { scheduledFor: 'tomorrow' }],
  ['priority must be an integer between 0 and 100', { priority: 101 }],
  ['timeZone must be the name of a time zone, such as Europe/Berlin', { timeZone: 'Berlin' }],
]

/** The same of one that comes in, which may have a consent. */
const wrongNewLeads = [...wrongLeads, ...wrongConsentsOfLead]

const misspelt = 'scheduled_for is not a member: use scheduledFor'

const wrongCampaigns = [
  invalidBody('campaignId is required', { campaignId: undefined }),
  invalidBody(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
]
const withItem = (fields: object) => (sent: Sent) => {
  const { leads } = sent.body as { leads: object[] }
  return withFields({ leads: [...leads, { phoneNumber: newPhone(), ...fields }] })(sent)
}

const createRequest = ({ campaignId }: { campaignId: string }) => ({
  path: '/api/v1/leads',
  body: { campaignId, phoneNumber: newPhone() },
})

const createLead = endpoint({
  name: 'createLead',
  method: 'POST',
  path: '/api/v1/leads',
  scopes: scopesOf.write,
  actsOn: 'campaign',
  maxBytes: 64 * 1024,
  success: 201,
  request: createRequest,
  alsoSucceeds: {
    'that comes again with its Idempotency-Key': (world, key) => again(createRequest(world), key),
    'with a consent': (world) => withFields({ consent: consentOf() })(createRequest(world)),
    'with members that are ignored': (world) => withFields({ name: 'Ada' })(createRequest(world)),
    'that is a dry run': (world) => withQuery({ dryRun: 'true' })(createRequest(world)),
    'that is a dry run with members that are ignored': (world) =>
      withQuery({ dryRun: 'true' })(withFields({ name: 'Ada' })(createRequest(world))),
  },
  invalid: [
    givenTwice('dryRun'),
    { message: 'dryRun must be true or false', change: withQuery({ dryRun: 'yes' }) },
    almostKnown('dryrun', 'dryRun'),
    notAnObject,
    ...wrongCampaigns,
    ...wrongNewLeads.map((wrong) => invalidBody(...wrong)),
    invalidBody(misspelt, { scheduled_for: null }),
    wrongImportName,
    wrongIdempotencyKey,
  ],
  conflicts: [
    reused(createRequest),
    {
      name: 'a duplicate',
      said: [409, 'Lead already exists', 'lead_exists'],
      async change(sent, { campaign }) {
        await seedLeads(campaign, [{ phoneNumber: (sent.body as { phoneNumber: string }).phoneNumber }])
        return sent
      },
    },
  ],
})

const bulkRequest = ({ campaignId }: { campaignId: string }) => ({
  path: '/api/v1/leads/bulk',
  body: { campaignId, leads: [{ phoneNumber: newPhone() }] },
})

/** A lead, the same again, another, and one that is invalid. */
function mixedBulk(world: World, query: Readonly<Record<string, string>>): Sent {
  const [one = '', other = ''] = newPhones(2)
  const leads = [one, one, other, 'no number'].map((phoneNumber) => ({ phoneNumber }))
  return { ...bulkRequest(world), query, body: { campaignId: world.campaignId, leads } }
}

const createLeads = endpoint({
  name: 'createLeads',
  method: 'POST',
  path: '/api/v1/leads/bulk',
  scopes: scopesOf.write,
  actsOn: 'campaign',
  limit: 10,
  maxBytes: 8 * 1024 * 1024,
  request: bulkRequest,
  alsoSucceeds: {
    'that comes again with its Idempotency-Key': (world, key) => again(bulkRequest(world), key),
    'that is a dry run': (world) => mixedBulk(world, { results: 'true', onInvalid: 'skip', dryRun: 'true' }),
    'with the result of each': (world) => mixedBulk(world, { results: 'true', onInvalid: 'skip' }),
    'that skips what is invalid': (world) => mixedBulk(world, { onInvalid: 'skip' }),
    'with members that are ignored': (world) => withFields({ source: 'crm' })(bulkRequest(world)),
  },
  invalid: [
    ...['results', 'onInvalid', 'dryRun'].map(givenTwice),
    { message: 'results must be true or false', change: withQuery({ results: 'yes' }) },
    { message: 'onInvalid must be fail or skip', change: withQuery({ onInvalid: 'ignore' }) },
    { message: 'dryRun must be true or false', change: withQuery({ dryRun: 'yes' }) },
    almostKnown('dryrun', 'dryRun'),
    almostKnown('dry', 'dryRun'),
    almostKnown('on_invalid', 'onInvalid'),
    almostKnown('RESULTS', 'results'),
    notAnObject,
    ...wrongCampaigns,
    invalidBody('leads array is required', { leads: undefined }),
    invalidBody('leads array cannot be empty', { leads: [] }),
    invalidBody('Maximum 1000 leads per bulk request', { leads: Array(1001).fill({}) }),
    wrongImportName,
    wrongIdempotencyKey,
    ...wrongNewLeads.map(([message, fields]) => ({
      message: `leads[1].${message}`,
      change: withItem(fields),
    })),
    { message: `leads[1].${misspelt}`, change: withItem({ scheduled_for: null }) },
    invalidBody('campaign_id is not a member: use campaignId', { campaign_id: null }),
  ],
  conflicts: [reused(bulkRequest)],
})

const listRequest = ({ campaignId }: { campaignId: string }) => ({
  path: '/api/v1/leads',
  query: { campaignId },
})

/** Of a campaign with two leads at least: one with every field, one with none that could be left out. */
async function fullList(world: World, more: Readonly<Record<string, string>> = {}): Promise<Sent> {
  const { companyId, campaignId } = world
  const [one = '', other = ''] = newPhones(2)
  const full = {
    externalId: '=1',
    metadata: { a: [null] },
    scheduledFor: '2027-01-15T09:30+0100',
    priority: 3,
    timeZone: 'Asia/Kolkata',
  }
  const leads = [{ phoneNumber: one, ...full }, { phoneNumber: other }]
  await api((await seedKey({ companyId })).key).importLeads({ campaignId, leads })
  return withQuery(more)(listRequest(world))
}

const notATime = 'must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds'

const listLeads = endpoint({
  name: 'listLeads',
  method: 'GET',
  path: '/api/v1/leads',
  scopes: scopesOf.read,
  actsOn: 'campaign',
  request: listRequest,
  alsoSucceeds: {
    'that is whole': (world) => fullList(world),
    'that is a page': (world) => fullList(world, { limit: '1' }),
    'that is the last page': (world) => fullList(world, { limit: '1000' }),
    'by phone number': (world) => fullList(world, { phoneNumber: newPhone() }),
    'by external id': (world) => fullList(world, { externalId: '=1' }),
    'by status': (world) => fullList(world, { status: 'concluded' }),
    'with calling': (world) => fullList(world, { include: 'calling' }),
    'with calling and origin': (world) => fullList(world, { include: 'calling,origin', origin: 'api' }),
    'newest first': (world) => fullList(world, { order: 'newest', limit: '1' }),
    'by time': (world) => fullList(world, { createdAfter: '1', createdBefore: '9'.repeat(13) }),
    'that is CSV': async (world) => withHeaders({ accept: 'text/csv' })(await fullList(world)),
    'by HEAD': async (world) => ({ ...(await fullList(world)), method: 'HEAD' }),
  },
  invalid: [
    { message: 'campaignId query parameter is required', change: withoutQuery('campaignId') },
    invalidQuery(tooLongCampaign, { campaignId: 'x'.repeat(129) }),
    ...[
      'campaignId',
      'status',
      'phoneNumber',
      'externalId',
      'createdAfter',
      'createdBefore',
      'order',
      'origin',
      'include',
      'limit',
      'cursor',
    ].map(givenTwice),
    invalidQuery('status must be one of raw, attempting, exhausted, concluded', { status: 'called' }),
    invalidQuery('phoneNumber must be in E.164 format', { phoneNumber: '4155550123' }),
    invalidQuery('externalId must be a string of at most 255 characters', { externalId: 'x'.repeat(256) }),
    invalidQuery(notStorable('externalId'), { externalId: '\0' }),
    invalidQuery(`createdAfter ${notATime}`, { createdAfter: 'yesterday' }),
    invalidQuery(`createdBefore ${notATime}`, { createdBefore: 'yesterday' }),
    invalidQuery('order must be one of oldest, newest', { order: 'latest' }),
    invalidQuery(wrongOrigin, { origin: 'form' }),
    invalidQuery('include must be some of calling, origin, separated by commas', {
      include: 'calling,calls',
    }),
    invalidQuery('limit must be an integer between 1 and 1000', { limit: '0' }),
    invalidQuery('cursor is not valid', { cursor: 'next' }),
    almostKnown('campaign-id', 'campaignId'),
    almostKnown('Status', 'status'),
  ],
})

const getLead = endpoint({
  name: 'getLead',
  method: 'GET',
  path: '/api/v1/leads/:leadId',
  scopes: scopesOf.look,
  actsOn: 'lead',
  request: async ({ campaign }) => ({ path: `/api/v1/leads/${await seedLead(campaign)}` }),
  alsoSucceeds: {
    'with its origin': async (world) => {
      const { companyId, campaignId } = world
      const lead = { campaignId, phoneNumber: newPhone() }
      const made = await api((await seedKey({ companyId })).key).createLead(lead, {
        'x-import-name': 'a%20b',
      })
      return { path: `/api/v1/leads/${made.body?.data?.leadId}`, query: { include: 'origin' } }
    },
  },
  invalid: [
    givenTwice('include'),
    invalidQuery('include must be some of origin, separated by commas', { include: 'calling' }),
  ],
  conflicts: [neverGiven],
  alsoFails: [noId],
})

const ofChange = wrongLeads.filter(([message]) => !message.startsWith('phoneNumber'))

const changeLead: Endpoint = endpoint({
  name: 'changeLead',
  method: 'PATCH',
  path: '/api/v1/leads/:leadId',
  scopes: scopesOf.write,
  actsOn: 'lead',
  maxBytes: 64 * 1024,
  request: async ({ campaign }) => ({
    path: `/api/v1/leads/${await seedLead(campaign)}`,
    body: { priority: 5, metadata: { a: [1.0] }, timeZone: 'Asia/Kolkata' },
  }),
  alsoSucceeds: {
    'that clears': async (world) => ({
      ...(await changeLead.request(world)),
      body: { ...clearedFields, scheduledFor: '' },
    }),
    'that changes nothing': async (world) => ({ ...(await changeLead.request(world)), body: {} }),
    'of the version that was read': async (world) =>
      withHeaders({ 'if-match': 'W/"1", "1"' })(await changeLead.request(world)),
  },
  invalid: [
    notAnObject,
    ...ofChange.map((wrong) => invalidBody(...wrong)),
    invalidBody('phoneNumber is not a field that can be changed', { phoneNumber: '+1' }),
    invalidBody('A member is not a field that can be changed', { 'x y': 1 }),
  ],
  conflicts: [
    neverGiven,
    {
      name: 'a version that it has no longer',
      said: [412, 'Lead has changed since', 'precondition_failed'],
      change: withHeaders({ 'if-match': '"2"' }),
    },
  ],
  alsoFails: [noId],
})

export const leadEndpoints = [createLead, createLeads, listLeads, getLead, changeLead]
