// Whether leads of a campaign are ready and no agent calls them, and since when. Pure; the campaigns are read in
// store/watched-campaigns.ts.
//
// A lease or a wait at this moment is seen as such. That there was one since the look before is seen from the calls
// that were counted by the hour: within an hour their time is not known, so the ten minutes begin at the first look
// that finds nobody, which is noted with the count of that moment.

import { limits } from '../../base/limits.ts'
import { type CampaignHours, openSinceMs, scheduleOf } from '../../queue/campaigns/calling-hours.ts'
import { alertAfterMs } from './alert-kinds.ts'

const { hourMs, dayMs } = limits

/** Hours with calls are read so far back. */
export const countedHours = 24

/** The due leads of a lane that became due first. */
type DueLane = readonly [lane: string, isForAppointments: number, dueAtMs: number]

export type IdleCampaign = {
  readonly calling: CampaignHours
  readonly callableSinceMs: number
  /** Until when claims may have been waiting. */
  readonly waitedForUntilMs: number
  readonly dueLanes: readonly DueLane[]
  /** Hours with calls, of the last countedHours and this one. */
  readonly hours: readonly (readonly [hour: number, calls: number])[]
}

export type Noted = { readonly sinceMs: number; readonly callsCounted: number; readonly isRaised: boolean }

/**
 * `campaign` is null when it may not call, or a lead is leased, or a claim waits. `noted` is what the look before
 * stored. Null: all is well, and what was noted is over.
 */
export function judgeCampaign(
  campaign: IdleCampaign | null,
  noted: Noted | null,
  nowMs: number,
): Noted | null {
  const readyMs = campaign && readySinceMs(campaign, nowMs)
  if (campaign === null || readyMs === null) return null
  const { hours, waitedForUntilMs } = campaign
  const isStillIdle = noted !== null && waitedForUntilMs <= noted.sinceMs && !hasNewCalls(hours, noted, nowMs)
  if (noted?.isRaised) return isStillIdle ? noted : null
  const withoutCallsMs = Math.max(readyMs, waitedForUntilMs)
  const calledMs = lastCallMs(hours, nowMs)
  const sinceMs = Math.max(withoutCallsMs, isStillIdle ? noted.sinceMs : calledMs)
  const isRaised = sinceMs <= nowMs - alertAfterMs
  // What the next look finds again need not be stored.
  if (!isRaised && calledMs <= withoutCallsMs) return null
  return { sinceMs, callsCounted: callsFrom(hours, sinceMs), isRaised }
}

/** The first moment at which a lead that is ready now could be called; null: none is ready. */
function readySinceMs({ callableSinceMs, dueLanes, calling }: IdleCampaign, nowMs: number): number | null {
  const times = dueLanes.flatMap(([lane, isForAppointments, dueAtMs]) => {
    const openedAtMs = openSinceMs(scheduleOf(calling, lane, isForAppointments), nowMs, nowMs - 2 * dayMs)
    return openedAtMs === null ? [] : [Math.max(dueAtMs, openedAtMs, callableSinceMs)]
  })
  return times.length === 0 ? null : Math.min(...times)
}

const hourAt = (ms: number) => Math.floor(ms / hourMs)

const callsFrom = (hours: IdleCampaign['hours'], fromMs: number) =>
  hours.reduce((sum, [hour, calls]) => sum + (hour >= hourAt(fromMs) ? calls : 0), 0)

/** The calls of an hour that is no longer read are known: none was added while it was. */
function hasNewCalls(hours: IdleCampaign['hours'], { sinceMs, callsCounted }: Noted, nowMs: number): boolean {
  const isRead = hourAt(sinceMs) >= hourAt(nowMs) - countedHours
  return callsFrom(hours, sinceMs) !== (isRead ? callsCounted : 0)
}

/** When the last call may have ended at the latest; 0: before the hours that are read. */
function lastCallMs(hours: IdleCampaign['hours'], nowMs: number): number {
  const last = Math.max(-1, ...hours.map(([hour]) => hour))
  return Math.min(nowMs, (last + 1) * hourMs)
}
