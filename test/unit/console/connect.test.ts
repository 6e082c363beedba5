// Connect: what is pasted is complete and correct, which keys are offered, and a test lead is never callable: its number
// is suppressed before it is sent, and until it is erased.
import { afterEach, describe, expect, it } from 'vitest'
import { type Recipe, recipeIds, recipesOf } from '../../../src/console/connect/recipes.ts'
import { eraseTestLead, findTestLead, sendTestLead } from '../../../src/console/connect/test-lead.ts'
import { usableKeys } from '../../../src/console/connect/usable-keys.ts'
import { clientOf } from '../../../src/console/service/client.ts'
import { forgetNewKeys, newestKeyId, newKeyOf, rememberNewKey } from '../../../src/console/service/new-key.ts'
import { LeadIntakeError } from '../../../src/sdk/src/errors.ts'
import type { Key, Lead } from '../../../src/sdk/src/models.ts'
import type { Call, Send } from '../../../src/sdk/src/send.ts'

const origin = 'https://leads.acme.test'
const textOf = ({ fields, code }: Recipe) => [...fields.map(([, value]) => value), code?.text].join('\n')

describe('A recipe', () => {
  const recipes = recipesOf({ origin, campaignId: 'spring', key: 'lk_abc' })

  it.each(recipeIds)('A recipe for %s has the address, the campaign and the key filled in', (id) => {
    const recipe = recipes[id]
    const text = [textOf(recipe), ...recipe.notes].join('\n')
    expect(text).toContain(recipe.needs === 'write' ? `${origin}/api/v1/leads` : `baseUrl: '${origin}'`)
    expect(text).toContain('spring')
    expect(text).toContain('lk_abc')
    expect(text).not.toMatch(/example\.com|undefined/)
  })

  it('A recipe keeps the body valid JSON and the command one word in a shell, whatever the campaign is called', () => {
    const hostile = `a'b"c\\d $(rm) {{x}}`
    const { curl, zapier, make, agent } = recipesOf({ origin, campaignId: hostile, key: 'lk_abc' })
    for (const { code } of [zapier, make])
      expect(JSON.parse(code?.text ?? '')).toMatchObject({ campaignId: hostile })
    const body = curl.code?.text.split(' -d ')[1] ?? ''
    // As a shell reads it: single quotes hold everything but themselves.
    const read = body.replaceAll(`'\\''`, '\0').replaceAll("'", '').replaceAll('\0', "'")
    expect(JSON.parse(read)).toMatchObject({ campaignId: hostile })
    expect(agent.code?.text).toContain(`campaignId: ${JSON.stringify(hostile)},`)
  })

  it('A recipe is at most ten lines of calling for an agent, without the key', () => {
    expect(recipes.agent.code?.text.split('\n').slice(2).length).toBeLessThanOrEqual(10)
    expect(recipes.agent.code?.text).not.toContain('lk_abc')
  })
})

describe('The keys that are offered', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  const key = (keyId: string, scope: Key['scope'], more: Partial<Key> = {}) =>
    ({ keyId, scope, campaignId: null, revokedAt: null, expiresAt: null, ...more }) as Key
  const idsFor = (keys: readonly Key[], needs: Recipe['needs']) =>
    usableKeys(keys, 'spring', needs, now).map(({ keyId }) => keyId)

  it('The keys that are offered work, are for this campaign or the company, and have the right, the narrowest scope first', () => {
    const keys = [
      key('manages', 'manage'),
      key('reads', 'read'),
      key('writes', 'write', { campaignId: 'spring', expiresAt: '2026-11-22T10:00:00Z' }),
      key('calls', 'agent'),
      key('elsewhere', 'write', { campaignId: 'autumn' }),
      key('revoked', 'write', { revokedAt: '2026-11-20T10:00:00Z' }),
      key('ended', 'agent', { expiresAt: '2026-11-21T09:00:00Z' }),
    ]
    expect(idsFor(keys, 'write')).toEqual(['writes', 'manages'])
    expect(idsFor(keys, 'agent')).toEqual(['calls', 'manages'])
  })
})

describe('A key that was just created', () => {
  afterEach(forgetNewKeys)

  it('A key that was just created is known until the session ends', () => {
    rememberNewKey('key_1', 'lk_1')
    rememberNewKey('key_2', 'lk_2')
    expect([newKeyOf('key_1'), newKeyOf('key_3'), newestKeyId()]).toEqual(['lk_1', null, 'key_2'])
    forgetNewKeys()
    expect([newKeyOf('key_1'), newestKeyId()]).toEqual([null, null])
  })
})

describe('A test lead', () => {
  type Answered = { status?: number; data?: unknown }
  /** A service that answers by method and path, and what it was sent. */
  function serviceThat(answers: Readonly<Record<string, (sent: object) => Answered>>) {
    const sent: string[] = []
    const client = clientOf((async ({ method, path, ...call }: Call) => {
      const what = `${method} ${path.replace('/api/v1', '').replace(/\/lead_\d/, '/{id}')}`
      const body = (call.body ?? call.query ?? {}) as Record<string, unknown>
      sent.push(`${what} ${body.phoneNumber ?? body.phoneNumbers ?? body.externalId ?? ''}`.trim())
      const { status = 200, data = null } = answers[what]?.(body) ?? {}
      if (data === null)
        throw new LeadIntakeError(`Failed with ${status}`, { status, code: 'failed', requestId: 'r' })
      return { data, headers: new Headers() }
    }) as Send)
    return { client, sent }
  }
  const lead = (phoneNumber: string) => ({ _id: 'lead_1', phoneNumber, status: 'raw' }) as Lead
  const usual = {
    'GET /leads': () => ({ data: { leads: [] } }),
    'POST /suppressions': () => ({ data: { added: 1, existing: 0 } }),
    'POST /leads': () => ({ status: 201, data: { leadId: 'lead_1' } }),
    'GET /leads/{id}': () => ({ data: { lead: lead('+12025550107') } }),
    'GET /leads/{id}/calling': () => ({ data: { callable: false, blockers: [] } }),
    'DELETE /leads/{id}': () => ({ data: {} }),
    'DELETE /suppressions': () => ({ data: { lifted: 1 } }),
  }

  it('A test lead is sent only after its number is suppressed', async () => {
    const { client, sent } = serviceThat(usual)
    expect(await sendTestLead(client, 'spring', 7)).toMatchObject({ lead: { _id: 'lead_1' } })
    expect(sent.slice(0, 4)).toEqual([
      'GET /leads lead-intake-test',
      'GET /leads +12025550107',
      'POST /suppressions +12025550107',
      'POST /leads +12025550107',
    ])
  })

  it('A test lead is not sent where its number could not be suppressed', async () => {
    const refused = serviceThat({ ...usual, 'POST /suppressions': () => ({ status: 503 }) })
    await expect(sendTestLead(refused.client, 'spring', 7)).rejects.toThrow('Failed with 503')
    expect(refused.sent).not.toContainEqual(expect.stringMatching(/^POST \/leads/))
  })

  it('A test lead takes no number that is a lead already, or that somebody else suppressed', async () => {
    let lists = 0
    let suppressions = 0
    const { client, sent } = serviceThat({
      ...usual,
      'GET /leads': () => ({ data: { leads: lists++ === 1 ? [lead('+12025550199')] : [] } }),
      'POST /suppressions': () => ({ data: { added: suppressions++ === 0 ? 0 : 1 } }),
    })
    await sendTestLead(client, 'spring', 99)
    expect(sent.filter((one) => one.startsWith('POST'))).toEqual([
      'POST /suppressions +12025550100',
      'POST /suppressions +12025550101',
      'POST /leads +12025550101',
    ])
  })

  it('A test lead leaves no suppression when it is refused, and keeps it when it may have been stored', async () => {
    const outcome = async (status: number) => {
      const { client, sent } = serviceThat({ ...usual, 'POST /leads': () => ({ status }) })
      await expect(sendTestLead(client, 'spring', 7)).rejects.toThrow(`Failed with ${status}`)
      return sent.some((one) => one.startsWith('DELETE /suppressions'))
    }
    expect([await outcome(403), await outcome(0), await outcome(503)]).toEqual([true, false, false])
  })

  it('A test lead is not sent a second time when the answer to the first was lost', async () => {
    const { client, sent } = serviceThat({
      ...usual,
      'GET /leads': () => ({ data: { leads: [lead('+12025550107')] } }),
    })
    expect(await sendTestLead(client, 'spring', 7)).toMatchObject({ lead: { _id: 'lead_1' } })
    expect(sent).not.toContainEqual(expect.stringMatching(/^POST/))
  })

  it('A test lead is erased first, and its number is callable again only then', async () => {
    const { client, sent } = serviceThat(usual)
    expect(await eraseTestLead(client, 'spring', lead('+12025550107'))).toBeNull()
    expect(sent).toEqual(['DELETE /leads/{id}', 'DELETE /suppressions +12025550107'])
    const refused = serviceThat({ ...usual, 'DELETE /leads/{id}': () => ({ status: 503 }) })
    await expect(eraseTestLead(refused.client, 'spring', lead('+12025550107'))).rejects.toThrow('503')
    expect(refused.sent).toEqual(['DELETE /leads/{id}'])
  })

  it('A test lead is found again by its external id, and never taken for a lead with another number', async () => {
    const found = (phoneNumber: string) =>
      findTestLead(
        serviceThat({ ...usual, 'GET /leads': () => ({ data: { leads: [lead(phoneNumber)] } }) }).client,
        'spring',
      )
    expect(await found('+12025550142')).toMatchObject({ lead: { phoneNumber: '+12025550142' } })
    for (const other of ['+12025550242', '+120255501420', '+14155550142'])
      expect(await found(other)).toBeNull()
  })
})
