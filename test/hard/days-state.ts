// The state of simulated days, which agents, bells and the cron share.
import type { Agenda } from './days-agenda.ts'
import type { Consents } from './days-consents.ts'
import type { SimCampaign, SimLead } from './days-world.ts'
import type { Findings } from './report.ts'

export type Simulation = {
  /** What is committed on it is noted in `rings`. */
  readonly db: D1Database
  /** The same without notes. */
  readonly plain: D1Database
  readonly rings: Set<string>
  readonly campaigns: readonly SimCampaign[]
  readonly leads: ReadonlyMap<string, SimLead>
  readonly consents: Consents
  readonly agenda: Agenda
  readonly findings: Findings
  readonly counts: ReturnType<typeof noCounts>
  lastCallMs: number
}

export const noCounts = () => ({
  claims: 0,
  empty: 0,
  atCapacity: 0,
  waits: 0,
  rung: 0,
  looksForLeft: 0,
  calls: 0,
  reports: 0,
  late: 0,
  released: 0,
  extended: 0,
  crashed: 0,
})
