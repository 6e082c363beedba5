// Each problem of a request as a plain value, and its status, text and code. Handlers throw
// ApiError, index.ts answers it.

/** Problems with nothing but a status and a text. */
const plainProblems = {
  insufficient_permissions: [403, 'Insufficient permissions'],
  // Not a text of its own: a client compares it (D5).
  company_key_required: [403, 'Insufficient permissions'],
  campaign_exists: [409, 'Campaign already exists'],
  too_many_campaigns: [409, 'Too many campaigns'],
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
  lead_not_found: [404, 'Lead not found'],
  precondition_failed: [412, 'Lead has changed since'],
  key_not_found: [404, 'Key not found'],
  key_inactive: [409, 'Key is revoked or expired'],
  key_of_dialer: [409, 'The key of a dialer is not rotated'],
  key_of_source: [409, 'The key of a source is not rotated'],
  key_is_own: [409, 'A key cannot revoke itself'],
  key_outlives_own: [403, 'The new key would outlive your own'],
  grace_too_short: [409, 'A key that rotates itself needs a grace period of 60 seconds'],
  too_many_keys: [409, 'Too many active keys'],
  member_not_found: [404, 'Member not found'],
  member_exists: [409, 'Member already exists'],
  too_many_members: [409, 'Too many members'],
  last_manager: [409, 'The company would have no manager left'],
  session_not_found: [404, 'Session not found'],
  dialer_not_found: [404, 'Campaign has no dialer'],
  gate_not_found: [404, 'Campaign has no gate'],
  source_not_found: [404, 'Source not found'],
  source_disabled: [410, 'Source is disabled'],
  too_many_sources: [409, 'Too many sources'],
  turnstile_failed: [400, 'The Turnstile token is missing or not valid'],
  test_not_found: [404, 'Test call not found'],
  test_running: [409, 'A test call is running'],
  number_in_call: [409, 'Phone number is in a call'],
  // A call to a suppressed number is forbidden, whatever is changed.
  test_number_suppressed: [403, 'Phone number is suppressed'],
  webhook_not_found: [404, 'Webhook not found'],
  too_many_webhooks: [409, 'Too many webhooks'],
  too_many_secrets: [409, 'Too many secrets sign at once'],
  consent_not_found: [404, 'Consent not found'],
  lead_leased: [409, 'Lead is being called'],
  number_suppressed: [409, 'Phone number is suppressed'],
  idempotency_key_reused: [409, 'Idempotency-Key was used for a different request'],
  not_found: [404, 'Not found'],
  unsupported_media_type: [415, 'Content-Type must be application/json'],
  body_too_large: [413, 'Request body too large'],
  invalid_json: [400, 'Request body must be valid JSON'],
  internal_error: [500, 'Internal server error'],
} as const

export type PlainKind = keyof typeof plainProblems
/** `words`: in place of the usual text. `hint`: beside it, in `X-Error-Hint`. */
type PlainProblem = { [Kind in PlainKind]: { kind: Kind; words?: string; hint?: string } }[PlainKind]

export const isPlain = (problem: { readonly kind: string }): problem is PlainProblem =>
  problem.kind in plainProblems

export type Problem =
  | PlainProblem
  | { kind: 'invalid_api_key' }
  | { kind: 'not_signed_in' }
  | { kind: 'lead_exists'; location: string }
  | { kind: 'rate_limited'; retryAfterSeconds: number }
  | { kind: 'method_not_allowed'; allow: readonly string[] }
  | { kind: 'unknown_parameter'; sent: string; known: string | null }
  | { kind: 'invalid_field'; message: string }
  | { kind: 'service_unavailable'; retryAfterSeconds?: number }

export type Failure = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 415 | 429 | 500 | 503
  readonly error: string
  /** For machines, in `X-Error-Code` (D32). */
  readonly code: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Seconds after which a client should try again when the database does not answer (D33). */
const unavailableRetryAfterSeconds = 5

type Parts = readonly [status: Failure['status'], error: string, headers?: Failure['headers']]

/** For a problem that has more than a kind. */
function partsOf(problem: Exclude<Problem, PlainProblem>): Parts {
  switch (problem.kind) {
    case 'invalid_api_key': {
      const scheme = 'ApiKey realm="lead-intake", header="x-api-key"'
      return [401, 'Invalid or inactive API key', { 'WWW-Authenticate': scheme }]
    }
    case 'not_signed_in':
      return [
        401,
        'Sign-in could not be verified',
        { 'WWW-Authenticate': 'Access realm="lead-intake", header="cf-access-jwt-assertion"' },
      ]
    case 'lead_exists':
      return [409, 'Lead already exists', { Location: problem.location }]
    case 'rate_limited':
      return [429, 'Rate limit exceeded', { 'Retry-After': String(problem.retryAfterSeconds) }]
    case 'method_not_allowed':
      return [405, 'Method not allowed', { Allow: problem.allow.join(', ') }]
    case 'unknown_parameter':
      return [
        400,
        `Unknown query parameter ${problem.sent}${problem.known === null ? '' : `, did you mean ${problem.known}?`}`,
      ]
    case 'invalid_field':
      return [400, problem.message]
    case 'service_unavailable': {
      const seconds = problem.retryAfterSeconds ?? unavailableRetryAfterSeconds
      return [503, 'Service temporarily unavailable', { 'Retry-After': String(seconds) }]
    }
  }
}

export function describeProblem(problem: Problem): Failure {
  const parts: Parts = isPlain(problem) ? plainProblems[problem.kind] : partsOf(problem)
  const [status, usual, headers] = parts
  const error = (isPlain(problem) && problem.words) || usual
  const code = problem.kind === 'test_number_suppressed' ? 'number_suppressed' : problem.kind
  return { status, error, code, ...(headers && { headers }) }
}

/** Whether the answer contains something that only an active key may learn. */
const isForActiveKeys: Readonly<Record<Failure['status'], boolean>> = {
  400: true,
  401: false,
  403: true,
  404: true,
  405: true,
  409: true,
  410: true,
  412: true,
  413: true,
  415: true,
  429: false,
  500: false,
  503: false,
}

export function problemIsForAnyone(problem: Problem): boolean {
  return !isForActiveKeys[describeProblem(problem).status]
}

export class ApiError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    // Nobody reads its stack trace, and making one takes a twelfth of the time of a refusal.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(problem.kind)
    Error.stackTraceLimit = stackTraceLimit
    this.problem = problem
  }
}

export const invalidField = (message: string) => new ApiError({ kind: 'invalid_field', message })
