// 4a. A call rings once, at its own phone, and one that has rung is no call that nobody dialled.
import { phoneOf } from '../cast.ts'
import type { Promised } from './promise.ts'

export const ringsOnce: Promised = {
  name: 'rings once',

  onLook(_, __, known) {
    const rung = new Set<string>()
    for (const { callId, phoneNumber } of known.rung) {
      if (rung.has(callId)) return `call ${callId} was started twice`
      rung.add(callId)
      const call = known.calls.find((one) => one.callId === callId)
      if (call?.outcome === 'released')
        return `call ${callId} has rung, and counts as one that nobody dialled`
      const isTest = callId.startsWith('test-')
      if (!isTest && phoneOf(known.cast, phoneNumber) !== call?.phone)
        return `call ${callId} rang another phone`
    }
    return null
  },
}
