// By which consent a number may be called, as the rules say it.
import type { Settings } from '../cast.ts'
import type { ConsentSeen, LeadSeen, Seen } from './seen.ts'

const dayMs = 86_400_000

const isWithdrawn = (consent: ConsentSeen, { said }: Seen): boolean =>
  said.some(
    (one) =>
      one.company === consent.company &&
      (one.phoneNumber === consent.phoneNumber || one.phoneNumber === consent.numberHash) &&
      (one.withdraws === '*' || one.withdraws === consent.purpose) &&
      one.atMs >= consent.givenAtMs,
  )

/** `fromMs`: when a call is allowed at the earliest; 0: now; null: never by these. */
export function consentFor(
  { company, phoneNumber }: LeadSeen,
  required: Settings['requireConsent'],
  seen: Seen,
  nowMs: number,
): { readonly id: string | null; readonly fromMs: number | null } {
  if (required === null) return { id: null, fromMs: 0 }
  const usable = seen.consents.filter(
    (one) =>
      one.company === company &&
      one.phoneNumber === phoneNumber &&
      one.purpose === required.purpose &&
      (one.expiresAtMs ?? Number.POSITIVE_INFINITY) > Math.max(nowMs, one.givenAtMs) &&
      (required.maxAgeDays === null || nowMs - one.givenAtMs <= required.maxAgeDays * dayMs) &&
      !isWithdrawn(one, seen),
  )
  const [newest] = usable
    .filter(({ givenAtMs }) => givenAtMs <= nowMs)
    .sort((one, other) => other.givenAtMs - one.givenAtMs || (one.id < other.id ? 1 : -1))
  if (newest !== undefined) return { id: newest.id, fromMs: 0 }
  const fromMs = Math.min(...usable.map(({ givenAtMs }) => givenAtMs))
  return { id: null, fromMs: usable.length === 0 ? null : fromMs }
}
