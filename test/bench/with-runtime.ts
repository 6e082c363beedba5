// A runtime of some Workers with their tables and what is seeded in them, for the time that it is used.
import { join } from 'node:path'
import {
  type Build,
  benchDir,
  type RunningWorker,
  type Runtime,
  type StartOptions,
  start,
} from './runtime.ts'
import { type Campaigns, seed } from './subjects.ts'

export async function withRuntime<T>(
  workers: Record<string, { build: Build; campaigns?: Campaigns; objectsOf?: string }>,
  use: (runtime: Runtime) => Promise<T>,
  options?: StartOptions,
): Promise<T> {
  const tables = (name: string) => (name === 'peer' ? 'peer' : 'project')
  const setups = Object.entries(workers).map(([name, { build, objectsOf }]) => [
    name,
    { build, objectsOf, ...(name === 'peer' && { migrationsDir: join(benchDir, 'peer') }) },
  ])
  const runtime = await start(Object.fromEntries(setups), options)
  try {
    for (const [name, { campaigns }] of Object.entries(workers)) {
      const { db } = runtime.workers.get(name) as RunningWorker
      if (campaigns !== undefined) await seed(db, tables(name), campaigns)
    }
    return await use(runtime)
  } finally {
    await runtime.stop()
  }
}
