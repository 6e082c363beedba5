// The database that test files share, one or another, with all migrations applied; and receivers of webhooks in place of
// the Internet.
import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { importMainModuleOnce } from './support/main-module.ts'
import { quietLog } from './support/quiet-log.ts'
import { replaceInternet } from './support/receiver.ts'

declare global {
  namespace Cloudflare {
    interface Env {
      TEST_MIGRATIONS: D1Migration[]
    }
  }
}

importMainModuleOnce()
quietLog()
replaceInternet()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
