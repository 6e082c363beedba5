// The errors that a request throws: one class for each failure that a program handles in its own way, and a base class
// for the rest. The error code decides the class, never the text.
import type { components } from './api-types.ts'

/** What went wrong, for machines. A newer service may have more codes. */
export type ErrorCode =
  | components['schemas']['ErrorCode']
  | 'connection_failed'
  | 'unexpected_answer'
  | (string & {})

type Details = { status: number; code: ErrorCode; requestId: string; cause?: unknown; headers?: Headers }

/** Any failed request. The message comes from the service. */
export class LeadIntakeError extends Error {
  override readonly name: string = 'LeadIntakeError'
  /** HTTP status; 0 when there was no answer. */
  declare readonly status: number
  declare readonly code: ErrorCode
  /** Finds the request in the service's log. */
  declare readonly requestId: string
  /** For people: what would help. Null when the service has nothing to add. */
  declare readonly hint: string | null

  constructor(message: string, { cause, headers, ...details }: Details) {
    super(message, cause ? { cause } : {})
    Object.assign(this, details, { hint: headers?.get('x-error-hint') ?? null })
  }
}

/** 400: a field of the request is wrong. */
export class InvalidFieldError extends LeadIntakeError {
  override readonly name: string = 'InvalidFieldError'
  /** Such as `phoneNumber` or `leads[3].priority`. Null when the message names no field. */
  declare readonly field: string | null

  constructor(message: string, details: Details) {
    super(message, details)
    this.field = /^(?:[a-z][\w.[\]]*|Idempotency-Key)/.exec(message)?.[0] ?? null
  }
}

/** 401: the API key is missing, unknown, revoked or expired. */
export class InvalidApiKeyError extends LeadIntakeError {
  override readonly name: string = 'InvalidApiKeyError'
}

/** 403: the key may not do this, or has no access to the campaign, or the campaign does not exist. */
export class AccessDeniedError extends LeadIntakeError {
  override readonly name: string = 'AccessDeniedError'
}

/** 404: it does not exist, or the key has no access to it. */
export class NotFoundError extends LeadIntakeError {
  override readonly name: string = 'NotFoundError'
}

/** 409: the request conflicts with the current state. */
export class ConflictError extends LeadIntakeError {
  override readonly name: string = 'ConflictError'
}

/** 409: the phone number is in the campaign already. For most callers this counts as done. */
export class LeadExistsError extends ConflictError {
  override readonly name: string = 'LeadExistsError'
  /** The existing lead. Null when the service does not say. */
  declare readonly leadId: string | null

  constructor(message: string, details: Details) {
    super(message, details)
    this.leadId = details.headers?.get('location')?.split('/').pop() ?? null
  }
}

/** 412: the lead was changed since you read it. */
export class ChangedMeanwhileError extends LeadIntakeError {
  override readonly name: string = 'ChangedMeanwhileError'
}

/** 413: the body is larger than the service accepts. */
export class BodyTooLargeError extends LeadIntakeError {
  override readonly name: string = 'BodyTooLargeError'
}

/** A failure that may pass: no answer, 429 or 503. Thrown after the retries that were allowed. */
export class TemporaryError extends LeadIntakeError {
  override readonly name: string = 'TemporaryError'
  /** When to retry, by the service. Null when it does not say. */
  declare readonly retryAfterMs: number | null

  constructor(message: string, details: Details) {
    super(message, details)
    const after = details.headers?.get('retry-after') ?? ''
    // A proxy may send a date.
    const ms = /^\d{1,6}$/.test(after)
      ? Number(after) * 1000
      : Date.parse(/GMT$/.exec(after) ? after : '') - Date.now()
    this.retryAfterMs = Number.isNaN(ms) ? null : Math.max(0, ms)
  }
}

/** 429: the rate limit was reached. Nothing was done. */
export class RateLimitedError extends TemporaryError {
  override readonly name: string = 'RateLimitedError'
}

/** 503, and what a proxy answers in its place: the service or its database is unavailable. */
export class UnavailableError extends TemporaryError {
  override readonly name: string = 'UnavailableError'
}

/** There was no answer: the request may or may not have been processed. */
export class ConnectionError extends TemporaryError {
  override readonly name: string = 'ConnectionError'
}

const classes: Readonly<Record<string | number, typeof LeadIntakeError>> = {
  401: InvalidApiKeyError,
  403: AccessDeniedError,
  404: NotFoundError,
  409: ConflictError,
  412: ChangedMeanwhileError,
  413: BodyTooLargeError,
  429: RateLimitedError,
  503: UnavailableError,
  invalid_field: InvalidFieldError,
  lead_exists: LeadExistsError,
}

/** The error of a response. `error`: the message in its envelope, if it has one. */
export function errorOf(
  status: number,
  headers: Headers,
  error: unknown,
  requestId: string,
): LeadIntakeError {
  const code = headers.get('x-error-code') ?? 'unexpected_answer'
  const message = typeof error === 'string' ? error : `HTTP ${status}`
  const details = { status, code, requestId: headers.get('x-request-id') ?? requestId, headers }
  // A proxy in front may answer in place of the service, with any of these.
  const isOfProxy = typeof error !== 'string' && (status >= 500 || status === 408 || status === 425)
  // A code such as `constructor` names no class.
  const known = isOfProxy ? 503 : Object.hasOwn(classes, code) ? code : status
  return new (classes[known] ?? LeadIntakeError)(message, details)
}

/** For people: the message, which programs may compare, and what it leaves out. */
export const explain = ({ code, message, hint }: LeadIntakeError): string => {
  if (hint !== null) return `${message}. ${hint}`
  return code === 'company_key_required' ? `${message}: this needs a company-wide API key` : message
}
