// The consents of the model: what is known of each number, and which leads return when that changes. What a consent is
// worth is judged in consent-judge.ts.
import type { NewConsent } from '../../../src/base/ledger/consent/consents.ts'
import {
  isWithdrawn,
  judge,
  type NumberConsents,
  withdrawnNowMs,
} from '../../support/calling/consent-judge.ts'
import {
  isSamePhone,
  type ModelCall,
  type ModelLead,
  type ModelState,
  settingsOf,
  spellingsOf,
} from './naive-limits.ts'

/** What is known of the consents of a number. */
export function consentsOf(state: ModelState, phone: string): NumberConsents {
  const known = state.consents.get(phone) ?? { consents: [], withdrawals: [] }
  state.consents.set(phone, known)
  return known
}

export const consentFor = (state: ModelState, lead: ModelLead, nowMs: number) =>
  judge(state.consents.get(lead.phone), settingsOf(state, lead).requireConsent, nowMs)

/** Nobody may call the number: its consents are withdrawn. */
export function withdrawAll(state: ModelState, phone: string, nowMs: number): void {
  const known = consentsOf(state, phone)
  known.withdrawals.push({ purpose: null, atMs: withdrawnNowMs(known, nowMs) })
}

/** A consent of the number was given after all of them were withdrawn last. */
export function isConsentNewer(state: ModelState, phone: string): boolean {
  const { consents, withdrawals } = consentsOf(state, phone)
  const lastMs = Math.max(...withdrawals.flatMap(({ purpose, atMs }) => (purpose === null ? [atMs] : [])))
  return consents.some(({ sent }) => sent.givenAtMs > lastMs)
}

/** Held leads are due at once, or when they were. */
function returnHeld(leads: readonly ModelLead[], nowMs: number): void {
  for (const lead of leads) {
    if (lead.heldDueAtMs === null) continue
    lead.dueAtMs = Math.max(lead.heldDueAtMs, nowMs)
    lead.heldDueAtMs = null
  }
}

/** The consent by which the call was made was withdrawn since. */
export function isConsentLost(state: ModelState, { lead, consentId }: ModelCall): boolean {
  const known = consentsOf(state, lead.phone)
  return known.consents.some((consent) => consent.id === consentId && isWithdrawn(known, consent))
}

export const findConsent = (state: ModelState, sent: NewConsent) =>
  consentsOf(state, sent.phoneNumber).consents.find(
    (each) => JSON.stringify(each.sent) === JSON.stringify(sent),
  )

/**
 * The same again is the same record. Held leads of the number return, where it has what their campaign requires by now.
 */
export function storeConsent(state: ModelState, sent: NewConsent, id: string, nowMs: number): void {
  if (findConsent(state, sent) === undefined) {
    consentsOf(state, sent.phoneNumber).consents.push({ id, sent })
    state.sent.push(sent)
  }
  returnHeld(
    state.leads.filter(
      (lead) => lead.phone === sent.phoneNumber && consentFor(state, lead, nowMs).fromMs !== null,
    ),
    nowMs,
  )
}

/** How many consents it covers, and until when they were given. */
export function withdraw(
  state: ModelState,
  phone: string,
  said: { readonly purpose: string | null; readonly atMs: number | null },
  nowMs: number,
) {
  for (const each of spellingsOf(phone)) {
    const known = consentsOf(state, each)
    known.withdrawals.push({ purpose: said.purpose, atMs: said.atMs ?? withdrawnNowMs(known, nowMs) })
  }
  const known = consentsOf(state, phone)
  const own = known.withdrawals.at(-1) as (typeof known.withdrawals)[number]
  const covered = known.consents.filter((each) => isWithdrawn({ consents: [], withdrawals: [own] }, each))
  return { withdrawnAtMs: own.atMs, consents: covered.length }
}

/** The leads of a number that was never called; its consents stay withdrawn, also when they are sent again. */
export function erase(state: ModelState, phone: string, nowMs: number): void {
  state.leads = state.leads.filter((lead) => !isSamePhone(lead.phone, phone))
  for (const each of spellingsOf(phone)) {
    withdrawAll(state, each, nowMs)
    consentsOf(state, each).consents = []
  }
}

/** What the cron does for the campaigns whose requirement has changed. */
export function returnAfterChange(state: ModelState, nowMs: number): void {
  returnHeld(
    state.leads.filter((lead) => state.returning[lead.campaign]),
    nowMs,
  )
  state.returning = state.returning.map(() => false)
}
