// The database that test files share, one or another, with all migrations applied; and receivers of webhooks in place
// of the Internet.
import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { lookUpsPerIsolate } from '../src/base/access/key-memory.ts'
import { waits } from '../src/base/limits.ts'
import { firstReservedNumber } from './support/database/seed.ts'
import { storeName } from './support/database/store.ts'
import { countInMemory } from './support/rate-limits/quick-limiters.ts'
import { importMainModuleOnce } from './support/run/main-module.ts'
import { suspendTimeLimits } from './support/run/patience.ts'
import { silenceLog } from './support/run/silent-log.ts'
import { replaceInternet } from './support/webhooks/receiver.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: D1Migration[]
      /** `own`: companies of tests live in a store of their own (support/store.ts). */
      TEST_STORE: string
    }
  }
}

importMainModuleOnce()
countInMemory()
suspendTimeLimits()
silenceLog()
replaceInternet()
// The suite looks up more keys in a minute than all clients of an isolate may. attack/flood.test.ts has the real limit.
Object.assign(lookUpsPerIsolate, { limit: 1_000_000 })
// How keys are used is written within the tests of that alone (runtime/keys.test.ts), and not in the middle of another.
Object.assign(waits, { keyUseMs: 3_600_000 })
// Once for all files of a runtime.
const runtime = globalThis as { isMigrated?: true }
if (runtime.isMigrated === undefined) await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
runtime.isMigrated = true
if (storeName !== null) await reserveFrom(firstReservedNumber)

/** Seeded campaigns are not in the directory. */
async function reserveFrom(number: number): Promise<void> {
  await env.DB.prepare('update campaign_numbers set last = max(last, ?1)').bind(number).run()
}
