// Why a lead is not called, and why a queue has no calls, in words: for the API description, the console and the
// command line. Pure.

/** In the order in which the API lists them. */
export const blockerReasons = {
  not_configured: 'the campaign has no time zone',
  paused: 'the campaign is paused',
  at_capacity: 'the campaign is at its limit of live calls or its pace',
  final: 'the lead is finished; it can be queued again',
  suppressed: 'the number is on the do-not-call list',
  no_consent: 'no valid consent',
  gate: 'the gate of the campaign has not said yes',
  leased: 'the lead is being called',
  number_live: 'another lead with this number is being called',
  number_gap: 'the number was called recently',
  number_day: 'the number reached its limit of calls in 24 hours',
  number_week: 'the number reached its limit of calls in 7 days',
  scheduled: 'the lead is scheduled for later',
  spaced: 'waiting before the next attempt',
  outside_hours: 'outside calling hours',
} as const

export type BlockerCode = keyof typeof blockerReasons

export const waitReasons = {
  empty: 'no leads in the queue',
  waiting: 'no lead is due, or all due leads are blocked',
  outside_hours: 'leads are due, but not within calling hours',
  at_capacity: blockerReasons.at_capacity,
  paused: blockerReasons.paused,
  not_configured: blockerReasons.not_configured,
} as const

export type WaitReason = keyof typeof waitReasons
