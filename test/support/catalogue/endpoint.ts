// What the catalogue says of one endpoint, and the small changes that spoil a request. A new endpoint is one value of
// this type; which answers follow from it is in cases.ts. Nothing here sends or judges.
import type { Scope } from '../../../src/base/access/scope.ts'
import type { Options } from '../http/api.ts'
import type { Campaign, seedWorld } from '../world.ts'

export type World = Awaited<ReturnType<typeof seedWorld>>

/** The campaign that a request is about, with its company. It need not be one that the key may see. */
export type Scene = { readonly companyId: string; readonly campaignId: string; readonly campaign: Campaign }

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Sent = {
  /** The endpoint's, unless given. */
  readonly method?: Method
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Options['headers']
  readonly body?: unknown
}

/** What a failure says: status, `error`, and `X-Error-Code`. */
export type Said = readonly [status: number, error: string, code: string]

export type Endpoint = {
  /** Its operationId in the API description. */
  readonly name: string
  readonly method: Method
  /** As a route: `/api/v1/leads/:leadId`. */
  readonly path: string
  /** The scopes whose keys may; null where no key is required. */
  readonly scopes: readonly Scope[] | null
  /** Only an operator's key may. */
  readonly isForOperator?: boolean
  /**
   * What it acts on, and so the answer to a key that has no right to it: a campaign that it names (403), a lead, a key,
   * a member or a webhook (404), a consent (404, and to a campaign's key as to any other of its company), the company
   * (403 for a campaign's key, with a code of its own), or nothing that could be denied.
   */
  readonly actsOn: 'campaign' | 'lead' | 'webhook' | 'key' | 'member' | 'consent' | 'company' | 'nothing'
  /** Of the narrowest of its windows: what X-RateLimit-Limit shows. */
  readonly limit: 1000 | 60 | 10
  /** Of its body, where it has one. */
  readonly maxBytes?: number
  /** The status of a success. */
  readonly success: number
  /** A request that succeeds, a new one each time. What it needs is seeded in the place. */
  readonly request: (place: Scene) => Sent | Promise<Sent>
  /** Others that do, by what is special about them. `key` is the one that will ask, in a world with nothing denied. */
  readonly alsoSucceeds: Readonly<Record<string, (world: World, key: string) => Sent | Promise<Sent>>>
  /** Input that is refused with 400, in the order in which it is checked. */
  readonly invalid: readonly Invalid[]
  /** What is found wrong after the campaign, in the order of checks. */
  readonly conflicts: readonly Flaw[]
  /** Failures that have no place in the order of checks. */
  readonly alsoFails: readonly Flaw[]
}

/** What most endpoints have, and their entries do not say. */
type Usual = Pick<Endpoint, 'limit' | 'success' | 'alsoSucceeds' | 'invalid' | 'conflicts' | 'alsoFails'>
const usual: Usual = {
  ...{ limit: 1000, success: 200, alsoSucceeds: {} },
  ...{ invalid: [], conflicts: [], alsoFails: [] },
}

export const endpoint = (entry: Omit<Endpoint, keyof Usual> & Partial<Usual>): Endpoint => ({
  ...usual,
  ...entry,
})

export type Invalid = {
  readonly message: string
  /** `invalid_field` unless given. */
  readonly code?: string
  readonly change: (sent: Sent) => Sent
}

export type Flaw = {
  readonly name: string
  /** It changes the key that asks, which no other case may share. */
  readonly hasOwnKey?: boolean
  readonly said: Said
  /** `key` is the one that will ask. */
  readonly change: (sent: Sent, place: Scene, key: string) => Sent | Promise<Sent>
}

/** Which scopes have each right, as the endpoints ask for it. */
export const scopesOf = {
  look: ['read', 'write', 'agent', 'manage'],
  read: ['read', 'write', 'manage'],
  write: ['write', 'manage'],
  agent: ['agent', 'manage'],
  manage: ['manage'],
} as const

type Fields = Readonly<Record<string, unknown>>

export const withFields = (fields: Fields) => (sent: Sent) => ({
  ...sent,
  body: { ...(sent.body as Fields), ...fields },
})
export const withBody = (body: unknown) => (sent: Sent) => ({ ...sent, body })
export const withQuery = (query: Readonly<Record<string, string>>) => (sent: Sent) => ({
  ...sent,
  query: { ...sent.query, ...query },
})
export const withHeaders = (headers: Options['headers']) => (sent: Sent) => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
})
/** Without a parameter of its query. */
export const withoutQuery = (name: string) => (sent: Sent) => ({
  ...sent,
  query: Object.fromEntries(Object.entries(sent.query ?? {}).filter(([each]) => each !== name)),
})
