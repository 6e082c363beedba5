// Claims of 10 as a campaign grows: of a thousand and of a million due leads, and behind a million that are not due.
// One request at a time, in turns; ratios are taken within a turn.
import { callingTalk } from '../calling-requests.ts'
import { open, untilServed } from '../connection.ts'
import type { Build, Runtime } from '../runtime.ts'
import { pairedRatio, type Spread, spread } from '../statistics.ts'
import { withRuntime } from '../with-runtime.ts'

const smallLeads = 1_000
const largeLeads = 1_000_000
/** Claims make the small campaign smaller, so they take turns over several of its size. */
const smallCampaigns = 12
const smallId = (number: number) => `small${number % smallCampaigns}`
const dueBehind = 20_000

const smallQueues = Object.fromEntries(
  Array.from({ length: smallCampaigns }, (_, number) => [smallId(number), smallLeads]),
)
/** `behind`: leads that are due stand behind a million that are not. */
const behindSeed = { behind: { due: dueBehind, ahead: largeLeads } }
const largeQueues = { large: largeLeads, ...behindSeed }

type Side = { readonly worker: string; readonly campaign: (number: number) => string }
const smallSide: Side = { worker: 'small', campaign: smallId }
const largeSide: Side = { worker: 'large', campaign: () => 'large' }
const behindSide: Side = { worker: 'large', campaign: () => 'behind' }
const peerBehindSide: Side = { worker: 'peer', campaign: () => 'behind' }

type Claims = { readonly ms: Spread; readonly toFirst: Spread }

/**
 * Of ours and the floor from the small to the large campaign, and of ours and the peer behind leads that are not due.
 */
export type ClaimGrowth = Readonly<Record<'sizes' | 'behind' | 'floorSizes', readonly Claims[]>>

const samples = 180

export async function measureClaimGrowth({
  ours,
  peer,
  floor,
}: Readonly<Record<'ours' | 'peer' | 'floor', Build>>): Promise<ClaimGrowth> {
  const own = {
    small: { build: ours, campaigns: smallQueues },
    large: { build: ours, campaigns: largeQueues },
    peer: { build: peer, campaigns: behindSeed },
  }
  const growth = await withRuntime(own, async (runtime) => ({
    sizes: await measureClaims(runtime, [smallSide, largeSide]),
    behind: await measureClaims(runtime, [behindSide, peerBehindSide], samples / 3),
  }))
  const floors = {
    small: { build: floor, campaigns: smallQueues },
    large: { build: floor, campaigns: { large: largeLeads } },
  }
  const floorSizes = await withRuntime(floors, (runtime) => measureClaims(runtime, [smallSide, largeSide]))
  return { ...growth, floorSizes }
}

/** The first of a campaign computes its openings. */
const warmingClaims = 2 * smallCampaigns

/** Times of a claim of 10, of all sides in turns, and each side's ratio to the first, taken within a turn. */
async function measureClaims(runtime: Runtime, sides: readonly Side[], count = samples): Promise<Claims[]> {
  const connect = async (side: Side) => {
    const connection = await open(runtime.workers.get(side.worker)?.port as number)
    return { side, connection, ms: [] as number[] }
  }
  const clients = await Promise.all(sides.map(connect))
  for (let number = 0; number < warmingClaims + count; number++) {
    for (const { side, connection, ms } of clients) {
      const talk = callingTalk({ path: 'claim', campaignId: side.campaign(number), calls: 10 }, 0)
      const request = talk.request(number) as Buffer
      const startedAt = performance.now()
      const { body } = await untilServed(connection, () => connection.sendForBody(request))
      const tookMs = performance.now() - startedAt
      talk.read(body)
      if (number >= warmingClaims) ms.push(tookMs)
    }
  }
  for (const { connection } of clients) connection.close()
  const first = clients[0]?.ms as number[]
  return clients.map(({ ms }) => ({ ms: spread(ms), toFirst: pairedRatio(ms, first) }))
}
