// Every field with every kind of value: it is stored, or refused with what is wrong. All values of a field go in one
// bulk that returns the result of each. Value by value: test/unit/leads/lead-input.test.ts; drawn at random:
// odd-requests.test.ts.
import { describe, expect, it } from 'vitest'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { sideBySide } from '../support/http/side-by-side.ts'
import { newPhone, seedWorld, storedPhones } from '../support/world.ts'
import { oddNumbers, oddTexts } from './odd-bodies.ts'

const messages = {
  phoneNumber: 'phoneNumber must be in E.164 format',
  externalId: 'externalId must be a string of at most 255 characters',
  metadata: 'metadata must be an object',
  scheduledFor: 'scheduledFor must be an ISO 8601 timestamp with a UTC offset',
  priority: 'priority must be an integer between 0 and 100',
}
type Field = keyof typeof messages

function messageOf(field: Field, value: unknown): string {
  if (field !== 'phoneNumber' || (typeof value === 'string' && value !== '')) return messages[field]
  return value === '' ? 'phoneNumber is required' : 'phoneNumber must be a string in E.164 format'
}

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
  // Empty text stands for an optional field that is not set (D10).
  if (value === '') return field !== 'phoneNumber'
  const chars = typeof value === 'string' ? [...value].length : 0
  switch (field) {
    case 'phoneNumber':
      return typeof value === 'string' && /^\+[1-9]\d{6,14}(?!\s)$/.test(value) && !value.endsWith('\n')
    case 'externalId':
      return typeof value === 'string' && chars <= 255 && !value.includes('\0') && value.isWellFormed()
    case 'metadata':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'scheduledFor':
      return value === '2030-01-01T00:00:00Z'
    case 'priority':
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 100
  }
}

type Result = { status: string; error?: string }

describe('Every field with every kind of value', () => {
  const fields = Object.keys(messages) as Field[]

  it.each(fields)(
    'A field of any kind of value is stored when it is good, and else refused with what is wrong: %s',
    async (field) => {
      const { campaign, campaignId, writeKey } = await seedWorld()
      const items = tokens.map((token) => {
        const phone = field === 'phoneNumber' ? '' : `"phoneNumber":"${newPhone()}",`
        return `{${phone}"${field}":${token}}`
      })
      const answer = await api(writeKey).request(
        'POST',
        '/api/v1/leads/bulk?results=true&onInvalid=skip',
        `{"campaignId":"${campaignId}","leads":[${items.join()}]}`,
      )
      const { results } = dataOf(answer, 200) as { results: Result[] }
      expect(results).toHaveLength(tokens.length)
      for (const [i, token] of tokens.entries()) {
        const value: unknown = JSON.parse(token)
        const { status, error } = results[i] as Result
        expect([token, status]).toEqual([token, isGood(field, value) ? 'created' : 'invalid'])
        if (status === 'created') continue
        const unstorable = `${field} must not contain NUL or unpaired surrogates`
        expect([messageOf(field, value), unstorable]).toContain(error)
      }
      const created = results.filter(({ status }) => status === 'created')
      expect(await storedPhones(campaign)).toHaveLength(created.length)
    },
  )

  it('A bad value is refused as campaignId without telling what it is, unless it is no text at all', async () => {
    const { writeKey, readKey } = await seedWorld()
    await sideBySide(tokens, async (token) => {
      const lead = `{"campaignId":${token},"phoneNumber":"${newPhone()}"}`
      const { status, body } = await api(writeKey).createLead(lead)
      const value: unknown = JSON.parse(token)
      const isText = typeof value === 'string' && value !== '' && [...value].length <= 128
      expect([token, status]).toEqual([token, isText ? 403 : 400])
      if (!isText) expect(body?.error).toMatch(/^campaignId (is required|must be a string of at most 128)/)
    })
    const inQueries = oddTexts.filter((each) => each.isWellFormed())
    await sideBySide(inQueries, async (campaignId) => {
      expect([400, 403]).toContain((await api(readKey).listLeads({ campaignId })).status)
    })
  })
})
