// The leads that an answer may tell of, as they surely were while its request was on its way.
import { phoneOf } from '../cast.ts'
import type { Exchange } from '../observed.ts'
import type { Subject } from './blockers.ts'
import type { Known } from './known.ts'
import { leadsOf } from './moves.ts'

/** Of a campaign. Null: something has moved since the request was sent, or a restore has. */
export function subjectsOf(
  { company, sentAt, answeredAt }: Exchange,
  known: Known,
  campaign: number,
): readonly Subject[] | null {
  if (company === null || answeredAt === null || known.restored.has(company)) return null
  if ((known.movedAt[company] ?? 0) >= sentAt) return null
  if ((known.settings[company]?.[campaign]?.at(-1)?.from ?? 0) >= sentAt) return null
  return subjectsIn(known, company, campaign, answeredAt)
}

/** As they are since the last move. */
export function subjectsIn(
  known: Known,
  company: number,
  campaign: number,
  moment: number,
): readonly Subject[] {
  const leads = leadsOf(known, company)
  const id = known.cast.companies[company]?.campaigns[campaign]?.id
  return leads
    .filter((lead) => lead.campaign === id && lead.erasedAtMs === null)
    .map((lead) => {
      const phone = phoneOf(known.cast, lead.phoneNumber)
      return { lead, company, campaign, phone, moment, leads }
    })
}
