// 1d. A request that writes is carried out whole or not at all, whether it is answered or not: all that it makes of
// leads, calls, noes and consents is in one transaction.
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
    const parts = exchanges.find(
      ({ operation, body, commits, company: of }) =>
        of === company &&
        inOne.has(operation) &&
        body?.claim === undefined &&
        commits.filter(({ changed }) => changed.some(({ table }) => written.has(table))).length > 1,
    )
    return parts === undefined ? null : `${parts.operation} is carried out in several transactions`
  },
}
