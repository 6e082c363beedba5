// A campaign with a dialer whose provider says of each call what the test tells it to, and takes hang-ups without any
// effect.
import { seedDialling } from './dialling.ts'

export async function seedSaying(options: Parameters<typeof seedDialling>[0] = {}) {
  /** Of each call by its id: `p1`, `p2`, and so on. One that is not there talks. */
  const says = new Map<string, object>()
  const hangUps: { readonly id: string; readonly atMs: number }[] = []
  let started = 0
  const world = await seedDialling({
    ...options,
    sendWith: (now) => async (url) => {
      const [, , id = '', isEnd] = new URL(url).pathname.split('/')
      if (id === '') return Response.json({ id: `p${++started}` }, { status: 201 })
      if (isEnd === undefined) return Response.json(says.get(id) ?? { state: 'talking' })
      hangUps.push({ id, atMs: now() })
      return Response.json({})
    },
  })
  return {
    ...world,
    says,
    /** In seconds, between the hang-ups of a call; null: there was none. */
    gapsOf(id: string): readonly number[] | null {
      const times = hangUps.filter((one) => one.id === id).map(({ atMs }) => atMs / 1000)
      return times.length === 0 ? null : times.slice(1).map((at, index) => at - (times[index] ?? 0))
    },
  }
}
