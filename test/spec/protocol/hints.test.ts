// X-Error-Hint: what would help, beside a refusal whose text stays. It follows from the request's own form alone (D4).
import { describe, expect, it } from 'vitest'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, seedKey, seedWorld, unknownKey } from '../../support/world.ts'

const hintOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-error-hint')

describe('Of a key', () => {
  const ask = (headers: Record<string, string>) =>
    api(null).request('GET', '/api/v1/leads?campaignId=c', undefined, headers)

  it.each<[string, (key: string) => Record<string, string>, RegExp]>([
    ['no key', () => ({}), /^Send the key in the header x-api-key$/],
    ['Bearer', (key) => ({ authorization: `Bearer ${key}` }), /x-api-key, not as Authorization: Bearer$/],
    ['double quotes', (key) => ({ 'x-api-key': `"${key}"` }), /without quotes or blanks/],
    ['single quotes and blanks', (key) => ({ 'x-api-key': `' ${key} '` }), /without quotes or blanks/],
    ['a key cut short', (key) => ({ 'x-api-key': key.slice(0, -1) }), /not the form of a key/],
    ['an empty key', () => ({ 'x-api-key': '' }), /not the form of a key/],
    ['a key behind Bearer', (key) => ({ 'x-api-key': `Bearer ${key}` }), /not the form of a key/],
  ])('The mistake is named: %s', async (_, headers, hint) => {
    const { companyId } = await seedWorld()
    const good = await seedKey({ companyId })
    // The same for a key that is good: the service does not look.
    for (const key of [good.key, unknownKey()]) {
      const answer = await ask(headers(key))
      expectFailure(answer, 401, 'Invalid or inactive API key', 'invalid_api_key')
      expect(hintOf(answer)).toMatch(hint)
      expect(hintOf(answer)).not.toContain(key)
    }
  })

  it('A key of the right form gets no hint, be it unknown, revoked or expired', async () => {
    const { companyId } = await seedWorld()
    const [revoked, expired] = [
      await seedKey({ companyId, revokedAtMs: 1 }),
      await seedKey({ companyId, expiresAtMs: 1 }),
    ]
    for (const key of [unknownKey(), revoked.key, expired.key])
      expect(hintOf(await ask({ 'x-api-key': key }))).toBeNull()
  })
})

describe('Of a phone number', () => {
  const fixed = 'Write + and the country code, then digits alone, such as +14155550123'

  it.each([
    ['+49 171 456-7890', 'write +491714567890'],
    ['0049 (171) 456.78/90', 'write +491714567890'],
    ['(+1) [415] 555-0123', 'write +14155550123'],
    ['+49 (0) 171 4567890', fixed],
    ['0171 4567890', fixed],
    ['(415) 555-0123', fixed],
    ['+1 415 555 0123 ext 4', fixed],
    ['+1 415', fixed],
    ['+0 171 456 7890', fixed],
    ['+49\u00a0171 456 7890', 'write +491714567890'],
    [`+${'4'.repeat(60)}`, fixed],
    [491714567890, fixed],
  ])('The same number is joined where it is only written otherwise: %s', async (phoneNumber, hint) => {
    const { campaignId, writeKey } = await seedWorld()
    const answer = await api(writeKey).createLead({ campaignId, phoneNumber })
    expect([answer.status, hintOf(answer)]).toEqual([400, hint])
    expect(answer.body?.error).toMatch(/^phoneNumber must be (a string )?in E\.164 format$/)
  })

  it('The number is that of the place that is named: in a bulk, a list of numbers and a query', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const wrong = '+1 415 555 0123'
    const leads = [{ phoneNumber: newPhone() }, { phoneNumber: wrong }, { phoneNumber: '+1 415 555 0199' }]
    const bulk = await api(writeKey).importLeads({ campaignId, leads })
    const list = await api(writeKey).listLeads({ campaignId, phoneNumber: wrong })
    const numbers = { phoneNumbers: ['+14155550100', wrong] }
    const suppression = await api(writeKey).request('POST', '/api/v1/suppressions', numbers)
    const consent = { consents: [{ phoneNumber: wrong }] }
    const consents = await api(writeKey).request('POST', '/api/v1/consents', consent)
    for (const answer of [bulk, list, suppression, consents])
      expect([answer.status, answer.body?.error, hintOf(answer)]).toEqual([
        400,
        expect.stringContaining('E.164'),
        'write +14155550123',
      ])
  })

  it('Any other wrong field gets no hint', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const answer = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), priority: '+1 4' })
    expect([answer.status, hintOf(answer)]).toEqual([400, null])
  })
})

it('A 403 names the scope that is needed, and says nothing of a campaign that is denied', async () => {
  const { companyId, campaign, campaignId, readKey, writeKey } = await seedWorld()
  const ofScope = await api(readKey).createLead({ campaignId, phoneNumber: newPhone() })
  expectFailure(ofScope, 403, 'Insufficient permissions')
  expect(hintOf(ofScope)).toBe('This needs a key with the scope write or manage')
  expect(hintOf(await api(writeKey).request('GET', '/api/v1/companies'))).toBe('This needs an operator key')
  const { key } = await seedKey({ companyId, campaign, scope: 'manage' })
  const ofCompany = await api(key).request('POST', '/api/v1/campaigns', { id: 'x', name: 'X' })
  expectFailure(ofCompany, 403, 'Insufficient permissions', 'company_key_required')
  expect(hintOf(ofCompany)).toMatch(/whole company/)
  const denied = await api(writeKey).createLead({ campaignId: 'none', phoneNumber: newPhone() })
  expect([denied.status, hintOf(denied)]).toEqual([403, null])
})

it.each([
  ['/api/v1/leads/', 'The nearest path is /api/v1/leads'],
  ['/api/v1/lead', 'The nearest path is /api/v1/leads'],
  ['/api/v1/Leads/Bulk', 'The nearest path is /api/v1/leads/bulk'],
  ['/api/v1/leads/42', 'The nearest path is /api/v1/leads/{leadId}'],
  ['/api/v1/campaign/demo/stat', 'The nearest path is /api/v1/campaigns/{campaignId}/stats'],
  ['/api/v1/campaigns/demo/statistic', 'The paths are at /docs'],
  ['/api/v1/campaigns/demo/stat', 'The nearest path is /api/v1/campaigns/{campaignId}/stats'],
  [`/api/v1/${'x'.repeat(3000)}`, 'The paths are at /docs'],
])('A 404 under /api/v1 names the nearest path: %s', async (path, hint) => {
  const { readKey } = await seedWorld()
  const answer = await api(readKey).request('GET', path)
  expectFailure(answer, 404, 'Not found')
  expect(hintOf(answer)).toBe(hint)
  // Not before the key is known.
  expect(hintOf(await api(unknownKey()).request('GET', path))).toBeNull()
})

it('A path elsewhere, and a lead that is not there, get no hint', async () => {
  const { readKey } = await seedWorld()
  for (const path of ['/api/leads', '/lead', `/api/v1/leads/${'1a1fb473654000001000000'.padEnd(36, '0')}`]) {
    const answer = await api(readKey).request('GET', path)
    expect([path, answer.status, hintOf(answer)]).toEqual([path, 404, null])
  }
})

it.each<[Record<string, string | null>, string]>([
  [{ 'content-type': 'application/json; charset=latin1' }, 'The charset must be utf-8, or left out'],
  [{ 'content-type': 'text/plain' }, 'Send Content-Type: application/json'],
  [{ 'content-type': null }, 'Send Content-Type: application/json'],
  [{ 'content-encoding': 'gzip' }, 'Send the body without Content-Encoding'],
])('A 415 says what of the type is wrong: %o', async (headers, hint) => {
  const { campaignId, writeKey } = await seedWorld()
  const body = new TextEncoder().encode(JSON.stringify({ campaignId, phoneNumber: newPhone() }))
  const answer = await api(writeKey).createLead(body, headers)
  expectFailure(answer, 415, 'Content-Type must be application/json')
  expect(hintOf(answer)).toBe(hint)
})

it('A success has no hint', async () => {
  const { campaignId, readKey } = await seedWorld()
  const answer = await api(readKey).listLeads({ campaignId })
  dataOf(answer, 200)
  expect(hintOf(answer)).toBeNull()
})
