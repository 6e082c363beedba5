// Makes a story shorter that breaks a promise: takes out what it breaks it without, in this order: faults,
// interleaving, companies, people, halves of the actions and smaller parts.
import type { Story } from './story.ts'
import type { Broken } from './world.ts'

const [mostRuns, mostMs] = [300, 60_000]

type Found = { readonly story: Story; readonly broken: Broken }

/** `run` returns what breaks. The story that is returned breaks the same promise. */
export async function shrink(first: Found, run: (story: Story) => Promise<Broken | null>): Promise<Found> {
  const endsAtMs = Date.now() + mostMs
  let found = cutAfter(first)
  let runs = 0

  const attempt = async (story: Story): Promise<boolean> => {
    if (runs >= mostRuns || Date.now() > endsAtMs) return false
    runs++
    const broken = await run(story)
    if (broken?.promise !== first.broken.promise) return false
    found = cutAfter({ story, broken })
    return true
  }
  const attemptWithout = (isOut: (action: Story['actions'][number]) => boolean) => {
    const left = found.story.actions.filter((action) => !isOut(action))
    return left.length < found.story.actions.length ? attempt({ ...found.story, actions: left }) : false
  }

  if (found.story.faults.length > 0 && !(await attempt({ ...found.story, faults: [] })))
    for (const fault of found.story.faults)
      await attempt({ ...found.story, faults: found.story.faults.filter((one) => one !== fault) })
  if (found.story.interleaving > 0) await attempt({ ...found.story, interleaving: 0 })
  for (const index of found.story.cast.companies.keys())
    await attemptWithout((action) => action.with.company === index)
  for (const who of new Set(found.story.actions.map((action) => action.who)))
    await attemptWithout((action) => action.who === who)
  for (let size = Math.ceil(found.story.actions.length / 2); ; size = Math.ceil(size / 2)) {
    for (let from = 0; from < found.story.actions.length; ) {
      const out = new Set(found.story.actions.slice(from, from + size))
      if (!(await attemptWithout((action) => out.has(action)))) from += size
    }
    if (size === 1) return found
  }
}

/** Nothing after it belongs to it. */
const cutAfter = ({ story, broken }: Found): Found => ({
  story: { ...story, actions: story.actions.filter(({ n }) => n <= broken.action || broken.action === -1) },
  broken,
})
