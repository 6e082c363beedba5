// The state of simulated days, which agents and the clock share.
import type { Agenda } from './clock-agenda.ts'
import type { Consents } from './clock-consents.ts'
import type { SimCampaign, SimLead } from './clock-world.ts'
import type { Findings } from './report.ts'

export type Simulation = {
  readonly db: D1Database
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
  calls: 0,
  reports: 0,
  late: 0,
  released: 0,
  extended: 0,
  crashed: 0,
})
