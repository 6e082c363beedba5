// Until when a phone must not be called, by all calls of the company to it: a naive count.
import type { Settings } from '../cast.ts'
import type { Call } from '../observed.ts'
import type { Known } from './known.ts'

/** An open call may ring so long after its lease. */
const graceMs = 2_000
const [dayMs, weekMs] = [86_400_000, 7 * 86_400_000]

export type Limits = Readonly<Record<'live' | 'gap' | 'day' | 'week', number>>

/** 0, or past: it does not keep the phone. */
export function limitsOf(
  calls: readonly Call[],
  { minGapMinutes, per24Hours, per7Days }: Settings['numberLimits'],
  isAppointment: boolean,
): Limits {
  const open = calls.filter(({ outcome }) => outcome === null)
  const latestFirst = (of: readonly Call[]) => of.map(({ claimedAtMs }) => claimedAtMs).sort((a, b) => b - a)
  const made = calls.filter(({ outcome, direction }) => outcome !== 'released' || direction === 'inbound')
  const last = latestFirst(made)[0]
  const dialled = latestFirst(made.filter(({ direction }) => direction === 'outbound'))
  const nth = (n: number | null, lastsMs: number) => {
    const ms = n === null ? undefined : dialled[n - 1]
    return ms === undefined ? 0 : ms + lastsMs
  }
  return {
    live: Math.max(0, ...open.map(({ leaseExpiresAtMs }) => (leaseExpiresAtMs ?? 0) + graceMs)),
    gap: isAppointment || minGapMinutes === null || last === undefined ? 0 : last + minGapMinutes * 60_000,
    day: nth(per24Hours, dayMs),
    week: nth(per7Days, weekMs),
  }
}

export const callsOfPhone = ({ calls }: Known, company: number, phone: number): readonly Call[] =>
  calls.filter((call) => call.company === company && call.phone === phone)

/** Something keeps it besides calls that are known: a test of a dialer, or what an erasure has left. */
export const isHazy = ({ exchanges, erased, cast }: Known, company: number, phone: number): boolean =>
  erased.some((one) => one.company === company && one.phone === phone) ||
  exchanges.some(
    (one) =>
      one.operation === 'testDialer' &&
      one.company === company &&
      cast.phones[phone]?.spellings.includes(one.body.phoneNumber),
  )
