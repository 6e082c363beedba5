// What a call throws when it does not succeed: one class for each thing that a program handles in its own way, and the
// base class for all else. Which answer is which is decided by its code, never by its text.
import type { components } from './api-types.ts'

/** What went wrong, for machines. A newer service may know more than these. */
export type ErrorCode =
  | components['schemas']['ErrorCode']
  | 'connection_failed'
  | 'unexpected_answer'
  | (string & {})

type Told = { status: number; code: ErrorCode; requestId: string; cause?: unknown; headers?: Headers }

/** Any failure of a call. The message is the service's own. */
export class LeadIntakeError extends Error {
  override readonly name: string = 'LeadIntakeError'
  /** HTTP status; 0: there was no answer. */
  declare readonly status: number
  declare readonly code: ErrorCode
  /** Names the request in the service's log. */
  declare readonly requestId: string

  constructor(message: string, { status, code, requestId, cause }: Told) {
    super(message, cause ? { cause } : {})
    Object.assign(this, { status, code, requestId })
  }
}

/** 400: a field of the request is wrong. */
export class InvalidFieldError extends LeadIntakeError {
  override readonly name: string = 'InvalidFieldError'
  /** Which, such as `phoneNumber` or `leads[3].priority`. Null when the message names none. */
  declare readonly field: string | null

  constructor(message: string, told: Told) {
    super(message, told)
    this.field = /^(?:[a-z][\w.[\]]*|Idempotency-Key)/.exec(message)?.[0] ?? null
  }
}

/** 401: the API key is missing, unknown, revoked or expired. */
export class InvalidApiKeyError extends LeadIntakeError {
  override readonly name: string = 'InvalidApiKeyError'
}

/** 403: the key may not do this, or the campaign is not there or not the key's. */
export class AccessDeniedError extends LeadIntakeError {
  override readonly name: string = 'AccessDeniedError'
}

/** 404: what was asked for is not there, or not for this key. */
export class NotFoundError extends LeadIntakeError {
  override readonly name: string = 'NotFoundError'
}

/** 409: it does not go together with what is there. */
export class ConflictError extends LeadIntakeError {
  override readonly name: string = 'ConflictError'
}

/** 409: the phone number is in the campaign already. For a sender: done. */
export class LeadExistsError extends ConflictError {
  override readonly name: string = 'LeadExistsError'
  /** Of the lead that is there. Null when the service does not tell. */
  declare readonly leadId: string | null

  constructor(message: string, told: Told) {
    super(message, told)
    this.leadId = told.headers?.get('location')?.split('/').pop() ?? null
  }
}

/** 412: it was changed since it was read. */
export class ChangedMeanwhileError extends LeadIntakeError {
  override readonly name: string = 'ChangedMeanwhileError'
}

/** 413: the body is larger than the service takes. */
export class BodyTooLargeError extends LeadIntakeError {
  override readonly name: string = 'BodyTooLargeError'
}

/** What may pass: no answer, 429 or 503. It was tried again as long as was allowed. */
export class TemporaryError extends LeadIntakeError {
  override readonly name: string = 'TemporaryError'
  /** When the service wants to be asked again. Null when it does not tell. */
  declare readonly retryAfterMs: number | null

  constructor(message: string, told: Told) {
    super(message, told)
    const after = told.headers?.get('retry-after') ?? ''
    // What stands between may tell a date.
    const ms = /^\d{1,6}$/.test(after)
      ? Number(after) * 1000
      : Date.parse(/GMT$/.exec(after) ? after : '') - Date.now()
    this.retryAfterMs = Number.isNaN(ms) ? null : Math.max(0, ms)
  }
}

/** 429: a rate limit is spent. Nothing was done. */
export class RateLimitedError extends TemporaryError {
  override readonly name: string = 'RateLimitedError'
}

/** 503: the service, or its database, cannot answer now. */
export class UnavailableError extends TemporaryError {
  override readonly name: string = 'UnavailableError'
}

/** There was no answer. Whether anything was done is not known. */
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
  // What stands between may answer in its place.
  502: UnavailableError,
  503: UnavailableError,
  504: UnavailableError,
  invalid_field: InvalidFieldError,
  lead_exists: LeadExistsError,
}

/** The error that an answer is. `error`: what its envelope says, if it has one. */
export function errorOf(response: Response, error: unknown, requestId: string): LeadIntakeError {
  const { status, headers } = response
  const code = headers.get('x-error-code') ?? 'unexpected_answer'
  const message = typeof error === 'string' ? error : `HTTP ${status}`
  const told = { status, code, requestId: headers.get('x-request-id') ?? requestId, headers }
  // A code such as `constructor` is no class.
  const known = Object.hasOwn(classes, code) ? code : status
  return new (classes[known] ?? LeadIntakeError)(message, told)
}
