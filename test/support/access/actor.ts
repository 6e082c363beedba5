// Who does something in tests that speak to the store: as a request with this key would.
import { numberHashes } from '../../../src/base/ledger/suppression/number-hash.ts'

/** The company matters to what is searched. */
export const asKey = (keyId: string, nowMs: number, companyId = '') => ({
  keyId,
  companyId,
  actor: keyId,
  requestId: null,
  nowMs,
})

/** As the Worker of the tests has it (vitest.config.ts). */
const testPepper = 'pepper of the tests'

export const hashesIn = (companyId: string) => numberHashes(testPepper, companyId)

/** As of a Worker that has no pepper. */
export const noHashes = numberHashes(undefined, '')
