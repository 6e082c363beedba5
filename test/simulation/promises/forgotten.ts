// 6b. After an erasure nothing that was sent with the lead is in any table, also after a restore.
import type { Promised } from './promise.ts'

export const forgotten: Promised = {
  name: 'forgotten',

  onLook({ canaries }, company, known) {
    for (const lead of known.leads) {
      if (lead.company !== company || lead.erasedBy?.answer?.status !== 200) continue
      // One that came meanwhile may have stayed.
      if (lead.exchange.answeredAt === null || lead.exchange.answeredAt > lead.erasedBy.sentAt) continue
      if (canaries.has(lead.externalId)) return `lead ${lead.externalId} was erased, and is still in a table`
    }
    return null
  },
}
