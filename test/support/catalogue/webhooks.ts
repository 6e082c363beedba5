// The catalogue's entries of webhooks: made, read, changed, removed, and what is asked of one.
import { hashApiKey } from '../../../src/base/access/api-key.ts'
import { randomBase62 } from '../../../src/base/base62.ts'
import { companyDb } from '../database/store.ts'
import { anyReceiverUrl, openReceiver } from '../webhooks/receiver.ts'
import { absentCampaign, seedCompany } from '../world.ts'
import {
  type Endpoint,
  endpoint,
  type Flaw,
  type Method,
  type Scene,
  type Sent,
  scopesOf,
  type World,
} from './endpoint.ts'
import {
  almostKnown,
  campaignDenied,
  emptyCampaign,
  givenTwice,
  invalidBody,
  invalidQuery,
  notAnObject,
  tooLongCampaign,
} from './mistakes.ts'

const path = '/api/v1/webhooks'

type Wanted = { url?: string; isOfCompany?: boolean; isDisabled?: boolean; hasTwoSecrets?: boolean }

const inAgesMs = 4_000_000_000_000

/** A webhook in the place, of its campaign unless given, as it lies in the database; and its path. */
async function webhookIn({ companyId, campaign }: Scene, wanted: Wanted = {}): Promise<string> {
  const { url = anyReceiverUrl, isOfCompany = false, isDisabled = false, hasTwoSecrets = false } = wanted
  const id = `wh_${randomBase62(20)}`
  if (campaign.number !== absentCampaign.number)
    await companyDb
      .prepare(
        `insert into webhooks (id, company_id, campaign_number, url, types, include, passed_number, created_at_ms,
         secret_version, previous_expires_at_ms, disabled_at_ms, disabled_reason)
       values (?1, ?2, ?3, ?4, '["call.reported"]', '["metadata"]', 0, 0, ?5, ?6, ?7, ?8)`,
      )
      .bind(
        ...[id, companyId, isOfCompany ? null : campaign.number, url],
        ...(hasTwoSecrets ? [2, inAgesMs] : [1, null]),
        ...(isDisabled ? [1_790_000_000_000, 'dead'] : [null, null]),
      )
      .run()
  return `${path}/${id}`
}

const ofWebhook =
  (what = '', body?: object, wanted?: Wanted) =>
  async (place: Scene): Promise<Sent> => ({
    path: (await webhookIn(place, wanted)) + what,
    ...(body && { body }),
  })

const neverGiven: Flaw = {
  name: 'an id that was never given',
  said: [404, 'Webhook not found', 'webhook_not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/wh_[0-9A-Za-z]+/, 'wh_00000000000000000000') }),
}

const all =
  'leads.created, call.started, call.reported, call.expired, call.released, lead.concluded, ' +
  'lead.exhausted, lead.changed, lead.erased, lead.requeued, lead.refused, campaign.changed, ' +
  'campaign.created, campaign.archived, agent.failing, dialer.test_started, suppression.added, ' +
  'suppression.lifted, key.created, key.created_by_operator, key.rotated, key.revoked, member.added, ' +
  'member.changed, member.removed, member.signed_in, source.refused, webhook.changed, webhook.disabled, ' +
  'webhook.gave_up, erasure.done, consent.recorded, consent.withdrawn, leads.imported, leads.exported, ' +
  'record.read, company.restored, alert.raised, alert.cleared'
const wrongTypes = `types must be a non-empty array of ${all}`

/** In the order in which they are checked. */
const wrongMembers: Endpoint['invalid'] = (
  [
    ['url must be a string of at most 2048 characters', { url: 7 }],
    ['url must be a string of at most 2048 characters', { url: `https://e.example/${'x'.repeat(2048)}` }],
    [wrongTypes, { types: 'call.reported' }],
    [wrongTypes, { types: [] }],
    [wrongTypes, { types: ['webhook.test'] }],
    ['types must not repeat a value', { types: ['call.reported', 'call.reported'] }],
    [emptyCampaign, { campaignId: '' }],
    [tooLongCampaign, { campaignId: 'x'.repeat(129) }],
    ['include must be an array of phoneNumber, metadata, details, externalIds', { include: ['notes'] }],
    ['include must not repeat a value', { include: ['details', 'details'] }],
    ['secret is not a member', { secret: 'whsec_mine' }],
    ['campagnId is not a member', { campagnId: null }],
    ['A member is not a member', { '+4915112345678': true }],
    ['url must be an https:// URL', { url: 'http://receiver.test/' }],
    ['url must not hold credentials', { url: 'https://me:secret@receiver.test/' }],
    ['url must use port 443', { url: 'https://receiver.test:8443/' }],
    ['url must name a public host', { url: 'https://127.0.0.1/' }],
    ['url must not be of this service', { url: 'https://lead-intake.test/api' }],
  ] as const
).map(([message, fields]) => invalidBody(message, fields))

const bodied = { maxBytes: 64 * 1024 } as const

/** Its webhooks are not to be in the way of the other cases': the key becomes another company's. */
const tooMany: Flaw = {
  name: 'as many webhooks as there may be',
  said: [409, 'Too many webhooks', 'too_many_webhooks'],
  async change(sent, _, key) {
    const companyId = await seedCompany()
    await companyDb.batch([
      companyDb
        .prepare('update api_keys set company_id = ?1 where hash = ?2')
        .bind(companyId, hashApiKey(key)),
      companyDb
        .prepare(
          `with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
         insert into webhooks (id, company_id, url, types, include, passed_number, created_at_ms)
         select ?1 || i, ?1, 'https://receiver.test/', '["call.reported"]', '[]', 0, 0 from n`,
        )
        .bind(companyId),
    ])
    return sent
  },
}

const createWebhook = endpoint({
  scopes: scopesOf.manage,
  ...bodied,
  name: 'createWebhook',
  method: 'POST',
  path,
  actsOn: 'company',
  success: 201,
  request: () => ({ path, body: { url: anyReceiverUrl, types: ['call.reported', 'lead.erased'] } }),
  alsoSucceeds: {
    'of one campaign, with all that can be included': (world: World) => ({
      path,
      body: {
        url: anyReceiverUrl,
        types: ['leads.created'],
        campaignId: world.campaignId,
        include: ['phoneNumber', 'metadata', 'details', 'externalIds'],
      },
    }),
    'of every type': () => ({ path, body: { url: anyReceiverUrl } }),
  },
  invalid: [notAnObject, invalidBody('url is required', { url: '' }), ...wrongMembers],
  conflicts: [campaignDenied],
  alsoFails: [tooMany],
})

const listWebhooks = endpoint({
  scopes: scopesOf.manage,
  name: 'listWebhooks',
  method: 'GET',
  path,
  actsOn: 'nothing',
  request: () => ({ path }),
  alsoSucceeds: {
    'where there is one': async (world: World) => {
      await webhookIn(world)
      return { path }
    },
  },
})

const one = (name: string, method: Method, what: string, body?: object) =>
  endpoint({
    scopes: scopesOf.manage,
    ...(body !== undefined && bodied),
    name,
    method,
    path: `${path}/:webhookId${what}`,
    actsOn: 'webhook',
    request: ofWebhook(what, body),
    conflicts: [neverGiven],
  })

const getWebhook: Endpoint = {
  ...one('getWebhook', 'GET', ''),
  alsoSucceeds: {
    'that was disabled, and has two secrets': (world: World) =>
      ofWebhook('', undefined, { isOfCompany: true, isDisabled: true, hasTwoSecrets: true })(world),
  },
}

const changeWebhook: Endpoint = {
  ...one('changeWebhook', 'PATCH', '', { types: ['call.reported', 'lead.erased'] }),
  alsoSucceeds: {
    'that is disabled': (world: World) => ofWebhook('', { disabled: true })(world),
    'into one of a campaign': (world: World) =>
      ofWebhook(
        '',
        { campaignId: world.campaignId, include: ['details'], url: 'https://other.receiver.test/' },
        { isOfCompany: true },
      )(world),
    'to every type': (world: World) => ofWebhook('', { types: null })(world),
    'back to all campaigns': (world: World) => ofWebhook('', { campaignId: null, include: null })(world),
  },
  invalid: [
    notAnObject,
    invalidBody('url is required', { url: '' }),
    ...wrongMembers,
    invalidBody('disabled must be true or false', { disabled: 'no' }),
  ],
  conflicts: [neverGiven, campaignDenied],
}

/** Each signs for ages. */
const tooManySecrets: Flaw = {
  name: 'a webhook with as many secrets as may sign',
  said: [409, 'Too many secrets sign at once', 'too_many_secrets'],
  async change(sent) {
    const id = /wh_[0-9A-Za-z]+/.exec(sent.path)?.[0] ?? ''
    const older = JSON.stringify(Array.from({ length: 10 }, (_, i) => [i + 1, inAgesMs]))
    await companyDb
      .prepare('update webhooks set secret_version = 12, older_secrets = ?2 where id = ?1')
      .bind(id, older)
      .run()
    return sent
  },
}

const wrongOverlap = 'previousExpiresAt must be between now and 7 days from now'
const rotateWebhook: Endpoint = {
  ...one('rotateWebhook', 'POST', '/rotate', {}),
  alsoSucceeds: {
    'without a body': ofWebhook('/rotate'),
    'and ends the secret of before at once': (world: World) =>
      ofWebhook('/rotate', { previousExpiresAt: new Date().toISOString() })(world),
  },
  invalid: [
    notAnObject,
    invalidBody('previousExpiresAt must be an ISO 8601 timestamp with a UTC offset', {
      previousExpiresAt: 'tomorrow',
    }),
    invalidBody(wrongOverlap, { previousExpiresAt: '2020-01-01T00:00:00Z' }),
    invalidBody(wrongOverlap, { previousExpiresAt: '2099-01-01T00:00:00Z' }),
    invalidBody('secret is not a member', { secret: 'mine' }),
  ],
  alsoFails: [tooManySecrets],
}

const testWebhook: Endpoint = {
  ...one('testWebhook', 'POST', '/test'),
  alsoSucceeds: {
    'whose receiver fails': (world: World) =>
      ofWebhook('/test', undefined, { url: openReceiver(() => 500).url })(world),
    'whose receiver cannot be reached': (world: World) =>
      ofWebhook('/test', undefined, { url: openReceiver(() => 'closed').url })(world),
  },
}

const replayWebhook: Endpoint = {
  ...one('replayWebhook', 'POST', '/replay', { since: new Date(Date.now() - 1000).toISOString() }),
  invalid: [
    notAnObject,
    invalidBody('since is required', { since: '' }),
    invalidBody('since must be an ISO 8601 timestamp with a UTC offset', { since: 'yesterday' }),
    invalidBody('since must be in the last 90 days', { since: '2020-01-01T00:00:00Z' }),
    invalidBody('since must be in the last 90 days', { since: '2099-01-01T00:00:00Z' }),
    invalidBody('until is not a member', { until: 'now' }),
  ],
}

const listDeliveries: Endpoint = {
  ...one('listDeliveries', 'GET', '/deliveries'),
  alsoSucceeds: {
    'of one page': async (world: World) => ({
      ...(await ofWebhook('/deliveries')(world)),
      query: { limit: '10' },
    }),
  },
  invalid: [
    invalidQuery('limit must be an integer between 1 and 1000', { limit: '1001' }),
    ...['limit'].map(givenTwice),
    almostKnown('LIMIT', 'limit'),
  ],
}

export const webhookEndpoints = [
  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  one('deleteWebhook', 'DELETE', ''),
  rotateWebhook,
  testWebhook,
  replayWebhook,
  listDeliveries,
]
