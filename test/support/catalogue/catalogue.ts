// Every endpoint of the service, one entry each: what the order of checks, the envelope, the headers, who may do what
// and the contract of the API description are tested from. An area's entries are in its own file.
import { callEndpoints } from './calls.ts'
import { campaignEndpoints } from './campaigns.ts'
import { companyEndpoints } from './companies.ts'
import { moveEndpoints } from './company-moves.ts'
import { consentEndpoints } from './consents.ts'
import { dialerEndpoints } from './dialers.ts'
import type { Endpoint, Method } from './endpoint.ts'
import { erasureEndpoints } from './erasures.ts'
import { eventEndpoints } from './events.ts'
import { gateEndpoints } from './gates.ts'
import { healthEndpoints } from './health.ts'
import { keyEndpoints } from './keys.ts'
import { leadCallEndpoints } from './lead-calls.ts'
import { leadEndpoints } from './leads.ts'
import { memberEndpoints } from './members.ts'
import { openCallEndpoints } from './open-calls.ts'
import { searchEndpoints } from './searches.ts'
import { sourceEndpoints } from './sources.ts'
import { statisticsEndpoints } from './statistics.ts'
import { suppressionEndpoints } from './suppressions.ts'
import { webhookEndpoints } from './webhooks.ts'

export const endpoints: readonly Endpoint[] = [
  ...leadEndpoints,
  ...searchEndpoints,
  ...leadCallEndpoints,
  ...callEndpoints,
  ...openCallEndpoints,
  ...erasureEndpoints,
  ...campaignEndpoints,
  ...dialerEndpoints,
  ...gateEndpoints,
  ...sourceEndpoints,
  ...statisticsEndpoints,
  ...suppressionEndpoints,
  ...consentEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...keyEndpoints,
  ...memberEndpoints,
  ...healthEndpoints,
  ...companyEndpoints,
  ...moveEndpoints,
]

export type KeyedEndpoint = Endpoint & { readonly scopes: NonNullable<Endpoint['scopes']> }

/** Those that ask for a key. */
export const keyedEndpoints = endpoints.filter(
  (endpoint): endpoint is KeyedEndpoint => endpoint.scopes !== null,
)

const methods: readonly Method[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The methods of a path, as `Allow` lists them. */
export function methodsOf(path: string): Method[] {
  const own = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method)
  return methods.filter((method) => own.includes(method) || (method === 'HEAD' && own.includes('GET')))
}

/** A method that the path has not. */
export function wrongMethodOf(path: string): Method {
  return methods.findLast((method) => !methodsOf(path).includes(method)) as Method
}

/** One endpoint of each path. */
export const paths: readonly Endpoint[] = [
  ...new Map(endpoints.map((endpoint) => [endpoint.path, endpoint])).values(),
]
