// The sources of a campaign in the API description: the URLs to which forms, ads and CRMs post. What each sends is in
// ../connect/.
import { limits } from '../../base/limits.ts'
import { changeSourceBody, createSourceBody, trySourceBody } from '../../channels/sources/source-input.ts'
import {
  consentFields,
  countryCodes,
  fields,
  fieldsOfSender,
  ignored,
  nationalCountry,
  notDoNotCall,
  onExisting,
  permissions,
  redirect,
  timeZones,
} from '../fields/source-fields.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, body, created, idempotencyKey, list, needs, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'

const {
  sourcesPerCampaign,
  sourcePostsPerMinute,
  sourcePostsPerHour,
  refusedPostsPerMinute,
  refusedPostsPerHour,
  leadBodyMaxBytes,
  postMetadataNamesMax,
} = limits

const tag = {
  name: 'Sources',
  description: prose`A source is a URL, \`/in/{token}\`, to which any form, ad or CRM posts a lead as it is:
    JSON, a form of a browser, or one with files, of at most ${leadBodyMaxBytes / 1024} KiB. It needs no key.
    The number is read as a cell of a file is, and taken only of the source's countries, and only if it is a
    landline, mobile or internet phone. What a stranger can write decides nothing but his own number and
    metadata: the rest is metadata, at most ${postMetadataNamesMax} names, unless \`fields\` names it. A post
    whose numbers may all be somebody else's, that tells of a deletion, or that holds several people is 400. A
    post that says do-not-call, in any words of nine languages, makes no lead: every number of its person is
    suppressed in the campaign. That comes before any other refusal of the post; one of which no number can be
    read is 400. A post is answered 200 \`{"status": "received"}\`, whether its lead is new or not, or 303 and a
    page where a browser sends the form itself; 400, 404, 410, 413, 415, 429 and 503 are as elsewhere. At most
    ${sourcePostsPerMinute} posts a minute and ${sourcePostsPerHour} an hour for one source; of one address, at
    most ${refusedPostsPerMinute} a minute and ${refusedPostsPerHour} an hour of those that are refused or
    dropped by a trap. A source works with a key of its own, which is listed among the keys: revoking that
    disables it.`,
}

const takenField = s.exactObject({
  from: s.text('The sender’s name.'),
  value: { type: ['string', 'integer'] },
})
const problem = { code: s.text('As `X-Error-Code`.'), message: s.text('For people.') }

const schemas = {
  TakenField: takenField,
  PostProblem: s.exactObject(problem),
  SourceProblem: s.exactObject({ at: s.time('When it happened.'), ...problem }),
  CreateSource: s.describeBody(createSourceBody, 'A source. What is absent has its default.', fields),
  ChangeSource: s.describeBody(
    changeSourceBody,
    'The members to change, each as a whole. Null restores a default.',
    fields,
  ),
  TrySource: s.describeBody(trySourceBody, 'A post.', {
    contentType: { description: 'Of the post.' },
    body: { description: 'As it is posted.' },
  }),
  Source: s.exactObject({
    sourceId: { type: 'string', pattern: '^src_[0-9A-Za-z]{20}$' },
    name: { type: 'string' },
    countries: countryCodes,
    nationalCountry,
    timeZones,
    fields: fieldsOfSender,
    ignored,
    notDoNotCall,
    permissions,
    consent: s.orNull({ ...s.exactObject(consentFields), description: 'Null: none is stored.' }),
    onExisting,
    redirectUrl: s.textOrNull(redirect),
    hasTurnstile: s.flag('Whether a post must hold a token of Turnstile.'),
    enabled: s.flag('Whether it takes posts. False too once its key is revoked: true gives it a new one.'),
    createdAt: s.time('When it was created.'),
    url: s.text('Where posts go. Anyone who has it can post.'),
    received: s.exactObject({
      stored: s.count('Posts whose lead was new.'),
      existing: s.count('Posts whose lead was there.'),
      suppressed: s.count('Posts that said do-not-call: their numbers are suppressed.'),
      dropped: s.count('Posts with something in a field that people do not see: nothing of them is stored.'),
      refused: s.count('Posts that were refused. Those beyond a limit are not counted.'),
      lastAt: s.timeOrNull('When the last post arrived.'),
    }),
    lastNames: s.array({ type: 'string' })`Names of the last post, never values. One that may hold what a
      person wrote is \`(hidden)\`.`,
    lastProblem: {
      oneOf: [s.reference('SourceProblem'), { type: 'null' }],
      description: prose`Why a post was refused. Of one that was not: why no consent is stored, a name that may say
        do-not-call and does not count, and values that cannot be used.`,
    },
  }),
}

const exampleSource = {
  sourceId: exampleIds.source,
  name: 'Contact form',
  countries: ['DE', 'AT'],
  nationalCountry: 'DE',
  timeZones: {},
  fields: { phoneNumber: 'your-phone' },
  ignored: [],
  notDoNotCall: [],
  permissions: 'keep',
  consent: {
    purpose: 'offers',
    text: 'I agree to be called about my request.',
    field: 'call-me',
    expiresAfterDays: 365,
  },
  onExisting: 'keep',
  redirectUrl: 'https://example.com/thanks',
  hasTurnstile: false,
  enabled: true,
  createdAt: '2026-11-20T09:00:00.000Z',
  url: `https://leads.example.com/in/acme~1~${exampleIds.source}~1~3a8g2jYGBzMNIVEqDUsKRw`,
  received: {
    stored: 41,
    existing: 3,
    suppressed: 2,
    dropped: 5,
    refused: 1,
    lastAt: '2026-11-20T09:04:12.120Z',
  },
  lastNames: ['your-name', 'your-phone', 'call-me'],
  lastProblem: null,
}

const path = '/api/v1/campaigns/{campaignId}/sources'
const one = `${path}/{sourceId}`
const answer = (description: string) => ok(description, s.reference('Source'), exampleSource)

const operations = {
  createSource: needs.manage(`POST ${path}`, {
    summary: 'Create a source',
    description: prose`Returns it with its URL, which is shown whenever the source is read. Repeated with the same
      \`Idempotency-Key\`, it returns the source as it is now, or 404 if it was removed.`,
    cli: { noun: 'source', verb: 'add' },
    parameters: [idempotencyKey],
    body: body('CreateSource', createSourceBody, {
      form: ['A form', { name: 'Contact form', countries: ['DE', 'AT'] }],
      clocks: [
        'A form for two countries',
        {
          name: 'Contact form',
          countries: ['DE', 'US'],
          nationalCountry: null,
          timeZones: { US: 'America/New_York' },
        },
      ],
      consent: [
        'A form with a box to tick',
        {
          name: 'Contact form',
          countries: ['DE'],
          fields: { phoneNumber: 'your-phone' },
          consent: { purpose: 'offers', text: 'I agree to be called about my request.', field: 'call-me' },
          redirectUrl: 'https://example.com/thanks',
        },
      ],
    }),
    refusals: [
      'countries[1] must be the code of a country, such as DE',
      'timeZones must say by whose clock numbers of US are called: a time zone of each, or campaign',
    ],
    responses: created('Created.', s.reference('Source'), exampleSource, ['Idempotent-Replayed']),
    failures: ['too_many_sources', 'source_not_found', 'idempotency_key_reused'],
  }),

  listSources: needs.manage(`GET ${path}`, {
    summary: 'List the sources of a campaign',
    description: `Returns all of them, oldest first: at most ${sourcesPerCampaign}.`,
    cli: { noun: 'source', verb: 'list', columns: 'sourceId name enabled url' },
    responses: list('Success.', 'sources', 'Source', [exampleSource]),
  }),

  getSource: needs.manage(`GET ${one}`, {
    summary: 'Read a source',
    description: 'Returns its settings, its URL, and what it has received in 30 days.',
    cli: { noun: 'source', verb: 'show' },
    responses: answer('Success.'),
  }),

  changeSource: needs.manage(`PATCH ${one}`, {
    summary: 'Change a source',
    description: 'Sets the members that are sent. The URL stays.',
    cli: { noun: 'source', verb: 'set' },
    body: body('ChangeSource', changeSourceBody, {
      field: ['Say where the number is', { fields: { phoneNumber: 'your-phone' } }],
      off: ['Switch it off', { enabled: false }],
      names: ['Say that a name is no do-not-call', { notDoNotCall: ['dnc_list_name'] }],
    }),
    refusals: ['fields.phone is not a member: phoneNumber, externalId, scheduledFor, priority, timeZone'],
    responses: answer('Changed.'),
  }),

  deleteSource: needs.manage(`DELETE ${one}`, {
    summary: 'Remove a source',
    description: 'Its URL is 404 from the next request on. Its leads stay.',
    cli: { noun: 'source', verb: 'remove', confirm: true },
    responses: ok('Removed.', s.exactObject({ deleted: { const: true } }), { deleted: true }),
  }),

  rotateSource: needs.manage(`POST ${one}/rotate`, {
    summary: 'Replace the URL of a source',
    description: 'Returns the source with a new URL. The old one is 404 from the next request on.',
    cli: { noun: 'source', verb: 'rotate', confirm: true },
    responses: answer('Replaced.'),
  }),

  trySource: needs.manage(`POST ${one}/try`, {
    summary: 'Try a post',
    description: 'Returns what would become of a post. Stores and counts nothing.',
    cli: { noun: 'source', verb: 'try', columns: 'phoneNumber consent suppresses problem leftOut' },
    body: body('TrySource', trySourceBody, {
      form: [
        'A form',
        { contentType: 'application/x-www-form-urlencoded', body: 'name=Ada&phone=0171+1234567' },
      ],
    }),
    responses: ok(
      'Success.',
      s.exactObject({
        phoneNumber: { oneOf: [s.reference('TakenField'), { type: 'null' }] },
        fields: {
          type: 'object',
          additionalProperties: s.reference('TakenField'),
          description: 'What else the lead gets of it, by its field.',
        },
        timeZone: s.textOrNull('Of the lead, by the country of its number. Null: the campaign’s.'),
        metadata: { type: 'object', additionalProperties: { type: 'string' } },
        consent: s.flag('Whether a consent would be stored.'),
        suppresses: s.flag`Whether it says do-not-call: then its numbers are suppressed, and there is no lead.`,
        problem: { oneOf: [s.reference('PostProblem'), { type: 'null' }] },
        leftOut: s.array({ type: 'string' })`Names that would not be stored.`,
      }),
      {
        phoneNumber: { from: 'phone', value: '+491711234567' },
        fields: {},
        timeZone: null,
        metadata: { name: 'Ada' },
        consent: false,
        suppresses: false,
        problem: null,
        leftOut: [],
      },
    ),
  }),
}

export const sources: Area = { tag, operations, schemas }
