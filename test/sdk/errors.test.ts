// Which error a call of the client ends with, and how it explains itself.
import { describe, expect, it } from 'vitest'
import {
  AccessDeniedError,
  BodyTooLargeError,
  ChangedMeanwhileError,
  ConflictError,
  explain,
  InvalidApiKeyError,
  InvalidFieldError,
  LeadExistsError,
  LeadIntakeError,
  NotFoundError,
  RateLimitedError,
  UnavailableError,
} from '../../src/sdk/src/lead-intake.ts'
import { type Scripted, scripted } from './scripted-service.ts'

const lead = { campaignId: 'spring', phoneNumber: '+14155550123' }

describe('An error', () => {
  const failing = async (
    status: number,
    code: string,
    error: string,
    headers: Record<string, string> = {},
  ) => {
    const answer = { status, error, headers: { 'x-error-code': code, 'x-request-id': 'req-1', ...headers } }
    const thrown = await scripted(() => answer, { retryForMs: 0 })
      .client.leads.create(lead)
      .catch((error) => error)
    expect(thrown).toBeInstanceOf(LeadIntakeError)
    expect(thrown).toMatchObject({
      status,
      code,
      message: expect.stringContaining(error),
      requestId: 'req-1',
      name: thrown.constructor.name,
    })
    return thrown
  }

  it.each([
    [400, 'invalid_json', LeadIntakeError],
    [401, 'invalid_api_key', InvalidApiKeyError],
    [403, 'campaign_denied', AccessDeniedError],
    [404, 'lead_not_found', NotFoundError],
    [409, 'lead_leased', ConflictError],
    [409, 'lead_exists', LeadExistsError],
    [412, 'lead_changed', ChangedMeanwhileError],
    [413, 'body_too_large', BodyTooLargeError],
    [429, 'rate_limited', RateLimitedError],
    [503, 'service_unavailable', UnavailableError],
    [404, 'constructor', NotFoundError],
  ])('A %i %s is of its class', async (status, code, expected) => {
    expect((await failing(status, code, 'No')).constructor).toBe(expected)
  })

  it('The explanation of an error says that a company-wide key is needed, where one is', async () => {
    const error = await failing(403, 'company_key_required', 'Insufficient permissions')
    expect(explain(error)).toBe('Insufficient permissions: this needs a company-wide API key')
    expect(explain(await failing(403, 'insufficient_permissions', 'No'))).toBe('No')
  })

  it('An error has the hint of the service, and its explanation says it', async () => {
    const hint = { 'x-error-hint': 'write +14155550123' }
    const error = await failing(400, 'invalid_field', 'phoneNumber must be in E.164 format', hint)
    expect(error.hint).toBe('write +14155550123')
    expect(explain(error)).toBe('phoneNumber must be in E.164 format. write +14155550123')
    expect((await failing(400, 'invalid_field', 'No')).hint).toBeNull()
  })

  it('The error of a lead that exists has its id; another conflict is another error', async () => {
    const error = await failing(409, 'lead_exists', 'Lead already exists', {
      location: '/api/v1/leads/lead-7',
    })
    expect(error.leadId).toBe('lead-7')
    expect(await failing(409, 'idempotency_key_reused', 'Used')).not.toBeInstanceOf(LeadExistsError)
  })

  it.each([
    ['phoneNumber must be in E.164 format', 'phoneNumber'],
    ['campaignId query parameter is required', 'campaignId'],
    ['leads[3].priority must be an integer between 0 and 100', 'leads[3].priority'],
    ['calls[0].callbackAt is required with callback_requested', 'calls[0].callbackAt'],
    ['callingHours.fri must have windows that do not overlap', 'callingHours.fri'],
    ['Idempotency-Key must be 1 to 255 visible ASCII characters', 'Idempotency-Key'],
    ['Maximum 1000 leads per bulk request', null],
  ])('The field that is wrong is named: %s', async (message, field) => {
    const error = await failing(400, 'invalid_field', message)
    expect([error.constructor, error.field]).toEqual([InvalidFieldError, field])
  })

  it.each<Scripted>([
    { text: 'Hello', status: 200 },
    { text: '{}', status: 200 },
    { text: 'null', status: 302 },
  ])('What does not answer as the service does is an error: %o', async (answer) => {
    const { client } = scripted(() => answer)
    await expect(client.leads.get('x')).rejects.toMatchObject({ code: 'unexpected_answer' })
  })
})
