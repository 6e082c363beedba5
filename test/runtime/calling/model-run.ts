// What both have done so far, in the database and in the model.
import { changeSettings, defaultSettings } from '../../../src/queue/campaigns/settings.ts'
import { type CallingWorld, seedCallingWorld } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { newPhones } from '../../support/world.ts'
import { type Action, phoneCount, settings, startMs } from './model-actions.ts'
import type * as model from './naive-scheduler.ts'

export async function seedRun() {
  const first = await seedCallingWorld(settings[0])
  const second = await first.another()
  // One is always open until its settings change, the other keeps office hours.
  await second.change({ ...settings[1], ...settings.at(-1) })
  const campaigns = [first, second]
  // The last one is the one before it, in another spelling.
  const own = newPhones(phoneCount - 1)
  const twin = own.pop()?.slice(-8) ?? ''
  const phones = [...own, `+5255${twin}`, `+52155${twin}`]
  const state: model.ModelState = {
    leads: [],
    calls: [],
    suppressed: new Set(),
    consents: new Map(),
    sent: [],
    returning: [false, true],
    placed: 0,
    settings: [
      settings.slice(0, 1).reduce(changeSettings, defaultSettings),
      [...settings.slice(0, 2), ...settings.slice(-1)].reduce(changeSettings, defaultSettings),
    ],
    pacedUntilUs: campaigns.map(() => 0),
    begunAtMs: campaigns.map(() => []),
  }
  const leadIds = new Map<model.ModelLead, string>()
  const claims: {
    claimedAtMs: number
    key: { requestKey: string; requestToken: string }
    campaign: number
    maxCalls: number
    leaseSeconds: number | null
    calls: model.ModelCall[]
  }[] = []
  const highestMaximum = [3, 3]
  /** Of each campaign: since when its leads may be called, and how long those that were claimed have waited. */
  const callableSinceMs = [0, 0]
  const waitedMs: number[][] = [[], []]
  await companyDb.prepare('update calling_settings set callable_since_ms = 0').run()
  return {
    first,
    campaigns,
    phones,
    state,
    leadIds,
    claims,
    highestMaximum,
    callableSinceMs,
    waitedMs,
    nowMs: startMs,
  }
}

export type Run = Awaited<ReturnType<typeof seedRun>>

/** What takes time is in model.test.ts. */
export type Kind = Exclude<Action['do'], 'await' | 'wait' | 'waitFor'>
export type Act<Done extends Kind> = (
  run: Run,
  action: Extract<Action, { do: Done }>,
  db: D1Database,
) => Promise<void>

export const campaignAt = ({ campaigns }: Run, index: number) => campaigns[index] as CallingWorld

/** Counted from the latest. */
export const pick = <Value>(values: readonly Value[], which: number): Value | undefined =>
  values[values.length - 1 - (which % Math.max(1, values.length))]
