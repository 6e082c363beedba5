// Every answer of every endpoint, derived from the catalogue: a request that gets it, and what it says. The answers of
// an endpoint are asked for once in a file, however many of its tests judge them.
import { keyScopes } from '../../../src/access/scope.ts'
import { type Answer, api, type Body, type Options, randomAddress } from '../api.ts'
import { databaseFailing } from '../database.ts'
import { sideBySide } from '../side-by-side.ts'
import { seedKey, seedWorld, spendBulks, spendHealth, spendHour } from '../world.ts'
import { endpoints, methodsOf, paths, wrongMethodOf } from './catalogue.ts'
import type { Endpoint, Place, Said, Sent, World } from './endpoint.ts'

export { keyScopes }

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
  campaign: [403, 'Campaign not found or access denied', 'campaign_denied'],
  lead: [404, 'Lead not found', 'lead_not_found'],
  unavailable: [503, 'Service temporarily unavailable', 'service_unavailable'],
  unforeseen: [500, 'Internal server error', 'internal_error'],
} as const satisfies Record<string, Said>

export const invalid = (message: string): Said => [400, message, 'invalid_field']

/** What a key without a right to the place is told; null where nothing can be denied. */
export function denialOf({ actsOn }: Endpoint): Said | null {
  if (actsOn === 'nothing') return null
  return actsOn === 'company' ? problems.scope : problems[actsOn]
}

export type Case = {
  readonly name: string
  readonly status: number
  /** Null: a success. */
  readonly said: Said | null
  /** What X-RateLimit-Limit tells; null outside /api. */
  readonly limit: number | null
  /** It charges no window: a key that could not be looked up is nobody's guess (D22). */
  readonly isFree?: boolean
  /** Methods that `Allow` names. */
  readonly allow?: string
  /** A failure that still tells what was seen (D28). */
  readonly hasData?: boolean
  readonly ask: (world: World, bindings?: Options['bindings']) => Promise<Answer>
}

/** Sends what the endpoint sends. */
export function send(
  endpoint: Endpoint,
  key: string | null,
  { method = endpoint.method, path, query, headers, body }: Sent,
  options: Options = {},
): Promise<Answer> {
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return api(key, options).request(method, path + search, body as Body | undefined, headers)
}

/** A scope that may not; undefined where every one may. */
export const otherScope = ({ scopes }: Endpoint) =>
  keyScopes.find((scope) => scopes?.includes(scope) === false)

/** A new key of the place's company that may. */
export async function goodKey({ scopes }: Endpoint, { companyId }: Place): Promise<string> {
  return (await seedKey({ companyId, scope: scopes?.[0] ?? 'write' })).key
}

const bytesOf = (sent: Sent) => JSON.stringify(sent.body)
export const asText = (sent: Sent): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'content-type': 'text/plain' },
})
export const tooLarge = (sent: Sent, { maxBytes = 0 }: Endpoint): Sent => ({
  ...sent,
  body: (typeof sent.body === 'string' ? sent.body : bytesOf(sent)).padEnd(maxBytes + 1),
})
export const cutShort = (sent: Sent): Sent => ({ ...sent, body: bytesOf(sent).slice(0, -1) })

/** Refuses in a way that the service foresees, and in one that it does not. */
const refusing = () => ({
  DB: databaseFailing('D1_ERROR: D1 DB is overloaded. Too many requests queued.').DB,
})
const broken = () => ({ DB: {} })

/** None for an endpoint that is not in the catalogue. */
export const casesOf = (name: string): readonly Case[] => ofEndpoints.get(name) ?? []

function makeCases(endpoint: Endpoint): Case[] {
  return [...successesOf(endpoint), ...(endpoint.scopes === null ? keylessFailures : keyedFailures)(endpoint)]
}

function successesOf(endpoint: Endpoint): Case[] {
  const { name, success: status, limit, request, alsoSucceeds } = endpoint
  const requests: Endpoint['alsoSucceeds'] = {
    'that is right': (world: World) => request(world),
    ...alsoSucceeds,
  }
  return Object.entries(requests).map(([which, make]) => ({
    name: `${name} ${which}`,
    status,
    said: null,
    limit,
    async ask(world, bindings) {
      const key = await goodKey(endpoint, world)
      const sent = await make(world, key)
      return send(endpoint, endpoint.scopes === null ? null : key, sent, { bindings })
    },
  }))
}

function keyedFailures(endpoint: Endpoint): Case[] {
  const { name, limit, maxBytes } = endpoint
  const { actsOn } = endpoint
  const failure = (which: string, said: Said, ask: Case['ask'], told: number | null = limit): Case => ({
    name: `${name} with ${which}`,
    status: said[0],
    said,
    limit: told,
    ask,
  })
  /** Of a right request, changed. */
  const changed = (
    which: string,
    said: Said,
    change: (sent: Sent, world: World, key: string) => Sent | Promise<Sent>,
  ) =>
    failure(which, said, async (world, bindings) => {
      const key = await goodKey(endpoint, world)
      const sent = await change(await endpoint.request(world), world, key)
      return send(endpoint, key, sent, { bindings })
    })
  /** Of a right request, by a key of this kind. */
  const keyed = (which: string, said: Said, keyOf: (world: World) => Promise<string>, told?: number) =>
    failure(
      which,
      said,
      async (world, bindings) =>
        send(endpoint, await keyOf(world), await endpoint.request(world), { bindings }),
      told,
    )
  /** Of a right request, by a key that the isolate remembers or not, where a part fails. */
  const faulty = (which: string, said: Said, bindings: () => Options['bindings'], isRemembered: boolean) => ({
    ...failure(
      which,
      said,
      async (world) => {
        const key = await goodKey(endpoint, world)
        if (isRemembered) await send(endpoint, key, await endpoint.request(world))
        return send(endpoint, key, await endpoint.request(world), { bindings: bindings() })
      },
      isRemembered ? limit : 60,
    ),
    isFree: !isRemembered,
  })
  const seeded = async (world: World, kind: Omit<Parameters<typeof seedKey>[0], 'companyId'>) =>
    (await seedKey({ companyId: world.companyId, scope: endpoint.scopes?.[0] ?? 'write', ...kind })).key
  const spent = async (world: World, spend: (keyId: string, units: number) => Promise<void>) => {
    const { id, key } = await seedKey({ companyId: world.companyId, scope: endpoint.scopes?.[0] ?? 'write' })
    await spend(id, limit)
    return key
  }

  const scope = otherScope(endpoint)
  const denied = denialOf(endpoint)
  return [
    failure(
      'no key',
      problems.key,
      async (world, bindings) => send(endpoint, null, await endpoint.request(world), { bindings }),
      60,
    ),
    keyed('a revoked key', problems.key, (world) => seeded(world, { revokedAtMs: 1 }), 60),
    keyed('a spent limit', problems.rate, (world) => spent(world, limit === 10 ? spendBulks : spendHour)),
    ...(limit === 10 ? [keyed('a spent hour', problems.rate, spentHour, 1000)] : []),
    ...(scope === undefined
      ? []
      : [keyed('a scope that may not', problems.scope, (world) => seeded(world, { scope }))]),
    ...(maxBytes === undefined
      ? []
      : [
          changed('a body of another type', problems.type, asText),
          changed('a body too large', problems.size, (sent) => tooLarge(sent, endpoint)),
          changed('a body cut short', problems.json, cutShort),
        ]),
    ...endpoint.invalid.map(({ message, change }) =>
      changed(`what gets: ${message}`, invalid(message), change),
    ),
    ...(actsOn === 'company'
      ? [
          keyed('a key of one campaign', problems.scope, (world) =>
            seeded(world, { campaign: world.campaign }),
          ),
        ]
      : []),
    ...(denied === null || actsOn === 'company'
      ? []
      : [changed('a campaign of another company', denied, async () => endpoint.request(await seedWorld()))]),
    ...[...endpoint.conflicts, ...endpoint.alsoFails].map(({ name, said, change }) =>
      changed(name, said, change),
    ),
    faulty('a database that refuses', problems.unavailable, refusing, true),
    faulty('a database that refuses to look its key up', problems.unavailable, refusing, false),
    ...Object.entries(endpoint.alsoSucceeds).map(([which, make]) =>
      failure(`a database that refuses, ${which}`, problems.unavailable, async (world) => {
        const key = await goodKey(endpoint, world)
        await send(endpoint, key, await endpoint.request(world))
        return send(endpoint, key, await make(world, key), { bindings: refusing() })
      }),
    ),
    faulty('a failure that nobody foresaw', problems.unforeseen, broken, true),
    faulty('a failure that nobody foresaw in the look-up', problems.unforeseen, broken, false),
  ]

  async function spentHour(world: World): Promise<string> {
    const { id, key } = await seedKey({ companyId: world.companyId, scope: endpoint.scopes?.[0] ?? 'write' })
    await spendHour(id, 1000)
    return key
  }
}

function keylessFailures(endpoint: Endpoint): Case[] {
  const { name, limit } = endpoint
  const failure = (which: string, said: Said, options: () => Options | Promise<Options>): Case => ({
    name: `${name} with ${which}`,
    status: said[0],
    said,
    limit,
    hasData: said === problems.unavailable,
    ask: async (world) => send(endpoint, null, await endpoint.request(world), await options()),
  })
  return [
    failure('a spent limit', problems.rate, async () => {
      const address = randomAddress()
      await spendHealth(address, limit)
      return { address }
    }),
    failure('a database that refuses', problems.unavailable, () => ({ bindings: refusing() })),
    failure('a failure that nobody foresaw', problems.unforeseen, () => ({ bindings: broken() })),
  ]
}

/** Answers that belong to no endpoint: of paths that are not there, and of methods that a path has not. */
export const casesElsewhere: readonly Case[] = [
  ...[
    { path: '/api/v1/nothing', limit: 1000 },
    { path: '/api/v2/leads', limit: 60 },
    { path: '/elsewhere', limit: null },
  ].map(({ path, limit }) => ({
    name: `a path that is not there: ${path}`,
    status: 404,
    said: problems.path,
    limit,
    ask: async ({ readKey }: World, bindings?: Options['bindings']) =>
      api(readKey, { bindings }).request('GET', path),
  })),
  ...paths.map((endpoint) => ({
    name: `a method that ${endpoint.path} has not`,
    status: 405,
    said: problems.method,
    limit: endpoint.scopes === null ? 60 : 1000,
    allow: methodsOf(endpoint.path).join(', '),
    async ask(world: World, bindings?: Options['bindings']) {
      const { path } = await endpoint.request(world)
      return api(endpoint.scopes === null ? null : world.readKey, { bindings }).request(
        wrongMethodOf(endpoint.path),
        path,
      )
    },
  })),
]

export type Answered = Case & { readonly answer: Answer; readonly answeredAtMs: number }

const ofEndpoints = new Map(endpoints.map((endpoint) => [endpoint.name, makeCases(endpoint)]))
const groups: readonly (readonly Case[])[] = [...ofEndpoints.values(), casesElsewhere]
export const allCases: readonly Case[] = groups.flat()

const askedFor = new Map<readonly Case[], Promise<readonly Answered[]>>()

/** The answer to a case. It is asked for once, with all of its endpoint, side by side. The clock must be the real one. */
export async function answerTo(one: Case): Promise<Answered> {
  const group = groups.find((cases) => cases.includes(one)) as readonly Case[]
  const answers = askedFor.get(group) ?? answersTo(group)
  askedFor.set(group, answers)
  return (await answers)[group.indexOf(one)] as Answered
}

async function answersTo(cases: readonly Case[]): Promise<Answered[]> {
  const world = await seedWorld()
  return sideBySide(cases, async (one) => ({
    ...one,
    answer: await one.ask(world),
    answeredAtMs: Date.now(),
  }))
}
