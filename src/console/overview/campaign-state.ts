// The state of a campaign, what it would do if it were resumed, and what blocks a lead, in sentences that say what to
// do. The codes are the API's.

import { limits } from '../../base/limits.ts'
import { blockerReasons } from '../../queue/calling/reasons.ts'
import {
  findNextOpening,
  isOpenAt,
  openUntilMs,
  type Schedule,
  type WeeklyHours,
} from '../../queue/campaigns/calling-hours.ts'
import type { Campaign, CampaignOverview, CampaignPreview, Explanation } from '../../sdk/src/models.ts'
import { sentenceCase } from '../leads/lead-words.ts'
import { counted, countedUpTo, countOf } from '../ui/words/number-words.ts'
import { shortTime, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { isAroundTheClock } from './hours-ahead.ts'

type CampaignState = {
  readonly tone: 'good' | 'calm' | 'wait' | 'act'
  readonly title: string
  readonly advice: string
}

type Reason = NonNullable<Campaign['queue']['reason']>
/** Null: the campaign has none that is switched on. */
type Dialing = CampaignOverview['dialer']
type Around = {
  readonly dialer?: Dialing | undefined
  /** When the alert was raised. Null: the service has raised none. */
  readonly noAgentSince?: string | null | undefined
}
type Describe = (campaign: Campaign, nowMs: number, around: Around) => CampaignState

const state = (tone: CampaignState['tone'], title: string, advice: string): CampaignState => ({
  tone,
  title,
  advice,
})

const describeByReason: Readonly<Record<Reason, Describe>> = {
  not_configured: () =>
    state('act', 'Not set up: no time zone', 'Choose a time zone in Settings to start calling.'),
  paused: () => state('calm', 'Paused', 'Running calls go on, and no new calls start until you resume.'),
  outside_hours: describeOutsideHours,
  at_capacity: describeAtCapacity,
  waiting: ({ queue, requireConsent }) => {
    if (isHeldAlone(queue))
      return describeHeld(queue, requireConsent, '; the others wait for their next call')
    const why = queue.leased > 0 ? 'that is due is being called' : 'is waiting for its next call'
    const title = `Open: every lead ${why}${andReady(queue)}`
    return state(toneOf(queue), title, 'Open a lead to see when it can be called.')
  },
  empty: ({ queue, requireConsent }) => {
    if (isHeldAlone(queue)) return describeHeld(queue, requireConsent)
    if (queue.leased > 0)
      return state('good', `Open: the last leads are being called${andReady(queue)}`, 'The queue is empty.')
    if (queue.gate !== null && queue.gate.waiting > 0)
      return state(
        'wait',
        `${countOf(queue.gate.waiting, 'lead')} wait for the gate`,
        'See Gate in Settings.',
      )
    const title = queue.agentsWaiting ? `Open: waiting for leads${andReady(queue)}` : 'Queue is empty'
    return state('calm', title, 'Import or requeue leads.')
  },
}

const andReady = ({ agentsWaiting }: Campaign['queue']) =>
  agentsWaiting ? `, ${countOf(agentsWaiting, 'agent')} ready` : ''

/** Green means that calls are being made. Amber and red are left to what needs somebody. */
const toneOf = ({ leased }: Campaign['queue']) => (leased > 0 ? 'good' : 'calm')

/** No lead is being called, and some are held. */
const isHeldAlone = ({ leased, heldForConsent }: Campaign['queue']) => leased === 0 && heldForConsent > 0

function describeHeld(
  { heldForConsent, isCapped }: Campaign['queue'],
  required: Campaign['requireConsent'],
  others = '',
): CampaignState {
  const [leads, have] = heldForConsent === 1 ? ['lead', 'has'] : ['leads', 'have']
  const title = `Held: ${countedUpTo(heldForConsent, isCapped)} ${leads} ${have} no consent${others}`
  // Without a requirement they return within minutes.
  return required === null
    ? state('calm', title, 'No consent is required now: they return to the queue within minutes.')
    : state('act', title, `Store consents with the purpose “${required.purpose}”, or change it in Settings.`)
}

export function describeCampaign(campaign: Campaign, nowMs: number, around: Around = {}): CampaignState {
  const { reason, nextOpening } = campaign.queue
  if (campaign.archived) return state('calm', 'Archived', 'No calls are made, and new leads are refused.')
  // An empty queue is `empty` outside of hours too: only the next opening shows that they are over.
  if (nextOpening !== null && reason !== 'paused' && reason !== 'not_configured' && !campaign.paused)
    return describeClosed(campaign, nowMs)
  if (around.dialer?.status === 'off' && reason !== 'paused' && reason !== 'not_configured')
    return state(
      'wait',
      'The dialer is off, and its last calls end',
      'Switch it on in Calling to start new calls.',
    )
  if (reason !== null) return describeByReason[reason](campaign, nowMs, around)
  return describeReady(campaign, nowMs, around)
}

/** Leads are ready. */
function describeReady(campaign: Campaign, nowMs: number, around: Around): CampaignState {
  const { queue } = campaign
  const { dialer = null, noAgentSince = null } = around
  if (isPacing(dialer)) return describePace(limits.dialerStartsPerMinute)
  if (queue.leased > 0) {
    const next = dialer === null ? 'Agents get the next lead as soon as they are free.' : whenDialerHasRoom
    return state('good', 'Open: leads are being called', next)
  }
  if (!isUncalled(campaign, dialer))
    return state('calm', `Open: leads are ready${andReady(queue)}`, 'Calls start within seconds.')
  if (dialer === null) return state('act', describeNoAgent(campaign, nowMs, noAgentSince), startAgent)
  if (dialer.status === 'stopped')
    return state('act', 'Leads are ready, and the dialer has stopped', whyDialer)
  if (dialer.status === 'resting') return state('calm', 'Leads are ready, and the dialer rests', whyDialer)
  if (dialer.status === 'failing') return state('wait', 'Leads are ready, and the dialer fails', whyDialer)
  return noAgentSince === null
    ? state('calm', 'Open: leads are ready', 'The dialer calls them within a minute.')
    : state('act', describeNoAgent(campaign, nowMs, noAgentSince, dialerIsIdle), whyDialer)
}

export const dialerIsIdle = 'the dialer does not call'
export const whyDialer = 'The page Calling says why.'
const whenDialerHasRoom = 'The dialer calls the next lead as soon as it has room.'

/** The dialer has started as many calls in this minute as it may. */
const isPacing = (dialer: Dialing) => dialer?.status === 'waiting' && dialer.reason === 'pace'

export const isDialing = (dialer: Dialing) => dialer?.status === 'running' || isPacing(dialer)

const describePace = (perMinute: number) =>
  state(
    'good',
    `The dialer calls, at its pace of ${counted(perMinute)} a minute`,
    'The next calls follow within a minute.',
  )

export const startAgent = 'Start an agent or a dialer, or check why yours has stopped.'

export function describeNoAgent(
  campaign: Campaign,
  nowMs: number,
  since: string | null,
  what = 'no agent is calling',
): string {
  const sentence = `Leads are ready, and ${what}`
  if (since === null) return sentence
  const zone = zoneOf(campaign)
  return `${sentence}, since ${shortTime(Date.parse(since), zone, nowMs)} in ${zoneName(zone)}`
}

function describeAtCapacity(campaign: Campaign, _: number, { dialer = null }: Around): CampaignState {
  const { queue, maxLiveCalls, callsPerMinute } = campaign
  const isFull = maxLiveCalls !== null && queue.leased >= maxLiveCalls
  if (!isFull && dialer !== null && callsPerMinute !== null) return describePace(callsPerMinute)
  const title = isFull
    ? `Open: ${counted(queue.leased)} of at most ${counted(maxLiveCalls)} calls are live`
    : `Open: at its pace of ${counted(callsPerMinute ?? 0)} calls a minute`
  const next = dialer === null ? 'Agents get the next lead' : 'The next lead is called'
  return state(toneOf(queue), title, `${next} as soon as the limit allows.`)
}

/** Leads are ready, none is being called, no agent waits for one, and no dialer is at work. */
export const isUncalled = ({ queue }: Campaign, dialer: Dialing) =>
  queue.reason === null && !queue.leased && !queue.agentsWaiting && !isDialing(dialer)

/** And there is no dialer that could. */
export const needsAgent = (campaign: Campaign, dialer: Dialing) =>
  dialer === null && isUncalled(campaign, dialer)

/** Leads with a time zone of their own may be callable, or wait, outside of the campaign's own hours. */
const closedAdvice: Readonly<Partial<Record<Reason, string>>> = {
  outside_hours: 'Waiting leads are called when it opens.',
  waiting: 'Waiting leads are called when it opens and they are due.',
  empty: 'The queue is empty. Import or requeue leads.',
}

function describeClosed(campaign: Campaign, nowMs: number): CampaignState {
  const { queue, requireConsent } = campaign
  const { reason, leased } = queue
  const held = reason === 'empty' && isHeldAlone(queue) ? describeHeld(queue, requireConsent) : null
  const advice =
    reason === 'empty' && leased > 0
      ? 'The last leads are being called. The queue is empty.'
      : held
        ? `${held.title}. ${held.advice}`
        : ((reason && closedAdvice[reason]) ??
          'Leads in a time zone that is within its hours can be called now.')
  return state('calm', closedUntil(campaign, nowMs), advice)
}

/** The campaign may be open while leads that are due are not: callbacks, or leads in another time zone. */
function describeOutsideHours(campaign: Campaign, nowMs: number): CampaignState {
  const { timeZone, callingHours } = campaign
  if (timeZone === null || openUntil(campaign, nowMs) === null) return describeClosed(campaign, nowMs)
  const callbacks = scheduleOf(campaign, 'appointmentHours')
  const opening = isOpenAt(callbacks, nowMs) ? null : findNextOpening(callbacks, nowMs)
  const from = opening && `, from ${shortTime(opening.opensAtMs, timeZone, nowMs)} in ${zoneName(timeZone)}`
  const own = 'A lead with its own time zone waits for the hours there'
  return isAroundTheClock(callingHours)
    ? state('calm', `Open: a callback is waiting for its hours${from ?? ''}`, `${own}.`)
    : state(
        'calm',
        'Open: the leads that are due are outside their hours',
        `${own}, a callback for callback hours${from ?? ''}.`,
      )
}

const scheduleOf = (campaign: Campaign, which: 'callingHours' | 'appointmentHours'): Schedule => ({
  timeZone: campaign.timeZone ?? 'UTC',
  hours: campaign[which] as unknown as WeeklyHours,
  closedDates: campaign.closedDates,
})

const weekMs = 7 * 86_400_000

/** When its calling hours end that are open now, at most a week ahead. Null: they are closed. */
export const openUntil = (campaign: Campaign, nowMs: number): number | null =>
  openUntilMs(scheduleOf(campaign, 'callingHours'), nowMs, nowMs + weekMs)

function closedUntil({ queue, timeZone }: Campaign, nowMs: number): string {
  if (queue.nextOpening === null || timeZone === null) return 'Closed: no upcoming hours'
  const opening = shortTime(Date.parse(queue.nextOpening), timeZone, nowMs)
  return `Closed until ${opening} in ${zoneName(timeZone)}`
}

export function describePreview({
  callableNow,
  laterToday,
  later,
  blocked,
  counted: looked,
  isWhole,
}: CampaignPreview) {
  const { no_consent: noConsent = 0, ...others } = blocked
  const blockedOtherwise = Object.values(others).reduce((sum, count) => sum + count, 0) - later
  const first = isWhole ? countOf(callableNow, 'lead') : counted(callableNow)
  const parts = [
    `${first} can be called now`,
    laterToday > 0 && `${counted(laterToday)} later today`,
    later > 0 && `${counted(later)} tomorrow or later`,
    noConsent > 0 && `${counted(noConsent)} ${noConsent === 1 ? 'has' : 'have'} no consent`,
    blockedOtherwise > 0 &&
      `${counted(blockedOtherwise)} ${blockedOtherwise === 1 ? 'is' : 'are'} blocked for other reasons`,
  ]
  const range = isWhole ? '' : ` of the first ${countOf(looked, 'lead')},`
  return `If you resume:${range} ${parts.filter((part) => part !== false).join(', ')}.`
}

export type Blocker = Explanation['blockers'][number]

/** A lead that is being called is not blocked. Undefined: its blockers could not be read. */
export const isBlocked = (its: readonly Blocker[] | undefined) =>
  its === undefined || its.some(({ code }) => code !== 'leased')

/** Nothing else matters while a number is suppressed, except its call that is running. */
export const isSuppressed = (its: readonly Blocker[]) => its.some(({ code }) => code === 'suppressed')

/** A sentence each. Of the times at which they end, only the last one counts. */
export function describeBlockers(
  its: readonly Blocker[],
  zone: string,
  nowMs: number,
): readonly { readonly code: Blocker['code']; readonly words: string }[] {
  const lastMs = Math.max(...its.map(({ until }) => (until === null ? 0 : Date.parse(until))))
  return its.map(({ code, until }) => {
    const isLast = until !== null && Date.parse(until) === lastMs
    return { code, words: describeBlocker({ code, until: isLast ? until : null }, zone, nowMs) }
  })
}

function describeBlocker({ code, until }: Blocker, zone: string, nowMs: number): string {
  // A newer service may have more codes.
  const words = sentenceCase(blockerReasons[code] ?? code)
  return until === null ? words : `${words}, until ${shortTime(Date.parse(until), zone, nowMs)}`
}
