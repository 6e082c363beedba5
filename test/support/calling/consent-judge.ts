// By which consent a number may be called, as the rules say it: for worlds by a seed, and for simulated days. It
// knows no tables, and shares no code with the product.
import type { NewConsent } from '../../../src/base/ledger/consent/consents.ts'

const dayMs = 86_400_000

export type JudgedConsent = { readonly id: string; readonly sent: NewConsent }

/** All that is known of a number. A withdrawal without a purpose covers every one. */
export type NumberConsents = {
  consents: JudgedConsent[]
  withdrawals: { readonly purpose: string | null; readonly atMs: number }[]
}

export type Requirement = { readonly purpose: string; readonly maxAgeDays: number | null } | null

export const consentOf = (
  phoneNumber: string,
  purpose: string,
  givenAtMs: number,
  more: Partial<NewConsent> = {},
): NewConsent => ({
  ...{ phoneNumber, purpose, givenAtMs, expiresAtMs: null, text: null, textSha256: null },
  ...{ url: null, ip: null, userAgent: null, certificateUrl: null, reference: null },
  ...more,
})

/** Whenever it was said, and whenever the consent arrived: what was given until then is withdrawn. */
export const isWithdrawn = ({ withdrawals }: NumberConsents, { sent }: JudgedConsent): boolean =>
  withdrawals.some(
    ({ purpose, atMs }) => (purpose === null || purpose === sent.purpose) && sent.givenAtMs <= atMs,
  )

/** `by`: the consent of a call now. `fromMs`: when a call is allowed at the earliest, 0: now; null: never by these. */
export function judge(
  known: NumberConsents | undefined,
  required: Requirement,
  nowMs: number,
): { readonly by: JudgedConsent | null; readonly fromMs: number | null } {
  if (required === null) return { by: null, fromMs: 0 }
  const { purpose, maxAgeDays } = required
  const left = (known?.consents ?? []).filter((consent) => {
    const { purpose: own, givenAtMs, expiresAtMs } = consent.sent
    const beginsMs = Math.max(nowMs, givenAtMs)
    const isExpired = expiresAtMs !== null && expiresAtMs <= beginsMs
    const isOld = maxAgeDays !== null && nowMs - givenAtMs > maxAgeDays * dayMs
    return own === purpose && !isExpired && !isOld && !isWithdrawn(known as NumberConsents, consent)
  })
  const [newest] = left
    .filter(({ sent }) => sent.givenAtMs <= nowMs)
    .sort((a, b) => b.sent.givenAtMs - a.sent.givenAtMs || (a.id < b.id ? 1 : -1))
  if (newest !== undefined) return { by: newest, fromMs: 0 }
  return { by: null, fromMs: left.length === 0 ? null : Math.min(...left.map(({ sent }) => sent.givenAtMs)) }
}
