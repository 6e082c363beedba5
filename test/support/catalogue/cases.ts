// Every answer of every endpoint, derived from the catalogue: how to get it, and what it says.

import { databaseFailing } from '../database/database.ts'
import { isOfD1 } from '../database/store.ts'
import { type Answer, api, type Options, randomAddress } from '../http/api.ts'
import { type KeyKind, seedWorld, spendBulks, spendHealth, spendHour } from '../world.ts'
import { endpoints, paths, wrongMethodOf } from './catalogue.ts'
import type { Endpoint, Flaw, Said, Sent, World } from './endpoint.ts'
import { denialOf, invalid, isOfCompany, problems } from './said.ts'
import { asText, cutShort, makeKey, otherScope, send, tooLarge } from './sending.ts'

export type Case = {
  readonly name: string
  readonly status: number
  /** Null: a success. */
  readonly said: Said | null
  /** What X-RateLimit-Limit shows; null outside /api. */
  readonly limit: number | null
  /** It charges no window: a key that could not be looked up is nobody's guess (D22). */
  readonly isFree?: boolean
  /** A failure that still shows what was seen (D28). */
  readonly hasData?: boolean
  readonly ask: (world: World, bindings?: Options['bindings']) => Promise<Answer>
}

/** Of a client without a valid key. */
const addressLimit = 60

/** Refuses in a way that the service foresees, and in one that it does not. */
const refusing = () => ({
  DB: databaseFailing('D1_ERROR: D1 DB is overloaded. Too many requests queued.').DB,
})
const broken = () => ({ DB: {} })

/** None for an endpoint that is not in the catalogue. */
export const casesOf = (name: string): readonly Case[] => ofEndpoints.get(name) ?? []

/** Spends at most so many units of its key. */
const mostRequests = 3

const keysOf = new WeakMap<World, Map<string, { readonly key: Promise<string>; uses: number }>>()

/**
 * A key that other cases of the endpoint ask with too: a new one has to be stored and limited first, which takes longer
 * than most requests. For no more cases than its narrowest window holds. `isKnown`: the isolate remembers it.
 */
function sharedKey(endpoint: Endpoint, world: World, { isKnown = false } = {}): Promise<string> {
  const keys = keysOf.get(world) ?? new Map<string, { key: Promise<string>; uses: number }>()
  keysOf.set(world, keys)
  const name = `${endpoint.name} ${isKnown}`
  const known = keys.get(name)
  const isUsedUp = known === undefined || (known.uses + 1) * mostRequests >= endpoint.limit
  const used = isUsedUp
    ? { key: isKnown ? knownKey(endpoint, world) : newKey(endpoint, world), uses: 0 }
    : known
  keys.set(name, used)
  used.uses++
  return used.key
}

const newKey = async (endpoint: Endpoint, world: World) => (await makeKey(endpoint, world)).key

/** One that has asked before. */
async function knownKey(endpoint: Endpoint, world: World): Promise<string> {
  const key = await newKey(endpoint, world)
  await api(key).request('GET', '/api/v1/nothing')
  return key
}

const plain = 'that is right'

/** All requests that succeed, by what is special about them. */
const successesOf = ({ request, alsoSucceeds }: Endpoint): Endpoint['alsoSucceeds'] => ({
  [plain]: (world) => request(world),
  ...alsoSucceeds,
})

const madeRequests = new WeakMap<World, Map<string, Promise<Sent>>>()

/** A request for several cases: what it needs is seeded once in the world, which takes longer than most requests. */
function madeOnce(world: World, name: string, make: () => Sent | Promise<Sent>): Promise<Sent> {
  const requests = madeRequests.get(world) ?? new Map<string, Promise<Sent>>()
  madeRequests.set(world, requests)
  const sent = requests.get(name) ?? Promise.resolve(make())
  requests.set(name, sent)
  return sent
}

/** One that succeeds, or would if no part of the service failed. */
const successOf = (endpoint: Endpoint, which: string, world: World, key: string) =>
  madeOnce(world, `${endpoint.name} ${which}`, async () => {
    const make = successesOf(endpoint)[which] as Endpoint['alsoSucceeds'][string]
    return make(world, key)
  })

/** A right request that is refused each time, so that all that it is about stays as it is. */
const refusedRequest = (endpoint: Endpoint, world: World) =>
  madeOnce(world, `${endpoint.name} refused`, () => endpoint.request(world))

/** How a case asks: with any bindings but its own. */
type Ask = Case['ask']

function successCases(endpoint: Endpoint): Case[] {
  const { name, success: status, limit } = endpoint
  return Object.keys(successesOf(endpoint)).map((which) => ({
    name: `${name} ${which}`,
    // It creates nothing.
    status: which.startsWith('that is a dry run') ? 200 : status,
    said: null,
    limit,
    async ask(world, bindings) {
      const key = await sharedKey(endpoint, world)
      const sent = await successOf(endpoint, which, world, key)
      return send(endpoint, endpoint.scopes === null ? null : key, sent, { bindings })
    },
  }))
}

function keyedFailures(endpoint: Endpoint): Case[] {
  const { limit, maxBytes } = endpoint
  const failure = (which: string, said: Said, ask: Ask, shown = limit): Case => ({
    name: `${endpoint.name} with ${which}`,
    status: said[0],
    said,
    limit: shown,
    ask,
  })
  /** A right request, changed. */
  const changed = (which: string, said: Said, change: Flaw['change'], hasOwnKey = false) =>
    failure(which, said, async (world, bindings) => {
      const key = await (hasOwnKey ? newKey : sharedKey)(endpoint, world)
      const sent = await change(await endpoint.request(world), world, key)
      return send(endpoint, key, sent, { bindings })
    })
  /** The same, by what is wrong in the request itself. */
  const spoilt = (which: string, said: Said, change: (sent: Sent) => Sent) =>
    failure(which, said, async (world, bindings) => {
      const key = await sharedKey(endpoint, world)
      return send(endpoint, key, change(await refusedRequest(endpoint, world)), { bindings })
    })
  /** A right request, by a key of this kind that has spent so many units. */
  const keyed = (which: string, said: Said, kind: Kind, shown = limit) =>
    failure(
      which,
      said,
      async (world, bindings) => {
        const { spent, ...rights } = kind
        const { id, key } = await makeKey(endpoint, world, rights)
        await spent?.(id)
        return send(endpoint, key, await refusedRequest(endpoint, world), { bindings })
      },
      shown,
    )
  /** What succeeds otherwise, where a part fails, by a key that the isolate remembers. */
  const faulty = (which: string, said: Said, faults: () => Options['bindings'], success = plain) => ({
    ...failure(which, said, async (world) => {
      const key = await sharedKey(endpoint, world, { isKnown: true })
      const sent = await successOf(endpoint, success, world, key)
      return send(endpoint, key, sent, { bindings: faults() })
    }),
    // Whose key is never remembered.
    ...(endpoint.isForOperator && { limit: addressLimit, isFree: true }),
  })
  /** The same, by a key that has to be looked up. */
  const unknown = (which: string, said: Said, faults: () => Options['bindings']) => ({
    ...failure(which, said, async (world) => {
      const key = await newKey(endpoint, world)
      return send(endpoint, key, await refusedRequest(endpoint, world), { bindings: faults() })
    }),
    limit: addressLimit,
    isFree: true,
  })
  const hour = (keyId: string) => spendHour(keyId, 1000)
  const minute = (keyId: string) => spendBulks(keyId, 10)

  const scope = otherScope(endpoint)
  const denial = denialOf(endpoint)
  const denied = isOfCompany(endpoint) ? null : denial
  return [
    failure(
      'no key',
      problems.key,
      async (world, bindings) => send(endpoint, null, await refusedRequest(endpoint, world), { bindings }),
      addressLimit,
    ),
    keyed('a revoked key', problems.key, { revokedAtMs: 1 }, addressLimit),
    keyed('a spent hour', problems.rate, { spent: hour }, 1000),
    ...(limit === 10 ? [keyed('a spent minute', problems.rate, { spent: minute })] : []),
    ...(scope === undefined ? [] : [keyed('a scope that may not', problems.scope, { scope })]),
    ...(maxBytes === undefined
      ? []
      : [
          spoilt('a body of another type', problems.type, asText),
          spoilt('a body too large', problems.size, (sent) => tooLarge(sent, endpoint)),
          spoilt('a body cut short', problems.json, cutShort),
        ]),
    ...endpoint.invalid.map(({ message, code, change }) =>
      spoilt(`what gets: ${message}`, invalid(message, code), change),
    ),
    ...(isOfCompany(endpoint) && denial !== null
      ? [
          failure('a key of one campaign', denial, async (world, bindings) => {
            const { key } = await makeKey(endpoint, world, { campaign: world.campaign })
            return send(endpoint, key, await refusedRequest(endpoint, world), { bindings })
          }),
        ]
      : []),
    ...(denied === null
      ? []
      : [changed('a campaign of another company', denied, async () => endpoint.request(await seedWorld()))]),
    ...[...endpoint.conflicts, ...endpoint.alsoFails].map(({ name, said, change, hasOwnKey }) =>
      changed(name, said, change, hasOwnKey),
    ),
    ...Object.keys(successesOf(endpoint)).map((which) =>
      faulty(`a database that refuses, ${which}`, problems.unavailable, refusing, which),
    ),
    unknown('a database that refuses to look its key up', problems.unavailable, refusing),
    ...(isOfD1('unforeseen') ? [] : [faulty('a failure that nobody foresaw', problems.unforeseen, broken)]),
    unknown('a failure that nobody foresaw in the look-up', problems.unforeseen, broken),
  ]
}

type Kind = Omit<KeyKind, 'companyId'> & { readonly spent?: (keyId: string) => Promise<void> }

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
    { path: '/api/v2/leads', limit: addressLimit },
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
    limit: endpoint.scopes === null ? addressLimit : 1000,
    async ask(world: World, bindings?: Options['bindings']) {
      const { path } = await endpoint.request(world)
      return api(endpoint.scopes === null ? null : world.readKey, { bindings }).request(
        wrongMethodOf(endpoint.path),
        path,
      )
    },
  })),
]

const ofEndpoints = new Map(
  endpoints.map((endpoint) => {
    const failures = endpoint.scopes === null ? keylessFailures(endpoint) : keyedFailures(endpoint)
    return [endpoint.name, [...successCases(endpoint), ...failures]]
  }),
)
