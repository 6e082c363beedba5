// `npm run simulate -- --planted`: for each planted fault, short worlds until one of them finds it.
import type { ChildProcess } from 'node:child_process'
import type { Done, Message, Order } from '../process.ts'
import { hexOf } from '../story.ts'
import type { PlantedFault } from './fault.ts'

/** Of those that a world can find. */
const leastShare = 0.85

/** `3/10`: the third, the thirteenth, and so on; `test`: those of `npm test`; `dialers`: those in files named so. */
export function partOf(values: readonly PlantedFault[], part: string | undefined): readonly PlantedFault[] {
  if (part === undefined) return values
  if (part === 'test') return values.filter(({ isOfTest }) => isOfTest)
  if (!/^\d+\/\d+$/.test(part)) return values.filter(({ file }) => file.includes(part))
  const [place = 0, parts = 1] = part.split('/').map(Number)
  return values.filter((_, index) => index % parts === (place - 1) % parts)
}

type Seeking = { readonly first: number; readonly mostWorlds: number }

/** In as many processes as `children`. Returns whether enough are found. */
export async function findPlanted(
  faults: readonly PlantedFault[],
  children: readonly ChildProcess[],
  seeking: Seeking,
): Promise<boolean> {
  const say = (words: string) => process.stdout.write(`${words}\n`)
  const left = faults.filter(({ unfound }) => unfound === undefined).values()
  let [sought, found] = [0, 0]
  const seekAll = async (child: ChildProcess) => {
    for (const fault of left) {
      const done = await seek(child, fault, seeking)
      sought++
      if (done !== null) found++
      say(`${done === null ? 'not found' : `${hexOf(done.seed)} ${done.broken?.promise}`}: ${fault.story}`)
    }
    child.disconnect()
  }
  await Promise.all(children.map(seekAll))
  for (const { story, unfound } of faults)
    if (unfound !== undefined) say(`cannot be found: ${story} ${unfound}`)
  say(`${found} of ${sought} planted faults found`)
  return found >= leastShare * sought
}

/** Null: no world finds it. */
async function seek(
  child: ChildProcess,
  { file, find, replace }: PlantedFault,
  { first, mostWorlds }: Seeking,
): Promise<Done | null> {
  for (let world = 0; world < mostWorlds; world++) {
    const done = await runWith(child, { planted: { file, find, replace }, seed: first + world })
    if (done.broken !== null) return done
  }
  return null
}

function runWith(child: ChildProcess, { planted, seed }: Pick<Order, 'planted' | 'seed'>): Promise<Done> {
  const order: Order = {
    ...{ planted, seed, story: null, mustShrink: false, mustWatch: false },
    plan: { isLong: false, only: [] },
  }
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process has ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message: Message) => {
      child.off('exit', onExit)
      if ('done' in message) resolve(message.done)
    })
    child.send(order)
  })
}
