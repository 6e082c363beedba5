// What failures say: the same at every endpoint, but for the messages that are an endpoint's own.
import type { Endpoint, Said } from './endpoint.ts'

/** What every endpoint says to the same mistake. */
export const problems = {
  key: [401, 'Invalid or inactive API key', 'invalid_api_key'],
  rate: [429, 'Rate limit exceeded', 'rate_limited'],
  path: [404, 'Not found', 'not_found'],
  method: [405, 'Method not allowed', 'method_not_allowed'],
  scope: [403, 'Insufficient permissions', 'insufficient_permissions'],
  type: [415, 'Content-Type must be application/json', 'unsupported_media_type'],
  size: [413, 'Request body too large', 'body_too_large'],
  json: [400, 'Request body must be valid JSON', 'invalid_json'],
  companyKey: [403, 'Insufficient permissions', 'company_key_required'],
  campaign: [403, 'Campaign not found or access denied', 'campaign_denied'],
  lead: [404, 'Lead not found', 'lead_not_found'],
  keyMissing: [404, 'Key not found', 'key_not_found'],
  member: [404, 'Member not found', 'member_not_found'],
  consent: [404, 'Consent not found', 'consent_not_found'],
  webhook: [404, 'Webhook not found', 'webhook_not_found'],
  unavailable: [503, 'Service temporarily unavailable', 'service_unavailable'],
  unforeseen: [500, 'Internal server error', 'internal_error'],
} as const satisfies Record<string, Said>

export const invalid = (message: string, code = 'invalid_field'): Said => [400, message, code]

/** A campaign's key is refused, whichever campaign is meant. */
export const isOfCompany = ({ actsOn }: Endpoint) => actsOn === 'company'

/** The answer to a key without a right to the place; null where nothing can be denied. */
export function denialOf({ actsOn }: Endpoint): Said | null {
  if (actsOn === 'nothing') return null
  if (actsOn === 'key') return problems.keyMissing
  return actsOn === 'company' ? problems.companyKey : problems[actsOn]
}
