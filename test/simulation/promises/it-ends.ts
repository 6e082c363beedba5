// 7. When faults have stopped and the longest lease is over, no lease is past its end, no call is open without one, and
// no lead is held that has the consent that its campaign requires.
import { consentFor } from '../model/consent-judge.ts'
import { placeOf } from '../model/gates.ts'
import { type Known, settingsAt } from '../model/known.ts'
import { leadsOf } from '../model/moves.ts'
import type { LeadSeen } from '../model/seen.ts'
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
    if (open !== undefined) return `call ${open.callId} of phone ${open.phone} is open without a lease`
    const held = leadsOf(known, company).find((lead) => isHeldInVain(lead, company, nowMs, known))
    return held === undefined ? null : `a lead of ${held.campaign} is held, and has the consent that it needs`
  },
}

/** For minutes, in a campaign that never had a gate. */
function isHeldInVain(lead: LeadSeen, company: number, nowMs: number, known: Known): boolean {
  const seen = known.seen[company]
  const campaign = known.cast.companies[company]?.campaigns.findIndex(({ id }) => id === lead.campaign) ?? -1
  if (seen == null || lead.heldAtMs === null || campaign === -1) return false
  if ((known.gates.changes.get(placeOf(company, campaign)) ?? 0) > 0) return false
  const { requireConsent } = settingsAt(known, company, campaign, Number.POSITIVE_INFINITY)
  return [nowMs - 600_000, nowMs].every((ms) => consentFor(lead, requireConsent, seen, ms).fromMs === 0)
}
