// 1d. A request that writes is carried out whole or not at all, whether it is answered or not: all that it makes of
// leads, calls, noes and consents is in one transaction.
import type { Commit, Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

/**
 * The others work in steps: an erasure in parts, a claim, also beside a report, once it has ended what is over. A lease
 * that is extended again after a lost answer is extended from then.
 */
const inOne = new Set(
  ['createLead', 'createLeads', 'changeLead', 'reportCalls', 'releaseCalls'].concat([
    ...['suppressNumbers', 'storeConsents', 'withdrawConsents'],
  ]),
)
const written = new Set(['leads', 'calls', 'suppressions', 'consents', 'number_log'])

export const wholeOrNotAtAll: Promised = {
  name: 'whole or not at all',

  onLook(_, company, { exchanges }) {
    const writes = (one: Exchange) =>
      one.commits.filter(({ changed }) => changed.some(({ table }) => written.has(table)))
    // The service sends again what the database has not answered. Where somebody has taken it back meanwhile, such as
    // a no that is lifted, it is written again.
    const isTakenBack = (one: Exchange, [first, second]: readonly Commit[]) =>
      exchanges.some(
        (other) =>
          other !== one &&
          other.company === company &&
          writes(other).some(({ moment }) => moment > (first?.moment ?? 0) && moment < (second?.moment ?? 0)),
      )
    const parts = exchanges.find(
      (one) =>
        one.company === company &&
        inOne.has(one.operation) &&
        one.body?.claim === undefined &&
        writes(one).length > 1 &&
        !isTakenBack(one, writes(one)),
    )
    return parts === undefined ? null : `${parts.operation} is carried out in several transactions`
  },
}
