// What is measured under load: each endpoint with its request and its goals, and what the databases start with.
// `npm run bench`, compare.ts and profile.ts know it by the same names.
import type { CallingKind } from './calling-requests.ts'
import type { RequestKind } from './requests.ts'
import { addressCount, keyCount, spentKey } from './subjects.ts'

export type Kind = RequestKind | CallingKind

export type Endpoint = {
  readonly name: string
  readonly kind: Kind
  /** At least: floor / ours by processor time and ours / peer by requests per second. */
  readonly goals: { readonly floor: number; readonly peer?: number }
}

export const refused: RequestKind = { path: 'refused', campaignId: 'list50', key: spentKey }

/** Leads of each campaign. */
const leadCampaigns = { create: 0, bulk: 0, list50: 50, list1000: 1000 }
/** More than a run claims. */
const callCampaigns = { calls: 800_000 }

const campaignId = 'calls'
/** Reports what it has claimed, and claims as many. */
export const agent = { path: 'agent', campaignId, calls: 10 } as const
const report = (calls: number, requests: number) => ({ path: 'report', campaignId, calls, requests }) as const

const ofLeads: readonly Endpoint[] = [
  { name: 'create', kind: { path: 'create', campaignId: 'create' }, goals: { floor: 0.85, peer: 2.2 } },
  { name: 'list of 50', kind: { path: 'list', campaignId: 'list50' }, goals: { floor: 0.9, peer: 2.2 } },
  { name: 'list of 1000', kind: { path: 'list', campaignId: 'list1000' }, goals: { floor: 1, peer: 1.8 } },
  {
    name: 'bulk of 1000',
    kind: { path: 'bulk', campaignId: 'bulk', leads: 1000, metadataBytes: 214 },
    goals: { floor: 0.85, peer: 0.9 },
  },
  { name: 'health', kind: { path: 'health' }, goals: { floor: 0.85, peer: 1.1 } },
  { name: 'refused', kind: refused, goals: { floor: 0.75 } },
]
const ofCalls: readonly Endpoint[] = [
  { name: 'claim of 10', kind: { path: 'claim', campaignId, calls: 10 }, goals: { floor: 0.75, peer: 2 } },
  { name: 'report of 10', kind: report(10, 150), goals: { floor: 0.75, peer: 2 } },
  { name: 'report of 100', kind: report(100, 50), goals: { floor: 0.75, peer: 2 } },
  {
    name: 'claim + report of 10',
    kind: { ...agent, requestsPerRound: 1 },
    goals: { floor: 0.75, peer: 2.2 },
  },
]

export type Group = {
  readonly endpoints: readonly Endpoint[]
  readonly campaigns: Readonly<Record<string, number>>
  /** Requests of each Worker before anything is timed. */
  readonly warmUp: readonly (readonly [kind: Kind, requests: number])[]
}

/** Keys and addresses get their Durable Objects, and the code its optimised form. */
export const leadGroup: Group = {
  endpoints: ofLeads,
  campaigns: leadCampaigns,
  warmUp: [
    [{ path: 'list', campaignId: 'list50' }, keyCount],
    [{ path: 'health' }, addressCount],
    [{ path: 'bulk', campaignId: 'bulk', leads: 1, metadataBytes: 60 }, keyCount],
    [{ path: 'create', campaignId: 'create' }, keyCount],
  ],
}
/** One claim alone first: it computes the campaign's openings. */
export const callGroup: Group = {
  endpoints: ofCalls,
  campaigns: callCampaigns,
  warmUp: [
    [{ path: 'claim', campaignId, calls: 1 }, 1],
    [{ path: 'claim', campaignId, calls: 1 }, keyCount],
    [{ ...agent, requestsPerRound: 2 }, keyCount],
    [{ ...agent, requestsPerRound: 1 }, keyCount],
  ],
}

const groups = [leadGroup, callGroup]

export const endpointNames = groups.flatMap(({ endpoints }) => endpoints.map(({ name }) => name))

/** Those of the names, in their order, with what they need. */
export function findEndpoints(names: readonly string[]): Group {
  const endpoints = names.map((name) => {
    const found = groups.flatMap((group) => group.endpoints).find((endpoint) => endpoint.name === name)
    if (found === undefined) throw new Error(`no endpoint ${name}; there are: ${endpointNames.join(', ')}`)
    return found
  })
  const needed = groups.filter((group) => endpoints.some((endpoint) => group.endpoints.includes(endpoint)))
  return {
    endpoints,
    campaigns: Object.assign({}, ...needed.map(({ campaigns }) => campaigns)),
    warmUp: needed.flatMap(({ warmUp }) => warmUp),
  }
}
