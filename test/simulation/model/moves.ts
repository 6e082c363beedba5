// What transactions make of leads: each lead as it was and as it is, with its calls that have begun or ended meanwhile.
import { phoneOf } from '../cast.ts'
import type { CallMove, Cause } from './calls.ts'
import type { Known } from './known.ts'
import type { LeadSeen, Seen } from './seen.ts'

export type Move = Cause & {
  readonly company: number
  readonly campaign: number
  readonly phone: number
  /** Null: it is new. */
  readonly before: LeadSeen | null
  readonly after: LeadSeen
  /** Its own. */
  readonly calls: readonly CallMove[]
  /** Of all that the transaction has moved. */
  readonly all: readonly CallMove[]
  readonly seen: Seen
  /** All of the company. */
  readonly leadsBefore: readonly LeadSeen[]
  /** Since then they were so. */
  readonly sinceMs: number
}

export const keyOf = (company: number | string, seq: number) => `${company}/${seq}`

/** Of the companies that are `here`. After a restore nothing moves from what was known to what is there. */
export function noteMoves(
  known: Known,
  seen: Seen,
  here: ReadonlySet<unknown>,
  all: readonly CallMove[],
  cause: Cause,
): readonly Move[] {
  const { cast, leadsSeen, restored } = known
  const moves: Move[] = []
  const movedMs = [...known.movedMs]
  cast.companies.forEach(({ id }, company) => {
    if (!here.has(id)) return
    known.seen[company] = seen
    known.movedAt[company] = cause.moment
    known.movedMs[company] = cause.nowMs
  })
  const before = cast.companies.map((_, company) => leadsOf(known, company))
  for (const after of seen.leads) {
    if (!here.has(after.company)) continue
    const company = cast.companies.findIndex(({ id }) => id === after.company)
    const was = leadsSeen.get(keyOf(company, after.seq)) ?? null
    leadsSeen.set(keyOf(company, after.seq), after)
    const calls = all.filter(({ call }) => call.company === company && call.seq === after.seq)
    const isMoved = was === null || calls.length > 0 || isOther(was, after)
    const campaign = cast.companies[company]?.campaigns.findIndex(({ id }) => id === after.campaign) ?? -1
    if (!isMoved || campaign === -1 || restored.has(company)) continue
    const phone = phoneOf(cast, after.phoneNumber)
    for (const { call, was: ofCall } of calls)
      if (ofCall === null && was?.attempts === was?.forgiven) call.waitedSinceMs = was?.dueAtMs ?? null
    const leadsBefore = before[company] ?? []
    const sinceMs = movedMs[company] ?? 0
    moves.push({
      ...cause,
      company,
      campaign,
      phone,
      before: was,
      after,
      calls,
      all,
      seen,
      leadsBefore,
      sinceMs,
    })
  }
  return moves
}

export const leadsOf = ({ leadsSeen }: Known, company: number): readonly LeadSeen[] =>
  [...leadsSeen].flatMap(([key, lead]) => (key.startsWith(`${company}/`) ? lead : []))

const isOther = (before: LeadSeen, after: LeadSeen): boolean =>
  (Object.keys(after) as (keyof LeadSeen)[]).some((name) => before[name] !== after[name])
