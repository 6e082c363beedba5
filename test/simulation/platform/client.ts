// The client for TypeScript as it is: `runAgent` for people who work with it, `verifyWebhook` for receivers. Its clock
// and timers are the agenda's, and it has no network: who uses it gives it a `fetch`.
import type { Agenda } from './agenda.ts'
import type { Program } from './isolate.ts'
import { ownedBy } from './owned.ts'

export type Client = typeof import('../../../src/sdk/src/lead-intake.ts')

export function createClient({ client: program }: Program, agenda: Agenda): Client {
  const module = { exports: {} as Client }
  program({ ...ownedBy(agenda, () => {}).values, module, fetch: undefined, globalThis: undefined } as never)
  return module.exports
}
