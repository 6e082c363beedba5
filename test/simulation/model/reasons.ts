// Why a lead may not be called, as the model has it: for each reason that the service gives, whether it is true. What
// a request without an answer may have done counts as a reason too.
import { phoneOf, type Settings } from '../cast.ts'
import type { Call, Exchange } from '../observed.ts'
import { keepHours } from './gates.ts'
import { type Known, settingsAt } from './known.ts'
import { isOpen } from './zones.ts'

/** As a list of leads has it. */
export type Listed = {
  readonly phoneNumber: string
  readonly status: string
  readonly attempts: number
  readonly timeZone: string | null
}

export type Blocker = { readonly code: string; readonly until: string | null }

/** A lead whose explanation is judged, in a world in which nothing is on its way. */
export type Waiting = {
  readonly company: number
  readonly campaign: number
  readonly lead: Listed
  readonly phone: number
  readonly settings: Settings
  readonly nowMs: number
  readonly untilMs: number
}

export function waitingOf(
  known: Known,
  { company, sentMs, sentAt }: Exchange,
  campaign: number,
  lead: Listed,
  until: string | null,
): Waiting {
  const settings = settingsAt(known, company as number, campaign, sentAt)
  const phone = phoneOf(known.cast, lead.phoneNumber)
  const untilMs = until === null ? Number.POSITIVE_INFINITY : Date.parse(until)
  return { company: company as number, campaign, lead, phone, settings, nowMs: sentMs, untilMs }
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const graceMs = 2_000
/** By default, after an outcome. */
const usualMinutes = [15, 30, 60, 240, 4320]

type Reason = (waiting: Waiting, known: Known) => boolean

export const reasons: Readonly<Record<string, Reason>> = {
  paused: ({ settings }) => settings.paused,
  at_capacity({ company, campaign, settings, nowMs }, { calls }) {
    const { maxLiveCalls, callsPerMinute } = settings
    const ofCampaign = calls.filter((one) => one.company === company && one.campaign === campaign)
    const live = ofCampaign.filter((one) => isLive(one, nowMs)).length
    const isBusy = ofCampaign.some(({ claimedAtMs }) => claimedAtMs > nowMs - minuteMs - graceMs)
    return (maxLiveCalls !== null && live >= maxLiveCalls) || (callsPerMinute !== null && isBusy)
  },
  final: ({ lead, settings }) =>
    lead.status === 'concluded' || lead.status === 'exhausted' || lead.attempts >= settings.maxAttempts,
  suppressed: (waiting, known) => mayHaveSaidNo(waiting, known),
  no_consent: ({ settings }) => settings.requireConsent !== null,
  gate({ company, campaign, phone, nowMs }, { exchanges, gates, cast }) {
    const campaignId = cast.companies[company]?.campaigns[campaign]?.id
    const isSet = exchanges.some(
      ({ operation, company: of, path }) =>
        operation === 'setGate' && of === company && path.includes(`/${campaignId}/`),
    )
    // Two leads of a phone that has two spellings are asked about apart, and neither without its consent.
    const isAlone = cast.phones[phone]?.spellings.length === 1
    const last = gates.asked.findLast((one) => one.place === `${company}/${campaign}` && one.phone === phone)
    const isFresh = last?.isYes === true && last.atMs > nowMs - keepHours * hourMs + minuteMs
    return isSet && !(isAlone && isFresh)
  },
  leased: ({ company, campaign, phone, nowMs }, { calls }) =>
    calls.some(
      (one) =>
        one.company === company && one.campaign === campaign && one.phone === phone && isLive(one, nowMs),
    ),
  number_live: ({ company, phone, nowMs }, { calls, exchanges }) =>
    calls.some((one) => one.company === company && one.phone === phone && isLive(one, nowMs)) ||
    exchanges.some(({ operation, company: of }) => operation === 'testDialer' && of === company),
  number_gap: ({ settings: { numberLimits }, ...waiting }, known) =>
    isAfterCall(waiting, known, (numberLimits.minGapMinutes ?? Number.NaN) * minuteMs),
  number_day: ({ settings: { numberLimits }, ...waiting }, known) =>
    isUsedUp(waiting, known, numberLimits.per24Hours, dayMs),
  number_week: ({ settings: { numberLimits }, ...waiting }, known) =>
    isUsedUp(waiting, known, numberLimits.per7Days, 7 * dayMs),
  scheduled: (waiting, known) => isTimeOf(waiting, known),
  spaced: (waiting, known) => isTimeOf(waiting, known),
  outside_hours({ settings, lead, nowMs, untilMs }) {
    const isOpenAt = (isAppointment: boolean, atMs: number) =>
      isOpen(settings, lead.timeZone ?? '', isAppointment, atMs)
    return [false, true].some(
      (kind) =>
        !isOpenAt(kind, nowMs) &&
        (untilMs === Number.POSITIVE_INFINITY ||
          (isOpenAt(kind, untilMs) && !isOpenAt(kind, untilMs - minuteMs))),
    )
  },
}

type OfPhone = Pick<Waiting, 'company' | 'phone' | 'nowMs' | 'untilMs'>

const callsOf = ({ company, phone }: OfPhone, { calls }: Known) =>
  calls.filter((one) => one.company === company && one.phone === phone)
const counts = ({ outcome, direction }: Call) => outcome !== 'released' || direction === 'inbound'

/** That of an erased lead goes on until the end of its lease. */
const isLive = ({ outcome, leaseExpiresAtMs }: Call, nowMs: number) =>
  (outcome === null || outcome === 'unknown') && (leaseExpiresAtMs ?? 0) + graceMs >= nowMs

const isAfterCall = (waiting: OfPhone, known: Known, ms: number) =>
  callsOf(waiting, known).some((call) => counts(call) && call.claimedAtMs + ms === waiting.untilMs)

/** The limit lasts until the oldest of so many calls is older than that. */
function isUsedUp(waiting: OfPhone, known: Known, most: number | null, ms: number): boolean {
  const since = callsOf(waiting, known).filter(
    (call) => counts(call) && call.direction === 'outbound' && call.claimedAtMs > waiting.nowMs - ms,
  )
  return most !== null && since.length >= most && isAfterCall(waiting, known, ms)
}

/** A time that somebody has asked for, or one that follows from a call of the phone. */
function isTimeOf(waiting: Waiting, known: Known): boolean {
  const { company, phone, untilMs } = waiting
  const asked = known.exchanges
    .filter((one) => one.company === company)
    .flatMap(({ body }) => timesIn(body))
    .map((time) => Date.parse(time))
  if (asked.includes(untilMs)) return true
  const settings = known.settings[company]?.flat().map((one) => one.settings) ?? []
  const minutes = [
    ...usualMinutes,
    ...settings.flatMap((one) => Object.values(one.outcomes).map((outcome) => outcome.minutes)),
    ...settings.flatMap(({ numberLimits }) => numberLimits.minGapMinutes ?? []),
    ...[24 * 60, 7 * 24 * 60],
  ]
  const delays = new Set([0, 60_000, hourMs, graceMs, ...minutes.map((each) => each * minuteMs)])
  return known.calls.some(
    (call) =>
      call.company === company &&
      call.phone === phone &&
      [call.claimedAtMs, call.endedAtMs, call.leaseExpiresAtMs].some(
        (ms) => ms !== null && delays.has(untilMs - ms),
      ),
  )
}

const timesIn = (body: unknown): readonly string[] =>
  [...(JSON.stringify(body) ?? '').matchAll(/"(?:scheduledFor|callbackAt)":"([^"]+)"/g)].map(
    ([, time = '']) => time,
  )

/** Somebody may have, in this campaign or in the company, and nobody has surely lifted it since. */
function mayHaveSaidNo({ company, campaign, phone }: Waiting, known: Known): boolean {
  const { cast, exchanges, calls, rung, erased, gates } = known
  const numbers = cast.phones[phone]?.spellings ?? []
  const campaignId = cast.companies[company]?.campaigns[campaign]?.id
  const isOfPhone = (one: { readonly company: number; readonly phone: number }) =>
    one.company === company && one.phone === phone
  const isNamed = (body: unknown) => numbers.some((number) => JSON.stringify(body).includes(`"${number}"`))
  const ofCompany = exchanges.filter((one) => one.company === company)
  const inCampaign = ofCompany.some(
    ({ operation, body, about }) =>
      (operation === 'post' && (about as { phone: number }).phone === phone) ||
      (operation === 'suppressNumbers' && body.campaignId === campaignId && isNamed(body)),
  )
  // What a gate, a provider or an erasure has left is not lifted for sure.
  const isLeft =
    gates.asked.some((one) => one.phone === phone && one.place.startsWith(`${company}/`) && !one.isYes) ||
    erased.some(isOfPhone) ||
    calls.some((call) => isOfPhone(call) && rung.some(({ callId }) => callId === call.callId))
  if (inCampaign || isLeft) return true
  const isOf = ({ callId }: Said) => calls.some((call) => isOfPhone(call) && call.callId === callId)
  const said = ofCompany.filter(
    ({ operation, body }) =>
      (operation === 'suppressNumbers' && body.campaignId === undefined && isNamed(body)) ||
      (operation === 'reportCalls' && body.calls.some((one: Said) => forbids(one) && isOf(one))),
  )
  const lastAt = Math.max(...said.map(({ answeredAt }) => answeredAt ?? Number.POSITIVE_INFINITY))
  const isLifted = ofCompany.some(
    ({ operation, body, answer, sentAt }) =>
      operation === 'liftSuppressions' &&
      answer?.status === 200 &&
      body?.campaignId === undefined &&
      sentAt > lastAt &&
      isNamed(body ?? null),
  )
  return said.length > 0 && !isLifted
}

type Said = { readonly callId: string; readonly outcome: string; readonly doNotCall?: boolean }
const forbids = ({ outcome, doNotCall }: Said) => doNotCall || outcome === 'do_not_call'
