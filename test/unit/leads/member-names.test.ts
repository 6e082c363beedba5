// Members of a posted lead that are almost right (D62, D71): which are refused, by which message, and which stay
// ignored. The spellings by case, - and _ of exact names are in lead-input-order.test.ts, names that say do-not-call in
// posted-names.test.ts.
import { describe, expect, it } from 'vitest'
import { readBulk, readCreate } from '../../../src/queue/leads/create-input.ts'
import { meantNames } from '../../../src/queue/leads/fields.ts'

const right = { campaignId: 'spring', phoneNumber: '+15550001111' }

function create(members: object): string | null {
  const reading = readCreate(JSON.stringify({ ...right, ...members }))
  return reading.isValid ? null : reading.message
}

function secondOfBulk(members: object): string | null {
  const lead = { phoneNumber: right.phoneNumber }
  const reading = readBulk(JSON.stringify({ campaignId: 'spring', leads: [lead, { ...lead, ...members }] }))
  if (!reading.isValid) return reading.message
  const [first, second] = reading.value.items
  expect(first?.isValid).toBe(true)
  return second?.isValid === false ? second.message : null
}

const use = (sent: string, known: string) => `${sent} is not a member: use ${known}`

const listed = Object.entries(meantNames.others).flatMap(([known, others]) =>
  others.flatMap((other) => [other, other.toUpperCase(), `_${other}-`].map((sent) => [sent, known] as const)),
)

const oneChange: readonly (readonly [sent: string, known: string])[] = [
  ['scheduleFor', 'scheduledFor'],
  ['scheduledfr', 'scheduledFor'],
  ['schedulledFor', 'scheduledFor'],
  ['shceduledFor', 'scheduledFor'],
  ['scheduled_fir', 'scheduledFor'],
  ['scheduledFor2', 'scheduledFor'],
  ['prioritys', 'priority'],
  ['priorty', 'priority'],
  ['pirority', 'priority'],
  ['time_zones', 'timeZone'],
  ['timezome', 'timeZone'],
  ['itmezone', 'timeZone'],
  ['time zone', 'timeZone'],
  ['pr\u0131ority', 'priority'],
  ['metdata', 'metadata'],
  ['METADATA1', 'metadata'],
  ['meta-dta', 'metadata'],
]

describe.each([...listed, ...oneChange])('The member %s of a lead', (sent, known) => {
  it(`The member ${sent} is refused by the name that it is taken for, alone and in a bulk`, () => {
    expect(create({ [sent]: null })).toBe(use(sent, known))
    expect(secondOfBulk({ [sent]: 7 })).toBe(use(sent, known))
  })
})

it.each([
  'comment',
  'content',
  'contents',
  'constent',
  'timeline',
  'internalId',
  'externalIds',
  'phoneNumber2',
  'phone',
  'scheduled',
  'prior',
  'meta',
  'callTimes',
  'timeZoneId',
  'schedledFr',
  'doNotCallReason',
  'opt',
  'status',
])('The member %s of a lead is ignored', (name) => {
  expect(create({ [name]: true })).toBeNull()
  expect(secondOfBulk({ [name]: true })).toBeNull()
})

it('A member that is almost right is refused beside the right one', () => {
  const members = { scheduledFor: '2030-01-01T00:00:00Z', scheduleFor: '2030-01-01T00:00:00Z' }
  expect(create(members)).toBe(use('scheduleFor', 'scheduledFor'))
})
