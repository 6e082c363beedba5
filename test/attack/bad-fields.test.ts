// Every field with every kind of value: it is stored, or answered by a 400 that says what is wrong. Bodies that are spoilt as
// a whole are in bad-bodies.test.ts, what is drawn at random in odd-requests.test.ts.
import { describe, expect, it } from 'vitest'
import { api } from '../support/api.ts'
import { newPhone, seedKey, seedWorld, storedPhones } from '../support/world.ts'
import { oddNumbers, oddTexts } from './odd-bodies.ts'

const required = { campaignId: 'campaignId is required', phoneNumber: 'phoneNumber is required' }
const timestamp = 'scheduledFor must be an ISO 8601 timestamp with a UTC offset'
const messages = {
  phoneNumber: 'phoneNumber must be in E.164 format',
  externalId: 'externalId must be a string of at most 255 characters',
  metadata: 'metadata must be an object',
  scheduledFor: timestamp,
  priority: 'priority must be an integer between 0 and 100',
}
type Field = keyof typeof messages

/** Every kind of value that JSON can write. */
const tokens = [
  ...oddTexts.map((text) => JSON.stringify(text)),
  ...oddNumbers.slice(0, -4),
  'true',
  'false',
  '[]',
  '{}',
  '["+15550001111"]',
  '{"length":5}',
]

/** Whether the contract takes this value, said in other words than the service says it. */
function isGood(field: Field, value: unknown): boolean {
  const chars = typeof value === 'string' ? [...value].length : 0
  switch (field) {
    case 'phoneNumber':
      return typeof value === 'string' && /^\+[1-9]\d{6,14}(?!\s)$/.test(value) && !value.endsWith('\n')
    case 'externalId':
      return (
        value === '' ||
        (typeof value === 'string' && chars <= 255 && !value.includes('\0') && value.isWellFormed())
      )
    case 'metadata':
      return value === '' || (typeof value === 'object' && value !== null && !Array.isArray(value))
    case 'scheduledFor':
      return value === '' || value === '2030-01-01T00:00:00Z'
    case 'priority':
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 100
  }
}

function leadText(phoneNumber: string, field: Field, token: string, campaign = ''): string {
  const phone = field === 'phoneNumber' ? '' : `"phoneNumber":"${phoneNumber}",`
  return `{${campaign}${phone}"${field}":${token}}`
}

describe('Every field with every kind of value', () => {
  const fields = Object.keys(messages) as Field[]

  it.each(fields)('is stored when it is good, and else refused with what is wrong: %s', async (field) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const client = api(writeKey)
    let stored = 0
    for (const token of tokens) {
      const value: unknown = JSON.parse(token)
      const answer = await client.createLead(
        leadText(newPhone(), field, token, `"campaignId":"${campaignId}",`),
      )
      if (isGood(field, value) && !(field === 'metadata' && value === '')) {
        expect([token, answer.status]).toEqual([token, 201])
        stored++
        continue
      }
      if (answer.status === 201) {
        // Empty text stands for an optional field that is not set (D10).
        expect([token, value]).toEqual([token, ''])
        stored++
        continue
      }
      expect([token, answer.status]).toEqual([token, 400])
      const missing = field === 'phoneNumber' && value === '' ? required.phoneNumber : messages[field]
      const unstorable = `${field} must not contain NUL or unpaired surrogates`
      expect([missing, unstorable]).toContain(answer.body?.error)
    }
    expect(await storedPhones(campaign)).toHaveLength(stored)
  })

  it.each(fields)('fails a whole bulk when it is bad in its last lead: %s', async (field) => {
    const { companyId, campaign, campaignId } = await seedWorld()
    const bad = tokens.filter((token) => !isGood(field, JSON.parse(token)) && token !== '""')
    // A key may send ten bulks a minute.
    for (let at = 0; at < bad.length; at += 8) {
      const client = api((await seedKey({ companyId })).key)
      for (const token of bad.slice(at, at + 8)) {
        const items = [`{"phoneNumber":"${newPhone()}"}`, leadText(newPhone(), field, token)]
        const answer = await client.importLeads(`{"campaignId":"${campaignId}","leads":[${items.join()}]}`)
        expect([token, answer.status]).toEqual([token, 400])
        expect(answer.body?.error).toMatch(new RegExp(`^leads\\[1\\]\\.${field} `))
      }
    }
    expect(await storedPhones(campaign)).toEqual([])
  })

  it('is refused as campaignId without telling what it is, unless it is no text at all', async () => {
    const { writeKey, readKey } = await seedWorld()
    for (const token of tokens) {
      const { status, body } = await api(writeKey).createLead(
        `{"campaignId":${token},"phoneNumber":"${newPhone()}"}`,
      )
      const value: unknown = JSON.parse(token)
      const isText = typeof value === 'string' && value !== '' && [...value].length <= 128
      expect([token, status]).toEqual([token, isText ? 403 : 400])
      if (!isText) expect(body?.error).toMatch(/^campaignId (is required|must be a string of at most 128)/)
    }
    for (const text of oddTexts.filter((each) => each.isWellFormed())) {
      const { status } = await api(readKey).listLeads({ campaignId: text })
      expect([400, 403]).toContain(status)
    }
  })
})
