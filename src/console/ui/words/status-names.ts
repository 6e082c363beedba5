// The states of a lead as people read them. The API's words for them stay in tooltips.
import type { LeadStatus } from '../../../sdk/src/models.ts'

export const statusNames: Readonly<Record<LeadStatus, string>> = {
  raw: 'New',
  attempting: 'In progress',
  concluded: 'Done',
  exhausted: 'Gave up',
}

/** In the order in which a lead goes through them. */
export const statuses = Object.keys(statusNames) as readonly LeadStatus[]
