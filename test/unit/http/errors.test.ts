// Every problem's status, text, code and headers, as the contract and the decisions have them.
import { expect, it } from 'vitest'
import { ApiError, describeProblem, type Failure, type Problem } from '../../../src/http/errors.ts'

type Case = { problem: Problem; status: number; error: string; headers?: Failure['headers'] }

/** Keyed by kind, so that the compiler asks for a row when a problem is added. */
const cases: { [Kind in Problem['kind']]: Case } = {
  invalid_api_key: {
    problem: { kind: 'invalid_api_key' },
    status: 401,
    error: 'Invalid or inactive API key',
    headers: { 'WWW-Authenticate': 'ApiKey realm="lead-intake", header="x-api-key"' },
  },
  insufficient_permissions: {
    problem: { kind: 'insufficient_permissions' },
    status: 403,
    error: 'Insufficient permissions',
  },
  company_key_required: {
    problem: { kind: 'company_key_required' },
    status: 403,
    error: 'Insufficient permissions',
  },
  campaign_exists: {
    problem: { kind: 'campaign_exists' },
    status: 409,
    error: 'Campaign already exists',
  },
  company_not_found: { problem: { kind: 'company_not_found' }, status: 404, error: 'Company not found' },
  company_exists: { problem: { kind: 'company_exists' }, status: 409, error: 'Company already exists' },
  company_there: { problem: { kind: 'company_there' }, status: 409, error: 'Company is already there' },
  company_moving: { problem: { kind: 'company_moving' }, status: 409, error: 'Company is moving' },
  company_emptying: {
    problem: { kind: 'company_emptying' },
    status: 409,
    error: 'What the last move left is still being deleted',
  },
  company_moved: { problem: { kind: 'company_moved' }, status: 409, error: 'Company has already moved' },
  move_not_found: { problem: { kind: 'move_not_found' }, status: 404, error: 'Move not found' },
  store_shared: { problem: { kind: 'store_shared' }, status: 409, error: 'Company has no store of its own' },
  restore_refused: {
    problem: { kind: 'restore_refused' },
    status: 409,
    error: 'Store cannot be restored to that time',
  },
  campaign_denied: {
    problem: { kind: 'campaign_denied' },
    status: 403,
    error: 'Campaign not found or access denied',
  },
  lead_exists: {
    problem: { kind: 'lead_exists', location: '/api/v1/leads/1' },
    status: 409,
    error: 'Lead already exists',
    headers: { Location: '/api/v1/leads/1' },
  },
  consent_not_found: { problem: { kind: 'consent_not_found' }, status: 404, error: 'Consent not found' },
  lead_not_found: { problem: { kind: 'lead_not_found' }, status: 404, error: 'Lead not found' },
  idempotency_key_reused: {
    problem: { kind: 'idempotency_key_reused' },
    status: 409,
    error: 'Idempotency-Key was used for a different request',
  },
  rate_limited: {
    problem: { kind: 'rate_limited', retryAfterSeconds: 42 },
    status: 429,
    error: 'Rate limit exceeded',
    headers: { 'Retry-After': '42' },
  },
  precondition_failed: {
    problem: { kind: 'precondition_failed' },
    status: 412,
    error: 'Lead has changed since',
  },
  key_not_found: { problem: { kind: 'key_not_found' }, status: 404, error: 'Key not found' },
  key_inactive: { problem: { kind: 'key_inactive' }, status: 409, error: 'Key is revoked or expired' },
  key_of_dialer: {
    problem: { kind: 'key_of_dialer' },
    status: 409,
    error: 'The key of a dialer is not rotated',
  },
  dialer_not_found: {
    problem: { kind: 'dialer_not_found' },
    status: 404,
    error: 'Campaign has no dialer',
  },
  key_is_own: { problem: { kind: 'key_is_own' }, status: 409, error: 'A key cannot revoke itself' },
  key_outlives_own: {
    problem: { kind: 'key_outlives_own' },
    status: 403,
    error: 'The new key would outlive your own',
  },
  grace_too_short: {
    problem: { kind: 'grace_too_short' },
    status: 409,
    error: 'A key that rotates itself needs a grace period of 60 seconds',
  },
  too_many_campaigns: {
    problem: { kind: 'too_many_campaigns' },
    status: 409,
    error: 'Too many campaigns',
  },
  too_many_keys: { problem: { kind: 'too_many_keys' }, status: 409, error: 'Too many active keys' },
  webhook_not_found: { problem: { kind: 'webhook_not_found' }, status: 404, error: 'Webhook not found' },
  too_many_webhooks: { problem: { kind: 'too_many_webhooks' }, status: 409, error: 'Too many webhooks' },
  too_many_secrets: {
    problem: { kind: 'too_many_secrets' },
    status: 409,
    error: 'Too many secrets sign at once',
  },
  lead_leased: { problem: { kind: 'lead_leased' }, status: 409, error: 'Lead is being called' },
  number_suppressed: {
    problem: { kind: 'number_suppressed' },
    status: 409,
    error: 'Phone number is suppressed',
  },
  not_found: { problem: { kind: 'not_found' }, status: 404, error: 'Not found' },
  method_not_allowed: {
    problem: { kind: 'method_not_allowed', allow: ['GET', 'HEAD', 'POST'] },
    status: 405,
    error: 'Method not allowed',
    headers: { Allow: 'GET, HEAD, POST' },
  },
  unsupported_media_type: {
    problem: { kind: 'unsupported_media_type' },
    status: 415,
    error: 'Content-Type must be application/json',
  },
  body_too_large: { problem: { kind: 'body_too_large' }, status: 413, error: 'Request body too large' },
  unknown_parameter: {
    problem: { kind: 'unknown_parameter', sent: 'dryrun', known: 'dryRun' },
    status: 400,
    error: 'Unknown query parameter dryrun, did you mean dryRun?',
  },
  invalid_json: { problem: { kind: 'invalid_json' }, status: 400, error: 'Request body must be valid JSON' },
  invalid_field: {
    problem: { kind: 'invalid_field', message: 'phoneNumber is required' },
    status: 400,
    error: 'phoneNumber is required',
  },
  service_unavailable: {
    problem: { kind: 'service_unavailable' },
    status: 503,
    error: 'Service temporarily unavailable',
    headers: { 'Retry-After': '5' },
  },
  internal_error: { problem: { kind: 'internal_error' }, status: 500, error: 'Internal server error' },
}

const rows = Object.values(cases)

it.each(rows)('$problem.kind is $status `$error`', ({ problem, status, error, headers }) => {
  const { code: _, ...described } = describeProblem(problem)
  expect(described).toEqual(headers === undefined ? { status, error } : { status, error, headers })
})

it('A problem has a code of its own in snake case (D32)', () => {
  const codes = rows.map(({ problem }) => describeProblem(problem).code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
  expect(codes).toEqual(expect.arrayContaining(['lead_exists', 'rate_limited']))
})

it('A problem is carried by the error that is thrown, which quotes nothing of a request', () => {
  const error = new ApiError({ kind: 'invalid_field', message: 'leads[3].phoneNumber is required' })
  expect(error).toBeInstanceOf(Error)
  expect(error.problem).toEqual({ kind: 'invalid_field', message: 'leads[3].phoneNumber is required' })
  expect(error.message).toBe('invalid_field')
})
