// Each problem of a request as a plain value, and the one switch that decides its status, text and code. Handlers throw
// ApiError, index.ts answers it.

export type Problem =
  | { kind: 'invalid_api_key' }
  | { kind: 'insufficient_permissions' }
  | { kind: 'company_key_required' }
  | { kind: 'campaign_denied' }
  | { kind: 'company_not_found' }
  | { kind: 'company_exists' }
  | { kind: 'company_there' }
  | { kind: 'company_moving' }
  | { kind: 'company_moved' }
  | { kind: 'move_not_found' }
  | { kind: 'store_shared' }
  | { kind: 'restore_refused' }
  | { kind: 'campaign_exists' }
  | { kind: 'too_many_campaigns' }
  | { kind: 'lead_exists'; location: string }
  | { kind: 'lead_not_found' }
  | { kind: 'precondition_failed' }
  | { kind: 'key_not_found' }
  | { kind: 'key_inactive' }
  | { kind: 'key_is_own' }
  | { kind: 'key_outlives_own' }
  | { kind: 'grace_too_short' }
  | { kind: 'too_many_keys' }
  | { kind: 'webhook_not_found' }
  | { kind: 'too_many_webhooks' }
  | { kind: 'too_many_secrets' }
  | { kind: 'lead_leased' }
  | { kind: 'number_suppressed' }
  | { kind: 'idempotency_key_reused' }
  | { kind: 'rate_limited'; retryAfterSeconds: number }
  | { kind: 'not_found' }
  | { kind: 'method_not_allowed'; allow: readonly string[] }
  | { kind: 'unsupported_media_type' }
  | { kind: 'body_too_large' }
  | { kind: 'invalid_json' }
  | { kind: 'unknown_parameter'; sent: string; known: string }
  | { kind: 'invalid_field'; message: string }
  | { kind: 'service_unavailable'; retryAfterSeconds?: number }
  | { kind: 'internal_error' }

export type Failure = {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 412 | 413 | 415 | 429 | 500 | 503
  readonly error: string
  /** For machines, in `X-Error-Code` (D32). */
  readonly code: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Seconds after which a client should try again when the database does not answer (D33). */
const unavailableRetryAfterSeconds = 5

export function describeProblem(problem: Problem): Failure {
  const code = problem.kind
  switch (problem.kind) {
    case 'invalid_api_key':
      return {
        status: 401,
        error: 'Invalid or inactive API key',
        code,
        headers: { 'WWW-Authenticate': 'ApiKey realm="lead-intake", header="x-api-key"' },
      }
    case 'insufficient_permissions':
    // Not a text of its own: a client compares it (D5).
    case 'company_key_required':
      return { status: 403, error: 'Insufficient permissions', code }
    case 'campaign_exists':
      return { status: 409, error: 'Campaign already exists', code }
    case 'too_many_campaigns':
      return { status: 409, error: 'Too many campaigns', code }
    case 'company_not_found':
      return { status: 404, error: 'Company not found', code }
    case 'company_exists':
      return { status: 409, error: 'Company already exists', code }
    case 'company_there':
      return { status: 409, error: 'Company is already there', code }
    case 'company_moving':
      return { status: 409, error: 'Company is moving', code }
    case 'company_moved':
      return { status: 409, error: 'Company has already moved', code }
    case 'move_not_found':
      return { status: 404, error: 'Move not found', code }
    case 'store_shared':
      return { status: 409, error: 'Company has no store of its own', code }
    case 'restore_refused':
      return { status: 409, error: 'Store cannot be restored to that time', code }
    case 'campaign_denied':
      return { status: 403, error: 'Campaign not found or access denied', code }
    case 'lead_exists':
      return { status: 409, error: 'Lead already exists', code, headers: { Location: problem.location } }
    case 'lead_not_found':
      return { status: 404, error: 'Lead not found', code }
    case 'precondition_failed':
      return { status: 412, error: 'Lead has changed since', code }
    case 'key_not_found':
      return { status: 404, error: 'Key not found', code }
    case 'key_inactive':
      return { status: 409, error: 'Key is revoked or expired', code }
    case 'key_is_own':
      return { status: 409, error: 'A key cannot revoke itself', code }
    case 'key_outlives_own':
      return { status: 403, error: 'The new key would outlive your own', code }
    case 'grace_too_short':
      return { status: 409, error: 'A key that rotates itself needs a grace period of 60 seconds', code }
    case 'too_many_keys':
      return { status: 409, error: 'Too many active keys', code }
    case 'webhook_not_found':
      return { status: 404, error: 'Webhook not found', code }
    case 'too_many_webhooks':
      return { status: 409, error: 'Too many webhooks', code }
    case 'too_many_secrets':
      return { status: 409, error: 'Too many secrets sign at once', code }
    case 'lead_leased':
      return { status: 409, error: 'Lead is being called', code }
    case 'number_suppressed':
      return { status: 409, error: 'Phone number is suppressed', code }
    case 'idempotency_key_reused':
      return { status: 409, error: 'Idempotency-Key was used for a different request', code }
    case 'rate_limited':
      return {
        status: 429,
        error: 'Rate limit exceeded',
        code,
        headers: { 'Retry-After': String(problem.retryAfterSeconds) },
      }
    case 'not_found':
      return { status: 404, error: 'Not found', code }
    case 'method_not_allowed':
      return { status: 405, error: 'Method not allowed', code, headers: { Allow: problem.allow.join(', ') } }
    case 'unsupported_media_type':
      return { status: 415, error: 'Content-Type must be application/json', code }
    case 'body_too_large':
      return { status: 413, error: 'Request body too large', code }
    case 'invalid_json':
      return { status: 400, error: 'Request body must be valid JSON', code }
    case 'unknown_parameter': {
      const { sent, known } = problem
      return { status: 400, error: `Unknown query parameter ${sent}, did you mean ${known}?`, code }
    }
    case 'invalid_field':
      return { status: 400, error: problem.message, code }
    case 'service_unavailable':
      return {
        status: 503,
        error: 'Service temporarily unavailable',
        code,
        headers: { 'Retry-After': String(problem.retryAfterSeconds ?? unavailableRetryAfterSeconds) },
      }
    case 'internal_error':
      return { status: 500, error: 'Internal server error', code }
  }
}

/** Whether the answer contains something that only an active key may learn. */
const isForActiveKeys: Readonly<Record<Failure['status'], boolean>> = {
  400: true,
  401: false,
  403: true,
  404: true,
  405: true,
  409: true,
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
