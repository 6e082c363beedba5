// 4g. A lead has a lease and the open call of its last claim, or neither; what is over is not extended; and no two
// calls of a number begin in the same moment, by which they are told apart.
import type { Promised } from './promise.ts'

export const oneOpenCall: Promised = {
  name: 'one open call',

  onCall(call, known) {
    const twin = known.calls.find(
      (one) =>
        one !== call &&
        one.company === call.company &&
        one.phoneNumber === call.phoneNumber &&
        one.claimedAtMs === call.claimedAtMs,
    )
    return twin === undefined ? null : `two calls of phone ${call.phone} begin in the same moment`
  },

  onMove({ before, after, company, phone, exchange }, { calls, jumpedMs }) {
    if (after.erasedAtMs !== null) return null
    const [wasMs, isMs] = [before?.leaseExpiresAtMs ?? null, after.leaseExpiresAtMs ?? 0]
    if (exchange?.operation === 'extendCalls' && wasMs !== null && wasMs <= exchange.sentMs && isMs > wasMs)
      return jumpedMs > 0 ? null : `a lease of phone ${phone} that was over is extended`
    const open = calls.filter(
      (call) => call.company === company && call.seq === after.seq && call.outcome === null,
    )
    const isIts = open.length === 1 && open[0]?.token === after.token
    if (after.leaseExpiresAtMs !== null ? isIts : open.length === 0) return null
    return (
      `a lead of phone ${phone} has ${open.length} open calls, ` +
      `and ${after.leaseExpiresAtMs === null ? 'no' : 'a'} lease`
    )
  },
}
