// Why nobody is called now, and why one lead is not, in sentences that say what to do. The codes are the API's.

import type { Campaign, Reason } from '../service/wire.ts'
import { shortTime, zoneName } from '../ui/zone-time.ts'
import { isAroundTheClock, isOpenAt, nextOpening } from './hours-ahead.ts'

export type WhyNot = {
  readonly tone: 'good' | 'calm' | 'wait' | 'act'
  readonly title: string
  readonly advice: string
}

type Sentence = (campaign: Campaign, nowMs: number) => WhyNot

const sentences: Readonly<Record<Reason, Sentence>> = {
  not_configured: () => ({
    tone: 'act',
    title: 'Not set up: the campaign has no time zone',
    advice: 'Nobody is called before it has one. Choose it under Settings.',
  }),
  paused: () => ({
    tone: 'act',
    title: 'Paused',
    advice: 'Calls that run go on to their end. No lead is handed out until the campaign is resumed.',
  }),
  outside_hours: outsideHours,
  waiting: ({ queue }) => ({
    tone: 'wait',
    title:
      queue.leased > 0
        ? 'Open: all that can be called is being called'
        : 'Open: every lead waits for its time',
    advice: 'Retries are spaced, and a number is not called too often. Look at a lead to see until when.',
  }),
  empty: ({ queue }) =>
    queue.leased > 0
      ? {
          tone: 'calm',
          title: 'Open: the last leads are being called',
          advice: 'Nothing else is in the queue.',
        }
      : { tone: 'calm', title: 'Open: nobody is left to call', advice: 'Import leads, or requeue some.' },
}

export function explainCampaign(campaign: Campaign, nowMs: number): WhyNot {
  const { reason, leased, nextOpening } = campaign.queue
  // An empty queue says so whatever the hours are: only the next opening tells that they are over.
  if (nextOpening !== null && reason !== 'paused' && reason !== 'not_configured' && !campaign.paused) {
    return closed(campaign, nowMs)
  }
  if (reason !== null) return sentences[reason](campaign, nowMs)
  return leased > 0
    ? {
        tone: 'good',
        title: 'Open: leads are being called',
        advice: 'Agents get the next lead when they ask.',
      }
    : {
        tone: 'good',
        title: 'Open: leads are ready, and no agent is calling',
        advice: 'Start an agent: the next lead is handed out as soon as one asks.',
      }
}

/** A sentence for each agent that gets no leads. */
export function describeFailingAgents({ queue, timeZone }: Campaign, nowMs: number): readonly string[] {
  return (queue.failingAgents ?? []).map(({ agent, until }) => {
    const time = shortTime(Date.parse(until), timeZone ?? 'UTC', nowMs)
    return `Agent ${agent} claims leads and never reports them. It gets none until ${time}.`
  })
}

/** Leads with a zone of their own may be called, or wait, while the campaign's own hours are over. */
const closedAdvice: Readonly<Partial<Record<Reason, string>>> = {
  outside_hours: 'Leads that wait are called when it opens.',
  waiting: 'Leads that wait are called when it opens and their time has come.',
  empty: 'Nobody is left to call when it opens. Import leads, or requeue some.',
}

function closed(campaign: Campaign, nowMs: number): WhyNot {
  const { reason, leased } = campaign.queue
  const advice =
    reason === 'empty' && leased > 0
      ? 'The last leads are being called. Nothing else is in the queue.'
      : ((reason && closedAdvice[reason]) ??
        'Leads whose own time zone is within its hours can be called already.')
  return { tone: 'wait', title: closedUntil(campaign, nowMs), advice }
}

/** The campaign's own hours may last while those of what is due do not: of appointments, or in another zone. */
function outsideHours(campaign: Campaign, nowMs: number): WhyNot {
  const { timeZone, callingHours, appointmentHours, closedDates } = campaign
  if (timeZone === null || !isOpenAt({ timeZone, hours: callingHours, closedDates }, nowMs))
    return closed(campaign, nowMs)
  const ofAppointments = { timeZone, hours: appointmentHours, closedDates }
  const opening = isOpenAt(ofAppointments, nowMs) ? null : nextOpening(ofAppointments, nowMs)
  const from = opening === null ? '' : `, from ${opening} in ${zoneName(timeZone)}`
  return isAroundTheClock(callingHours)
    ? {
        tone: 'wait',
        title: `A due appointment waits for its hours${from}`,
        advice: 'The campaign is open. A lead with a time zone of its own waits by the clock of that zone.',
      }
    : {
        tone: 'wait',
        title: 'Open: what is due waits for hours of its own',
        advice: `A lead with a time zone of its own waits by the clock of that zone, an appointment for its hours${from}.`,
      }
}

function closedUntil({ queue, timeZone }: Campaign, nowMs: number): string {
  if (queue.nextOpening === null || timeZone === null) return 'Closed: no hours lie ahead'
  const opening = shortTime(Date.parse(queue.nextOpening), timeZone, nowMs)
  return `Closed until ${opening} in ${zoneName(timeZone)}`
}

const blockers: Readonly<Record<string, string>> = {
  not_configured: 'The campaign has no time zone',
  paused: 'The campaign is paused',
  final: 'Done with: requeue it to call again',
  suppressed: 'The number must not be called',
  leased: 'It is being called',
  number_live: 'Another lead with this number is being called',
  number_gap: 'The number was called a short time ago',
  number_day: 'The number was called often enough in 24 hours',
  number_week: 'The number was called often enough in 7 days',
  scheduled: 'Its time has not come',
  spaced: 'The next attempt is spaced',
  outside_hours: 'Outside of calling hours',
}

export function describeBlocker(code: string): string {
  return blockers[code] ?? code.replaceAll('_', ' ')
}
