// Connect: what is pasted is correct, and a test lead is never callable: its number is suppressed before it is sent,
// and until it is erased.
import { describe, expect, it } from 'vitest'
import { sendCommand } from '../../../src/console/connect/commands.ts'
import { eraseTestLead, findTestLead, sendTestLead } from '../../../src/console/connect/test-lead.ts'
import { clientOf } from '../../../src/console/service/client.ts'
import { LeadIntakeError } from '../../../src/sdk/src/errors.ts'
import type { Lead } from '../../../src/sdk/src/models.ts'
import type { Call, Send } from '../../../src/sdk/src/send.ts'

it('The command that sends a lead keeps its body one word in a shell and valid JSON, whatever the campaign is called', () => {
  const origin = 'https://leads.acme.test'
  for (const campaignId of ['spring', `a'b"c\\d $(rm) {{x}}`]) {
    const command = sendCommand({ origin, campaignId, key: 'lk_abc' })
    expect(command).toContain(`${origin}/api/v1/leads`)
    expect(command).toContain("'x-api-key: lk_abc'")
    const body = command.split(' -d ')[1] ?? ''
    // As a shell reads it: single quotes hold everything but themselves.
    const read = body.replaceAll(`'\\''`, '\0').replaceAll("'", '').replaceAll('\0', "'")
    expect(JSON.parse(read)).toMatchObject({ campaignId })
  }
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
