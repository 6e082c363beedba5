// A process that runs worlds, one after the other, as simulate.ts asks for them.

import { runWhole } from './compare.ts'
import { bundle, type Planted, type Program } from './platform/isolate.ts'
import { watched } from './platform/watch.ts'
import { shrink } from './shrink.ts'
import { type PlanOptions, planStory, type Story } from './story.ts'
import type { Broken } from './world.ts'

export type Order = {
  /** A story that was kept, or one to plan. */
  readonly story: Story | null
  readonly seed: number
  readonly plan: PlanOptions
  readonly planted: Planted | null
  readonly mustShrink: boolean
  /** Whether something goes past the agenda. */
  readonly mustWatch: boolean
}

export type Done = {
  readonly seed: number
  readonly digest: string
  readonly actions: number
  readonly requests: number
  readonly faults: readonly (readonly [name: string, count: number])[]
  readonly operations: readonly string[]
  readonly broken: Broken | null
  readonly cpuMs: number
}
/** First what was done, then the shortest story that breaks the promise, if any. */
export type Message = { readonly done: Done } | { readonly shortest: Story; readonly broken: Broken }

// What the Worker leaves behind rejects when its world is over: workerd would write it to its log.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())

let made: { readonly of: string; readonly program: Program } | null = null

async function programWith(planted: Planted | null): Promise<Program> {
  const of = JSON.stringify(planted)
  if (made?.of !== of) made = { of, program: await bundle(planted) }
  return made.program
}

process.on('message', (order: Order) => {
  carryOut(order).catch((error) => {
    console.error(error)
    process.exit(1)
  })
})

async function carryOut({ story: kept, seed, plan, planted, mustShrink, mustWatch }: Order): Promise<void> {
  const program = await programWith(planted)
  const beganAt = process.cpuUsage()
  const story = kept ?? planStory(seed, plan)
  const run = () => runWhole(program, story)
  const [ended, passedBy] = mustWatch ? await watched(run) : [await run(), null]
  const { digest, requests, faults, operations } = ended
  const broken =
    passedBy === null ? ended.broken : { promise: 'nothing goes past the agenda', says: passedBy, action: -1 }
  const { user, system } = process.cpuUsage(beganAt)
  const done: Done = {
    ...{ seed: story.seed, digest, actions: story.actions.length, requests, broken },
    ...{ faults: [...faults], operations: [...operations], cpuMs: (user + system) / 1000 },
  }
  send({ done })
  if (broken === null || !mustShrink) return
  const shorter = await shrink({ story, broken }, async (each) => (await runWhole(program, each)).broken)
  send({ shortest: shorter.story, broken: shorter.broken })
}

const send = (message: Message) => void process.send?.(message)
