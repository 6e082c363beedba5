// The service's time limits are out of the way in the tests: on a machine that does other work too, a limit would come
// before what a test waits for. Tests of the limits themselves turn them on.
import { afterAll, beforeAll } from 'vitest'
// All of the service first: parts of it read their limit when they are loaded.
import '../../../src/index.ts'
import { waits } from '../../../src/base/limits.ts'

/** As the service has them. */
export const serviceWaits = { ...waits }
const { keyLookUpMs, limiterMs, storeMs, healthCheckMs } = waits
/** No timers either: each trip would keep one, and the runtime refuses more than 10,000 at once in a file's isolate. */
const patientMs = Number.POSITIVE_INFINITY

export function suspendTimeLimits(): void {
  Object.assign(waits, {
    keyLookUpMs: patientMs,
    limiterMs: patientMs,
    storeMs: patientMs,
    healthCheckMs: patientMs,
  })
}

/** For the tests of this describe, or of this file. */
export function withTimeLimits(): void {
  beforeAll(() => void Object.assign(waits, { keyLookUpMs, limiterMs, storeMs, healthCheckMs }))
  afterAll(suspendTimeLimits)
}
