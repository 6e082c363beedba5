// The catalogue's entries of consents: stored, found, withdrawn, their uses; and of the record of a number.
import { randomBase62 } from '../../../src/base/base62.ts'
import { consentIdOf } from '../../../src/base/ledger/consent/consents.ts'
import { anyNumberAgain, openAtAllHours } from '../calling/agent.ts'
import { companyDb } from '../database/store.ts'
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { absentCampaign, newPhone, seedKey } from '../world.ts'
import { agentBeside } from './calls.ts'
import { endpoint, type Flaw, type Scene, type Sent, scopesOf, type World, withHeaders } from './endpoint.ts'
import {
  almostKnown,
  givenTwice,
  invalidBody,
  invalidQuery,
  notAnObject,
  notStorable,
  unknownMembers,
} from './mistakes.ts'

const path = '/api/v1/consents'
const purpose = 'phone-offers'

export const consentOf = (fields: object = {}) => ({ purpose, givenAt: '2026-11-20T08:30:00Z', ...fields })

const whole = () =>
  consentOf({
    expiresAt: '2099-01-01T00:00:00Z',
    text: 'I agree that Acme calls me about offers.',
    source: { url: 'https://acme.example/offer?id=7', ip: '2001:db8::7', userAgent: 'Firefox' },
    certificateUrl: 'https://witness.example/7',
    reference: 'form-7',
  })

const consentsOf = (...consents: readonly object[]): Sent => ({
  path,
  body: { consents: consents.map((one) => ({ phoneNumber: newPhone(), ...one })) },
})

/** By a key of the company. */
async function store({ companyId }: { companyId: string }, ...consents: readonly object[]): Promise<void> {
  const { key } = await seedKey({ companyId })
  dataOf(await api(key).request('POST', path, consentsOf(...consents).body as object), 200)
}

/** Number, consents and withdrawals of everything that there can be. */
async function withWithdrawals(world: World): Promise<string> {
  const phoneNumber = newPhone()
  const agent = await agentBeside(world)
  await store(world, { ...whole(), phoneNumber }, consentOf({ textSha256: 'a'.repeat(64), phoneNumber }))
  const body = { phoneNumber, purpose, reason: 'by mail' }
  await agent.ask('POST', `${path}/withdraw`, body, { key: agent.manageKey })
  await agent.suppress([phoneNumber], { reason: 'by phone' })
  return phoneNumber
}

/** What a consent may not be, in the order in which it is checked. */
const urlRule = 'of at most 2048 characters, without a user name or password'
const wrongConsents: readonly (readonly [message: string, fields: object])[] = [
  ['purpose is required', { purpose: '' }],
  ['purpose must be 1 to 64 of letters, digits, dot, underscore and hyphen', { purpose: 'phone offers' }],
  ['givenAt must be an ISO 8601 timestamp with a UTC offset', { givenAt: 'yesterday' }],
  ['givenAt must not be more than 5 minutes in the future', { givenAt: '2999-01-01T00:00:00Z' }],
  ['expiresAt must be an ISO 8601 timestamp with a UTC offset', { expiresAt: '2027-01-01' }],
  ['text must be a string of at most 4000 characters', { text: 'x'.repeat(4001) }],
  [notStorable('text'), { text: '\0' }],
  ['textSha256 must be a SHA-256 of 64 hexadecimal digits', { textSha256: 'abc' }],
  ['source must be an object', { source: 'https://acme.example/' }],
  ...['acme', 'tel:+14155550100', 'https://a:b@acme.example/', 'https://acme.example/\0'].map(
    (url) => [`source.url must be an http or https URL ${urlRule}`, { source: { url } }] as const,
  ),
  ['source.ip must be an IPv4 or IPv6 address', { source: { ip: 'localhost' } }],
  [
    'source.userAgent must be a string of at most 1024 characters',
    { source: { userAgent: 'x'.repeat(1025) } },
  ],
  ['source.browser is not a member', { source: { browser: 'Firefox' } }],
  [`certificateUrl must be an https URL ${urlRule}`, { certificateUrl: 'http://w.example/' }],
  ['reference must be a string of at most 255 characters', { reference: 'x'.repeat(256) }],
  ['until is not a member', { until: '2027-01-01T00:00:00Z' }],
  ['text and textSha256 cannot both be sent', { text: 'I agree', textSha256: 'a'.repeat(64) }],
]

/** The same of the member `consent` of a lead. */
export const wrongConsentsOfLead: typeof wrongConsents = [
  ['consent must be an object', { consent: 'yes' }],
  ...wrongConsents.map(
    ([message, fields]) =>
      [message.replace(/^|(?<= and )(?=textSha256)/g, 'consent.'), { consent: consentOf(fields) }] as const,
  ),
]

const storeConsents = endpoint({
  name: 'storeConsents',
  method: 'POST',
  path,
  scopes: scopesOf.write,
  actsOn: 'nothing',
  maxBytes: 8 * 1024 * 1024,
  request: () => consentsOf(consentOf()),
  alsoSucceeds: {
    'with all that a consent may have': () => consentsOf(whole()),
    'with empty members': () => consentsOf(consentOf({ text: '', expiresAt: null, source: { ip: '' } })),
    'of some that are stored or repeated': async (world) => {
      const phoneNumber = newPhone()
      await store(world, { ...whole(), phoneNumber })
      return consentsOf({ ...whole(), phoneNumber }, ...Array(2).fill({ ...consentOf(), phoneNumber }))
    },
    'of a number whose lead waits for it': async (world) => {
      const agent = await agentBeside(world)
      await agent.change({ requireConsent: { purpose } })
      const { phoneNumber } = await agent.add()
      await agent.claim()
      return consentsOf({ ...consentOf(), phoneNumber })
    },
  },
  invalid: [
    notAnObject,
    invalidBody('consents array is required', { consents: null }),
    invalidBody('consents array cannot be empty', { consents: [] }),
    invalidBody('Maximum 1000 consents per request', { consents: Array(1001).fill({}) }),
    ...unknownMembers,
    invalidBody('consents[0].phoneNumber is required', { consents: ['+14155550123'] }),
    invalidBody('consents[0].phoneNumber must be in E.164 format', {
      consents: [consentOf({ phoneNumber: '4155550123' })],
    }),
    ...wrongConsents.map(([message, fields]) =>
      invalidBody(`consents[0].${message}`, { consents: consentsIn(consentOf(fields)) }),
    ),
  ],
})

function consentsIn(...consents: readonly object[]) {
  return (consentsOf(...consents).body as { consents: object[] }).consents
}

const wrongNumbers = [
  notAnObject,
  invalidBody('phoneNumber is required', { phoneNumber: '' }),
  invalidBody('phoneNumber must be in E.164 format', { phoneNumber: '4155550123' }),
  invalidBody('phoneNumber must be a string in E.164 format', { phoneNumber: 4155550123 }),
]

const ofNumber =
  (at: string) =>
  (phoneNumber = newPhone(), fields: object = {}): Sent => ({ path: at, body: { phoneNumber, ...fields } })
const searchOf = ofNumber(`${path}/search`)
const withdrawalOf = ofNumber(`${path}/withdraw`)
const recordOf = ofNumber('/api/v1/numbers/record')

const searchConsents = endpoint({
  name: 'searchConsents',
  method: 'POST',
  path: `${path}/search`,
  scopes: scopesOf.read,
  actsOn: 'nothing',
  maxBytes: 64 * 1024,
  request: () => searchOf(),
  alsoSucceeds: {
    'with consents and withdrawals': async (world) => searchOf(await withWithdrawals(world)),
  },
  invalid: [
    ...wrongNumbers,
    invalidBody('campaignId is not a member', { campaignId: 'demo' }),
    ...unknownMembers,
  ],
})

const withdrawConsents = endpoint({
  name: 'withdrawConsents',
  method: 'POST',
  path: `${path}/withdraw`,
  scopes: scopesOf.write,
  actsOn: 'nothing',
  maxBytes: 64 * 1024,
  request: () => withdrawalOf(),
  alsoSucceeds: {
    'of one purpose, at a time': async (world) => {
      const phoneNumber = newPhone()
      await store(world, { ...whole(), phoneNumber })
      const withdrawnAt = '2026-11-20T10:00:00+01:00'
      return withdrawalOf(phoneNumber, { purpose, withdrawnAt, reason: 'by mail' })
    },
  },
  invalid: [
    ...wrongNumbers,
    invalidBody('purpose is required', { purpose: '' }),
    invalidBody('purpose must be 1 to 64 of letters, digits, dot, underscore and hyphen', { purpose: '*' }),
    invalidBody('withdrawnAt must be an ISO 8601 timestamp with a UTC offset', { withdrawnAt: 'now' }),
    invalidBody('withdrawnAt must not be more than 5 minutes in the future', {
      withdrawnAt: '2999-01-01T00:00:00Z',
    }),
    invalidBody('reason must be a string of at most 255 characters', { reason: 'x'.repeat(256) }),
    invalidBody(notStorable('reason'), { reason: '\0' }),
    ...unknownMembers,
  ],
})

/** The id of a consent of the place's company, as it lies in the database. */
async function consentIn({ companyId, campaign }: Scene): Promise<string> {
  const id = consentIdOf(Date.now(), randomBase62(11))
  if (campaign.number !== absentCampaign.number)
    await companyDb
      .prepare(
        `insert into consents (company_id, phone_number, purpose, given_at_ms, id, stored_at_ms)
         values (?1, ?2, ?3, ?4, ?5, ?4)`,
      )
      .bind(companyId, newPhone(), purpose, Date.now(), id)
      .run()
  return id
}

const usesOf = (id: string): Sent => ({ path: `${path}/${id}/uses` })

/** A number that was called twice by its consent: an answered call, and one that goes on. */
async function used(world: World) {
  const agent = await agentBeside(world)
  await agent.change({ ...openAtAllHours, ...anyNumberAgain, requireConsent: { purpose, maxAgeDays: 3650 } })
  const { phoneNumber, leadId } = await agent.add({ consent: whole() })
  const [first] = (await agent.claim()).calls
  await agent.report([{ callId: first?.callId, outcome: 'answered', details: { score: 1.5 } }])
  await agent.requeue(leadId)
  const { calls } = await agent.claim()
  const asked = await agent.ask('POST', `${path}/search`, { phoneNumber }, { key: agent.manageKey })
  const { consents } = dataOf(asked, 200) as unknown as { consents: { consentId: string }[] }
  return { agent, phoneNumber, leadId, calls, consentId: consents[0]?.consentId ?? 'none' }
}

const unknownConsent: Flaw = {
  name: 'an id that was never given',
  said: [404, 'Consent not found', 'consent_not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/con_\w+/, consentIdOf(0, '0'.repeat(11))) }),
}

const listConsentUses = endpoint({
  name: 'listConsentUses',
  method: 'GET',
  path: `${path}/:consentId/uses`,
  scopes: scopesOf.read,
  actsOn: 'consent',
  request: async (place) => usesOf(await consentIn(place)),
  alsoSucceeds: {
    'that was used': async (world) => usesOf((await used(world)).consentId),
    'a page of them': async (world) => ({ ...usesOf((await used(world)).consentId), query: { limit: '1' } }),
    'after a cursor': async (place) => ({
      ...usesOf(await consentIn(place)),
      query: { cursor: '01a1fb47365' },
    }),
  },
  invalid: [
    invalidQuery('limit must be an integer between 1 and 1000', { limit: '1001' }),
    invalidQuery('cursor is not valid', { cursor: 'next' }),
    ...['limit', 'cursor'].map(givenTwice),
    almostKnown('Limit', 'limit'),
  ],
  conflicts: [unknownConsent],
})

/** Every kind of entry: those of an erasure under the hash of the number, and a lead that came after it. */
async function wholeRecord(world: World): Promise<string> {
  const { agent, phoneNumber } = await used(world)
  const ask = (at: string, body: object) => agent.ask('POST', at, body, { key: agent.manageKey })
  await ask(`${path}/withdraw`, { phoneNumber, reason: 'by mail' })
  await agent.suppress([phoneNumber], { campaignId: agent.campaignId, reason: 'by phone' })
  await agent.lift([phoneNumber], { campaignId: agent.campaignId })
  await ask('/api/v1/erasures', { phoneNumber, suppress: false })
  const again = await agentBeside(world)
  await again.add({ phoneNumber, metadata: { name: 'Ada' }, consent: consentOf() })
  return phoneNumber
}

const manyEntries = async (world: World): Promise<string> => {
  const phoneNumber = newPhone()
  await store(
    world,
    ...Array.from({ length: 101 }, (_, i) => ({ phoneNumber, ...consentOf({ purpose: `offer-${i}` }) })),
  )
  return phoneNumber
}

const csv = withHeaders({ accept: 'text/csv' })

const readRecord = endpoint({
  name: 'readRecord',
  method: 'POST',
  path: '/api/v1/numbers/record',
  scopes: scopesOf.manage,
  actsOn: 'company',
  maxBytes: 64 * 1024,
  request: () => recordOf(),
  alsoSucceeds: {
    'of a number that was called': async (world) => recordOf((await used(world)).phoneNumber),
    'of a number that was erased': async (world) => recordOf(await wholeRecord(world)),
    'that is CSV': async (world) => csv(recordOf(await wholeRecord(world))),
    'that is a page of CSV': async (world) => csv(recordOf(await manyEntries(world))),
    'that goes on': async (world) => {
      const phoneNumber = await manyEntries(world)
      const { key } = await seedKey({ companyId: world.companyId, scope: 'manage' })
      const { path: at, body } = recordOf(phoneNumber)
      const page = dataOf(await api(key).request('POST', at, body as object), 200)
      return recordOf(phoneNumber, { cursor: (page as unknown as { nextCursor: string }).nextCursor })
    },
  },
  invalid: [
    ...wrongNumbers,
    invalidBody('cursor is not valid', { cursor: 'not a cursor' }),
    ...unknownMembers,
  ],
})

export const consentEndpoints = [storeConsents, searchConsents, withdrawConsents, listConsentUses, readRecord]
