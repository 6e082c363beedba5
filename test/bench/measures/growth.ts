// What the size of a campaign costs, but for claims (claims.ts): the same requests against one of 1,000 leads and one
// of 1,000,000, each in a database of its own, one request at a time and in turns.
import { requestMaker } from '../requests.ts'
import type { Build, Runtime } from '../runtime.ts'
import { type Spread, spread } from '../statistics.ts'
import { withRuntime } from '../with-runtime.ts'
import { readAnswer } from './single-request.ts'

const smallLeads = 1_000
const largeLeads = 1_000_000
/** Creates make a small campaign larger, so they take turns over several of its size. */
const smallCampaigns = 12

const smallId = (number: number) => `small${number}`
const smallSeed = Object.fromEntries(
  Array.from({ length: smallCampaigns }, (_, number) => [smallId(number), smallLeads]),
)
const largeSeed = { large: largeLeads }

export type Growth = {
  readonly measure: string
  readonly smallMs: Spread
  readonly largeMs: Spread
  readonly ratio: number
}

export function measureGrowth(build: Build): Promise<Growth[]> {
  const workers = { small: { build, campaigns: smallSeed }, large: { build, campaigns: largeSeed } }
  return withRuntime(workers, compareSizes)
}

async function compareSizes(runtime: Runtime): Promise<Growth[]> {
  const port = (name: string) => runtime.workers.get(name)?.port as number
  const sides = [
    { port: port('small'), campaign: (number: number) => smallId(number % smallCampaigns) },
    { port: port('large'), campaign: () => 'large' },
  ]
  let number = 1
  async function compare(
    measure: string,
    samples: number,
    request: (campaignId: string, number: number) => Buffer,
    untilBytes?: number,
  ): Promise<Growth> {
    const times: [number[], number[]] = [[], []]
    for (let sample = -5; sample < samples; sample++) {
      for (const [side, { port, campaign }] of sides.entries()) {
        const { ms } = await readAnswer(port, request(campaign(number), number), untilBytes)
        number++
        if (sample >= 0) times[side]?.push(ms)
      }
    }
    const [smallMs, largeMs] = times.map(spread) as [Spread, Spread]
    return { measure, smallMs, largeMs, ratio: largeMs.median / smallMs.median }
  }

  const list = (campaignId: string, number: number) => requestMaker({ path: 'list', campaignId })(number)
  const whole = await readAnswer(port('small'), list(smallId(0), 0))
  return [
    await compare('create', 300, (campaignId, number) =>
      requestMaker({ path: 'create', campaignId })(number),
    ),
    await compare('first 1000 of a list', 30, list, whole.bytes * 0.98),
  ]
}
