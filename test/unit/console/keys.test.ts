// Keys in the console's words, and what a key created. And the last day of a key, in a time zone.
import { describe, expect, it } from 'vitest'
import {
  endingText,
  endText,
  isEndingInUse,
  keyNames,
  revokedText,
  withCreated,
} from '../../../src/console/settings/keys/key-words.ts'
import { dateName, endOfDayMs } from '../../../src/console/ui/words/zone-time.ts'
import type { KeyRevoked } from '../../../src/sdk/src/models.ts'

const key = (keyId: string, createdBy: string | null, successorOf: string | null = null) => ({
  keyId,
  createdBy,
  successorOf,
})
const keys = [
  key('own', 'operator'),
  key('crm', 'own'),
  key('agent', 'crm'),
  key('nested', 'agent'),
  key('other', 'operator'),
]

it('What a key created includes what these keys created, and nobody else’s', () => {
  expect([...withCreated(keys, 'crm', 'own')]).toEqual(['crm', 'agent', 'nested'])
  expect([...withCreated(keys, 'other', 'own')]).toEqual(['other'])
})

it('What a key created includes what the keys that it replaced created, and what replaced these by rotation', () => {
  const rotated = [
    key('first', 'operator'),
    key('crm', 'first'),
    key('second', 'own', 'first'),
    key('third', 'own', 'second'),
    key('successor', 'own', 'crm'),
  ]
  expect([...withCreated(rotated, 'second', 'own')].sort()).toEqual(['crm', 'first', 'second', 'successor'])
})

it('What a key created is never the key in use, nor what it created', () => {
  const own = [...keys.slice(1), key('own', 'nested'), key('mine', 'own')]
  expect([
    ...withCreated(
      own.filter(({ keyId }) => keyId !== 'crm'),
      'agent',
      'own',
    ),
  ]).toEqual(['agent', 'nested'])
})

it('What a key created includes members, and what these created, but not the member who is signed in', () => {
  const people = [
    ...keys,
    key('mem_1', 'crm'),
    key('of-member', 'mem_1'),
    key('mem_2', 'mem_1'),
    key('mem_own', 'crm'),
    key('mine', 'mem_own'),
    key('mem_other', 'other'),
  ]
  expect([...withCreated(people, 'crm', 'session', 'mem_own')].sort()).toEqual(
    ['crm', 'agent', 'nested', 'mem_1', 'of-member', 'mem_2'].sort(),
  )
})

it('Who revokes a key reads how many ended with it, and whether nobody is left who manages the company', () => {
  const at = '2026-11-20T10:00:00.000Z'
  const created = {
    keys: [{ revokedAt: at }, { revokedAt: null }],
    webhooks: [{ disabledAt: at }],
    members: [{ removedAt: at }, { removedAt: null }],
  } as unknown as KeyRevoked['created']
  const none = { keys: [], webhooks: [], members: [] }
  expect(revokedText('crm', { created, noManagerLeft: false })).toBe('Revoked “crm” and 3 that it created.')
  expect(revokedText('crm', { created: none, noManagerLeft: false })).toBe('Revoked “crm”.')
  expect(revokedText('crm', { created, noManagerLeft: true })).toBe(
    'Revoked “crm” and 3 that it created. Nobody is left who manages the company: add a manager ' +
      'under People, with a key.',
  )
})

describe('A key in words', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  it.each([
    [{ revokedAt: null, expiresAt: null }, ''],
    [{ revokedAt: null, expiresAt: '2026-11-20T11:30:00Z' }, 'ends 12:30'],
    [{ revokedAt: null, expiresAt: '2026-11-20T09:00:00Z' }, 'ended 10:00'],
    [{ revokedAt: '2026-11-20T08:00:00Z', expiresAt: '2026-11-20T09:00:00Z' }, 'revoked 09:00'],
  ])('%j: "%s"', (end, words) => {
    expect(endText(end, 'Europe/Berlin', nowMs).replace(' AM', '').replace(' PM', '')).toBe(words)
  })

  it('A key in words names who created it', () => {
    const nameOf = keyNames([{ keyId: 'key_1', name: 'HubSpot' }])
    expect(['operator', 'key_1', 'key_2'].map(nameOf)).toEqual(['the operator', 'HubSpot', 'key_2'])
  })
})

it.each([
  ['2026-11-20', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-20', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['2026-11-20', 'America/New_York', '2026-11-21T05:00:00.000Z'],
  // The clocks change on this day.
  ['2026-03-28', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
])('%s in %s is %s', (date, zone, end) => {
  expect(new Date(endOfDayMs(date, zone) ?? 0).toISOString()).toBe(end)
})

it('The end of a day is unknown where the text is no day', () => {
  expect([endOfDayMs('', 'UTC'), endOfDayMs('soon', 'UTC')]).toEqual([null, null])
})

it('The end of a day has a name that no time zone moves', () => {
  expect(dateName('2026-12-25', 'en-GB')).toBe('Fri, 25 Dec 2026')
})

describe('The warning about keys that end', () => {
  const [nowMs, dayMs] = [Date.parse('2026-11-20T12:00:00Z'), 86_400_000]
  const at = (days: number) => new Date(nowMs + days * dayMs).toISOString()
  const keyThat = (more: object) => ({
    ...{ name: 'hubspot', lastUsedAt: at(-1), expiresAt: at(10), revokedAt: null },
    ...more,
  })

  it.each<[string, object, boolean]>([
    ['ends in ten days', {}, true],
    ['ends in 14 days to the moment', { expiresAt: at(14) }, true],
    ['ends later than in 14 days', { expiresAt: at(14.001) }, false],
    ['does not end', { expiresAt: null }, false],
    ['has ended', { expiresAt: at(-0.5) }, false],
    ['was revoked', { revokedAt: at(-0.5) }, false],
    ['was not used', { lastUsedAt: null }, false],
    ['was used a week ago', { lastUsedAt: at(-7) }, false],
  ])('A key in use that %s is warned of as it should be', (_, more, isWarned) => {
    expect(isEndingInUse(keyThat(more), nowMs)).toBe(isWarned)
  })

  it('The warning names the key that ends first, and counts the others', () => {
    const keys = [
      keyThat({ name: 'later' }),
      keyThat({ name: 'first', expiresAt: at(1) }),
      keyThat({ expiresAt: at(20) }),
    ]
    expect(endingText(keys, 'UTC', nowMs)).toMatch(
      /^The key “first”, which a system used in the last week, ends .*, and 1 other key within 14 days\.$/,
    )
    expect(endingText(keys.slice(0, 1), 'UTC', nowMs)).not.toContain('other key')
    expect(endingText(keys.slice(2), 'UTC', nowMs)).toBe('')
  })
})
