// The service's time limits out of the way, for tests in which it waits in real time for something else than a limit: on
// a machine that does other things too, a limit would come first. What a limit does is told in
// test/runtime/faults.test.ts.
import { afterAll, beforeAll } from 'vitest'
// All of the service first: parts of it read their limit when they are loaded.
import '../../src/index.ts'
import { waits } from '../../src/limits.ts'

const { keyLookUpMs, limiterMs, storeMs } = waits
const patientMs = 25_000

/** For the tests of this file, or of this describe. */
export function patientService(): void {
  beforeAll(() => {
    Object.assign(waits, { keyLookUpMs: patientMs, limiterMs: patientMs, storeMs: patientMs })
  })
  afterAll(() => {
    Object.assign(waits, { keyLookUpMs, limiterMs, storeMs })
  })
}
