// The same companies twice in one runtime: all in D1, and each with a store of its own. The same Worker for both.
import { databaseWithShortcuts } from '../support/companies/own-store.ts'
import { type Build, type RunningWorker, type Runtime, type StartOptions, start } from './runtime.ts'
import { type Campaigns, seed } from './subjects.ts'

export const sides = ['d1', 'own'] as const
export type Side = (typeof sides)[number]
export type OfSides<T> = Readonly<Record<Side, T>>

export async function withStores<T>(
  build: Build,
  campaigns: Campaigns,
  use: (runtime: Runtime) => Promise<T>,
  { companies = 1, ...options }: StartOptions & { readonly companies?: number } = {},
): Promise<T> {
  const runtime = await start({ d1: { build }, own: { build } }, options)
  try {
    const [d1, own] = sides.map((side) => runtime.workers.get(side)) as [RunningWorker, RunningWorker]
    await seed(d1.db, 'project', campaigns, { count: companies, storeOf: null })
    const storeOf = (name: string) => databaseWithShortcuts(own.sendTo(name))
    await seed(own.db, 'project', campaigns, { count: companies, storeOf })
    return await use(runtime)
  } finally {
    await runtime.stop()
  }
}
