// 1. What was answered 2xx is there, unless it was erased. What was answered 4xx has changed nothing.
import { isLifted } from '../model/known.ts'
import type { Promised } from './promise.ts'

/** What a refused request must not touch. Windows, uses of keys, counters and the activity of refusals may change. */
const kept = new Set(
  ['leads', 'calls', 'suppressions', 'suppressed_hashes', 'retained_hashes', 'consents', 'number_log'].concat(
    ['calling_settings', 'campaigns', 'api_keys', 'members', 'webhooks', 'sources', 'dialers', 'events'],
  ),
)

export const acknowledgedIsKept: Promised = {
  name: 'acknowledged is kept',

  onAnswer({ operation, answer, commits, body, path, company, key, sentAt }, known) {
    const q = new URL(path, 'https://sim.example').searchParams.get('q')
    if (operation === 'searchLeads' && key === null && answer?.status === 200) {
      const found = new Set(answer.body.data.leads.map(({ _id }: { _id: string }) => _id))
      const missing = known.leads.find(
        (lead) =>
          lead.company === company &&
          lead.phoneNumber === q &&
          (lead.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt &&
          lead.erasedBy === null &&
          !found.has(lead.leadId),
      )
      if (missing !== undefined) return `a search by its number does not find lead ${missing.externalId}`
    }
    if (answer === null || answer.status < 400 || answer.status >= 500) return null
    // A source counts what it refuses, and logs it.
    if (operation === 'post') return null
    // A consent is stored although its lead exists, and may bring back leads that wait for one.
    if (operation === 'createLead' && answer.status === 409 && body.consent) return null
    // Before it looks at the lead, a requeue ends leases that have run out.
    const isOfLeases = (table: string) =>
      operation.startsWith('requeue') && /^(?:leads|calls|events)$/.test(table)
    const touched = commits
      .flatMap(({ changed }) => changed)
      .filter(({ table }) => kept.has(table) && !isOfLeases(table))
    if (touched.length === 0) return null
    return `${operation} was answered ${answer.status}, and has changed ${touched.map(({ table }) => table).join(', ')}`
  },

  onLook({ leads, suppressions }, company, known) {
    for (const lead of known.leads) {
      if (lead.company !== company || lead.erasedBy !== null) continue
      const campaign = known.cast.companies[company]?.campaigns[lead.campaign]?.id
      const row = leads.find((one) => one.campaign === campaign && one.phoneNumber === lead.phoneNumber)
      if (row === undefined) return `lead ${lead.externalId} was acknowledged, and is not there`
      if (row.externalId !== lead.externalId)
        return `lead ${lead.externalId} was acknowledged, and is ${row.externalId}`
    }
    for (const no of known.noes) {
      // An erasure keeps it by the hash of the number alone.
      const isErased = known.erased.some((one) => one.company === company && one.phone === no.phone)
      if (no.company !== company || isErased || isLifted(known, no)) continue
      const campaign = no.campaign === null ? null : known.cast.companies[company]?.campaigns[no.campaign]?.id
      const numbers = known.cast.phones[no.phone]?.spellings ?? []
      const row = suppressions.find((one) => numbers.includes(one.phoneNumber) && one.campaign === campaign)
      if (row === undefined)
        return `a no of phone ${no.phone} by ${no.exchange.operation} was answered, and is not there`
    }
    return null
  },
}
