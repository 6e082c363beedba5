// The bells of campaigns in tests: how many wait, and rings that are noted, dropped, doubled or delayed.
import { env } from 'cloudflare:workers'
import { scheduler } from 'node:timers/promises'
import { companyDb } from '../database/store.ts'
import type { Campaign } from '../world.ts'

export const bellOf = ({ companyId, number }: Campaign) =>
  env.CAMPAIGN_BELLS.getByName(`${companyId}/${number}`)

/**
 * Until so many claims wait, or `signal` ends it. Not by vi.waitFor: whatever it polls moves the stopped clock of a
 * test that runs by then.
 */
export async function untilWaiting(campaign: Campaign, count: number, signal?: AbortSignal): Promise<void> {
  for (let waiting = -1, looks = 0; waiting !== count && !signal?.aborted; looks++) {
    if (looks > 3_000) throw new Error(`${waiting} wait`)
    waiting = await bellOf(campaign).countWaiting()
    if (waiting !== count) await scheduler.wait(20)
  }
}

export type RingCall = { readonly name: string; readonly count: number; readonly momentMs: number | null }

/** What becomes of a ring; `run` is the ring itself. */
type Behaviour = (run: () => Promise<unknown>, call: RingCall) => Promise<unknown>

/** What may become of every ring. */
export const rings = {
  rung: (run: () => Promise<unknown>) => run(),
  doubled: async (run: () => Promise<unknown>) => {
    await run()
    return run()
  },
  delayed: async (run: () => Promise<unknown>) => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    return run()
  },
  dropped: async () => ({ rung: 0, left: 0 }),
}

/** The real bells, whose rings are noted. */
export function watchedBells(behave: Behaviour = (run) => run()) {
  const rings: RingCall[] = []
  const registered: string[] = []
  const getByName = (name: string) => ({
    fetch(url: string, init: RequestInit) {
      registered.push(name)
      return env.CAMPAIGN_BELLS.getByName(name).fetch(url, init)
    },
    ring(count: number, momentMs: number | null) {
      const call = { name, count, momentMs }
      rings.push(call)
      return behave(async () => env.CAMPAIGN_BELLS.getByName(name).ring(count, momentMs), call)
    },
    countWaiting: async () => env.CAMPAIGN_BELLS.getByName(name).countWaiting(),
  })
  return { CAMPAIGN_BELLS: { getByName } as unknown as typeof env.CAMPAIGN_BELLS, rings, registered }
}

/** A request of this campaign's rings, by its name. */
export const nameOf = ({ companyId, number }: Campaign) => `${companyId}/${number}`

/** As if agents waited for the campaign. */
export async function setWaitedFor({ number }: Campaign, untilMs = Date.now() + 3_600_000): Promise<void> {
  await companyDb
    .prepare('update calling_settings set waited_for_until_ms = ?2 where campaign_number = ?1')
    .bind(number, untilMs)
    .run()
}
