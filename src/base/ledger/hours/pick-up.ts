// The classes in which pick-up times are counted: how long a lead could be called before a claim leased it. Pure.
// queue/calling/store/sql/claim-steps.ts measures the time, control/statistics/pick-up-summary.ts sums it up.

/** Disjoint, the shortest first. `name` is the API's. Longest time included; null: no limit. */
export const pickUpTimes = [
  { column: 'pick_up_1s', name: 'pickUp1s', mostMs: 1_000 },
  { column: 'pick_up_5s', name: 'pickUp5s', mostMs: 5_000 },
  { column: 'pick_up_30s', name: 'pickUp30s', mostMs: 30_000 },
  { column: 'pick_up_5min', name: 'pickUp5min', mostMs: 300_000 },
  { column: 'pick_up_1h', name: 'pickUp1h', mostMs: 3_600_000 },
  { column: 'pick_up_later', name: 'pickUpLater', mostMs: null },
] as const

export type PickUpTime = (typeof pickUpTimes)[number]
