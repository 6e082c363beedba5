// Claims and reports: the rows that they join the comparison with, what they cost when a campaign is large or when leads
// that are not due stand before those that are, and the rows and trips of each.
import { type CallingKind, callingTalk, type Talk } from '../calling-requests.ts'
import { open } from '../connection.ts'
import type { Trips } from '../far/far-from-home.ts'
import type { Runtime } from '../runtime.ts'
import { pairedRatio, type Spread, spread } from '../statistics.ts'
import { keyCount } from '../subjects.ts'
import { timed } from './far.ts'
import { contenders, type Endpoint } from './throughput.ts'

const campaignId = 'calls'

/** More than a run claims. */
export const callingSeed = { [campaignId]: 800_000 }

const report = (calls: number, requests: number): Endpoint<CallingKind> => ({
  name: `report of ${calls}`,
  kind: { path: 'report', campaignId, calls, requests },
})
const claim = (calls: number): Endpoint<CallingKind> => ({
  name: `claim of ${calls}`,
  kind: { path: 'claim', campaignId, calls },
})

/** Calls of one request of the last two: the measure for leads a second. */
export const callsPerRound = 10
const agent = { path: 'agent', campaignId, calls: callsPerRound } as const
export const inOneRequest = 'claim + report of 10'
export const inTwoRequests = 'claim, report of 10'

export const callingEndpoints: readonly Endpoint<CallingKind>[] = [
  claim(1),
  claim(10),
  claim(100),
  report(1, 300),
  report(100, 30),
  { name: inOneRequest, kind: { ...agent, requestsPerRound: 1 } },
  { name: inTwoRequests, kind: { ...agent, requestsPerRound: 2 } },
]

/** One alone first: it computes the campaign's openings. */
export const callingWarmUp = [
  [{ path: 'claim', campaignId, calls: 1 }, 1],
  [{ path: 'claim', campaignId, calls: 1 }, keyCount],
  [{ ...agent, requestsPerRound: 2 }, keyCount],
  [{ ...agent, requestsPerRound: 1 }, keyCount],
] as const

const smallLeads = 1_000
export const largeLeads = 1_000_000
/** Claims make the small campaign smaller, so they take turns over several of its size. */
const smallCampaigns = 12
const smallId = (number: number) => `small${number % smallCampaigns}`
const dueBehind = 20_000

export const smallQueues = Object.fromEntries(
  Array.from({ length: smallCampaigns }, (_, number) => [smallId(number), smallLeads]),
)
/** `behind`: leads that are due stand behind a million that are not. */
export const behindSeed = { behind: { due: dueBehind, ahead: largeLeads } }
export const largeQueues = { large: largeLeads, ...behindSeed }

export type Side = { readonly worker: string; readonly campaign: (number: number) => string }
export const smallSide: Side = { worker: 'small', campaign: smallId }
export const largeSide: Side = { worker: 'large', campaign: () => 'large' }
export const behindSide: Side = { worker: 'large', campaign: () => 'behind' }
export const peerBehindSide: Side = { worker: 'peer', campaign: () => 'behind' }

/** The first of a campaign computes its openings. */
const warmingClaims = 2 * smallCampaigns

/** Times of a claim of 10, of all sides in turns, and each side's ratio to the first, taken within a turn. */
export async function measureClaims(
  runtime: Runtime,
  sides: readonly Side[],
  samples: number,
): Promise<{ readonly ms: Spread; readonly toFirst: Spread }[]> {
  const connect = async (side: Side) => {
    const connection = await open(runtime.workers.get(side.worker)?.port as number)
    return { side, connection, ms: [] as number[] }
  }
  const clients = await Promise.all(sides.map(connect))
  for (let number = 0; number < warmingClaims + samples; number++) {
    for (const { side, connection, ms } of clients) {
      const talk = callingTalk({ path: 'claim', campaignId: side.campaign(number), calls: 10 }, 0)
      const request = talk.request(number) as Buffer
      const startedAt = performance.now()
      const { body } = await connection.sendForBody(request)
      const tookMs = performance.now() - startedAt
      talk.read(body)
      if (number >= warmingClaims) ms.push(tookMs)
    }
  }
  for (const { connection } of clients) connection.close()
  const first = clients[0]?.ms as number[]
  return clients.map(({ ms }) => ({ ms: spread(ms), toFirst: pairedRatio(ms, first) }))
}

export type Cost = {
  readonly what: string
  readonly worker: string
  readonly ms: number
  readonly trips: Trips
}

/** Far from home, with 10 calls a request. */
export async function measureCosts(runtime: Runtime, samples: number): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const worker of contenders) {
    const port = runtime.workers.get(worker)?.port as number
    const ask = async (talk: Talk) => {
      const answer = await timed(port, talk.request(0) as Buffer)
      talk.read(answer.body)
      return answer
    }
    const apart = callingTalk({ ...agent, requestsPerRound: 2 }, port)
    const together = callingTalk({ ...agent, requestsPerRound: 1 }, port)
    await ask(together)
    const answers = [
      { what: 'claim of 10', talk: apart },
      { what: 'report of 10', talk: apart },
      { what: inOneRequest, talk: together },
    ].map((asked) => ({ ...asked, ms: [] as number[], trips: [] as Trips[] }))
    for (let sample = 0; sample < samples; sample++) {
      for (const { talk, ms, trips } of answers) {
        const answer = await ask(talk)
        ms.push(answer.ms)
        trips.push(answer.trips)
      }
    }
    for (const { what, ms, trips } of answers) {
      costs.push({ what, worker, ms: spread(ms).median, trips: trips.at(-1) as Trips })
    }
  }
  return costs
}
