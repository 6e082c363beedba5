// The leads in the examples of the API description: one with all fields, one with only the required ones.

import { leadCsvHeader } from '../../queue/leads/csv.ts'
import { exampleFields } from '../fields/lead-fields.ts'
import { exampleIds } from './example-ids.ts'

export const exampleLead = {
  _id: exampleIds.lead,
  campaignId: 'demo',
  ...exampleFields,
  status: 'attempting',
  attempts: 1,
  _creationTime: 1795217110612,
} as const

export const exampleNewLead = {
  _id: '1a1fb4736a800000100000002pQ7wXk2Lm9a',
  campaignId: 'demo',
  phoneNumber: '+14155550124',
  status: 'raw',
  priority: 0,
  attempts: 0,
  _creationTime: 1795217110696,
} as const

export const exampleMinimal = {
  summary: 'A lead with only required fields',
  data: { lead: exampleNewLead },
} as const

export const exampleList = { leads: [exampleLead, exampleNewLead], count: 2 } as const
export const examplePage = {
  summary: 'A page, with `limit=1`',
  data: { leads: [exampleLead], count: 1, nextCursor: '00000100000001' },
} as const

export const exampleWithCalling = {
  summary: 'With `include=calling`',
  data: {
    leads: [{ ...exampleLead, lastOutcome: 'busy', dueAt: '2026-11-20T09:15:00.000Z' }],
    count: 1,
  },
} as const

export const exampleOrigin = {
  kind: 'import',
  memberId: exampleIds.member,
  import: 'fair.xlsx',
  name: 'Ada',
} as const
export const exampleWithOrigin = {
  summary: 'With `include=origin`',
  data: { leads: [{ ...exampleLead, origin: exampleOrigin }], count: 1 },
} as const

const cells = leadCsvHeader
  .trim()
  .split(',')
  .map((name) => (exampleNewLead as Record<string, unknown>)[name])
export const exampleCsv = `${leadCsvHeader}${cells.join()}\r\n`

export const exampleBulk = {
  created: 1,
  skipped: 1,
  createdIds: [exampleNewLead._id],
  skippedPhones: [exampleLead.phoneNumber],
} as const
export const exampleSkippingBulk = {
  summary: 'With `onInvalid=skip`',
  data: {
    ...exampleBulk,
    invalid: 1,
    results: [
      { index: 0, status: 'created', leadId: exampleNewLead._id },
      { index: 1, status: 'skipped', leadId: exampleLead._id },
      { index: 2, status: 'invalid', error: 'phoneNumber must be in E.164 format' },
    ],
  },
} as const
