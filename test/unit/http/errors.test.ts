// Every problem's status, text, code and headers, as the contract and the decisions have them.
import { expect, it } from 'vitest'
import { ApiError, describeProblem, type Failure, type Problem } from '../../../src/base/http/errors.ts'

/** `sent`: what else the problem says. */
type Case<Kind> = readonly [
  status: number,
  error: string,
  more?: {
    readonly sent?: Omit<Extract<Problem, { kind: Kind }>, 'kind'>
    readonly headers?: Failure['headers']
  },
]

/** Keyed by kind, so that the compiler asks for a row when a problem is added. */
const cases: { readonly [Kind in Problem['kind']]: Case<Kind> } = {
  invalid_api_key: [
    401,
    'Invalid or inactive API key',
    { headers: { 'WWW-Authenticate': 'ApiKey realm="lead-intake", header="x-api-key"' } },
  ],
  insufficient_permissions: [403, 'Insufficient permissions'],
  company_key_required: [403, 'Insufficient permissions'],
  campaign_exists: [409, 'Campaign already exists'],
  company_not_found: [404, 'Company not found'],
  company_exists: [409, 'Company already exists'],
  company_there: [409, 'Company is already there'],
  company_moving: [409, 'Company is moving'],
  company_emptying: [409, 'What the last move left is still being deleted'],
  company_moved: [409, 'Company has already moved'],
  move_not_found: [404, 'Move not found'],
  store_shared: [409, 'Company has no store of its own'],
  restore_refused: [409, 'Store cannot be restored to that time'],
  campaign_denied: [403, 'Campaign not found or access denied'],
  lead_exists: [
    409,
    'Lead already exists',
    { sent: { location: '/api/v1/leads/1' }, headers: { Location: '/api/v1/leads/1' } },
  ],
  consent_not_found: [404, 'Consent not found'],
  lead_not_found: [404, 'Lead not found'],
  idempotency_key_reused: [409, 'Idempotency-Key was used for a different request'],
  rate_limited: [
    429,
    'Rate limit exceeded',
    { sent: { retryAfterSeconds: 42 }, headers: { 'Retry-After': '42' } },
  ],
  precondition_failed: [412, 'Lead has changed since'],
  key_not_found: [404, 'Key not found'],
  key_inactive: [409, 'Key is revoked or expired'],
  key_of_dialer: [409, 'The key of a dialer is not rotated'],
  key_of_source: [409, 'The key of a source is not rotated'],
  source_not_found: [404, 'Source not found'],
  source_disabled: [410, 'Source is disabled'],
  too_many_sources: [409, 'Too many sources'],
  turnstile_failed: [400, 'The Turnstile token is missing or not valid'],
  dialer_not_found: [404, 'Campaign has no dialer'],
  gate_not_found: [404, 'Campaign has no gate'],
  test_not_found: [404, 'Test call not found'],
  test_running: [409, 'A test call is running'],
  number_in_call: [409, 'Phone number is in a call'],
  test_number_suppressed: [403, 'Phone number is suppressed'],
  key_is_own: [409, 'A key cannot revoke itself'],
  key_outlives_own: [403, 'The new key would outlive your own'],
  grace_too_short: [409, 'A key that rotates itself needs a grace period of 60 seconds'],
  too_many_campaigns: [409, 'Too many campaigns'],
  too_many_keys: [409, 'Too many active keys'],
  member_not_found: [404, 'Member not found'],
  member_exists: [409, 'Member already exists'],
  too_many_members: [409, 'Too many members'],
  last_manager: [409, 'The company would have no manager left'],
  session_not_found: [404, 'Session not found'],
  not_signed_in: [
    401,
    'Sign-in could not be verified',
    {
      headers: {
        'WWW-Authenticate': 'Access realm="lead-intake", header="cf-access-jwt-assertion"',
      },
    },
  ],
  webhook_not_found: [404, 'Webhook not found'],
  too_many_webhooks: [409, 'Too many webhooks'],
  too_many_secrets: [409, 'Too many secrets sign at once'],
  lead_leased: [409, 'Lead is being called'],
  number_suppressed: [409, 'Phone number is suppressed'],
  not_found: [404, 'Not found'],
  method_not_allowed: [
    405,
    'Method not allowed',
    { sent: { allow: ['GET', 'HEAD', 'POST'] }, headers: { Allow: 'GET, HEAD, POST' } },
  ],
  unsupported_media_type: [415, 'Content-Type must be application/json'],
  body_too_large: [413, 'Request body too large'],
  unknown_parameter: [
    400,
    'Unknown query parameter dryrun, did you mean dryRun?',
    { sent: { sent: 'dryrun', known: 'dryRun' } },
  ],
  invalid_json: [400, 'Request body must be valid JSON'],
  invalid_field: [400, 'phoneNumber is required', { sent: { message: 'phoneNumber is required' } }],
  service_unavailable: [503, 'Service temporarily unavailable', { headers: { 'Retry-After': '5' } }],
  internal_error: [500, 'Internal server error'],
}

const rows = Object.entries<Case<string>>(cases).map(([kind, [status, error, more = {}]]) => ({
  problem: { kind, ...more.sent } as Problem,
  described: { status, error, ...(more.headers && { headers: more.headers }) },
}))

it.each(rows)('$problem.kind is $described.status `$described.error`', ({ problem, described }) => {
  const { code: _, ...found } = describeProblem(problem)
  expect(found).toEqual(described)
})

it('A problem has a code of its own in snake case (D32), except a suppressed number, which some requests forbid', () => {
  const codes = rows.map(({ problem }) => describeProblem(problem).code)
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual(['number_suppressed'])
  for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
  expect(codes).toEqual(expect.arrayContaining(['lead_exists', 'rate_limited']))
})

it('A problem is carried by the error that is thrown, which quotes nothing of a request', () => {
  const error = new ApiError({ kind: 'invalid_field', message: 'leads[3].phoneNumber is required' })
  expect(error).toBeInstanceOf(Error)
  expect(error.problem).toEqual({ kind: 'invalid_field', message: 'leads[3].phoneNumber is required' })
  expect(error.message).toBe('invalid_field')
})
