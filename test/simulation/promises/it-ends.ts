// 7. When faults have stopped and the longest lease is over, no lease is past its end, and no call is open without one.
import type { Promised } from './promise.ts'

export const itEnds: Promised = {
  name: 'it ends',

  atEnd({ leads }, company, nowMs, known) {
    const past = leads.find(
      ({ leaseExpiresAtMs }) => leaseExpiresAtMs !== null && leaseExpiresAtMs < nowMs - 120_000,
    )
    if (past !== undefined)
      return `the lease of lead ${past.externalId} is over since ${past.leaseExpiresAtMs}`
    // A lead that is new has the number of one that a restore took, whose call is known.
    if (known.restored.has(company)) return null
    const live = new Set(
      leads.flatMap(({ seq, leaseExpiresAtMs }) => (leaseExpiresAtMs === null ? [] : [seq])),
    )
    const open = known.calls.find((call) => {
      const isOfLead = leads.some(({ seq, erasedAtMs }) => seq === call.seq && erasedAtMs === null)
      return call.company === company && call.outcome === null && isOfLead && !live.has(call.seq)
    })
    return open === undefined ? null : `call ${open.callId} of phone ${open.phone} is open without a lease`
  },
}
