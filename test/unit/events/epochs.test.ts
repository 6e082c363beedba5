// Epochs of a log: which one an entry has, what two histories of a log have in common, and the ids that follow.
import { describe, expect, it } from 'vitest'
import { type Epochs, epochAt, lastCommonNumber } from '../../../src/base/ledger/log/epochs.ts'
import { eventIdOf, placeOfEventId } from '../../../src/channels/events/event.ts'

const [first, second, third] = [1_795_000_000, 1_796_000_000, 1_797_000_000]

it('An entry is of the newest epoch that has begun with it or before it', () => {
  const epochs: Epochs = [
    [first, 101],
    [second, 150],
    [third, 150],
  ]
  expect([1, 100, 101, 149, 150, 9_999].map((number) => epochAt(epochs, number))).toEqual([
    0,
    0,
    first,
    first,
    third,
    third,
  ])
  expect(epochAt([], 7)).toBe(0)
})

it.each<[string, Epochs, Epochs, number | null]>([
  ['are the same', [[first, 101]], [[first, 101]], null],
  ['part where an epoch began', [], [[first, 101]], 100],
  [
    'part where the first of two began',
    [],
    [
      [first, 101],
      [second, 90],
    ],
    89,
  ],
  [
    'part where the second began',
    [[first, 101]],
    [
      [first, 101],
      [second, 150],
    ],
    149,
  ],
  [
    'part where an epoch began that a restore has removed',
    [
      [first, 101],
      [second, 201],
    ],
    [[first, 101]],
    200,
  ],
  ['part before both when a restore went back behind the first', [[first, 101]], [[second, 81]], 80],
  ['part before the one that only the sender knows', [[first, 101]], [[second, 501]], 100],
  ['part at their beginning', [], [[first, 1]], 0],
])('Two histories of a log %s', (_, one, other, number) => {
  expect(lastCommonNumber(one, other)).toBe(number)
  expect(lastCommonNumber(other, one)).toBe(number)
})

describe('An id of an event', () => {
  const place = { number: 0x2a, part: 9 }

  it('An id of an event is as it always was while the log was never restored', () => {
    const id = eventIdOf({ companyId: 'acme', epochs: [] }, place)
    expect(id).toMatch(/^evt_[0-9A-Za-z]{6}000000002a9$/)
    expect(placeOfEventId('acme', id)).toEqual({ ...place, epoch: 0 })
  })

  it('An id of an event is longer in a later epoch, and stays for what was logged before', () => {
    const log = { companyId: 'acme', epochs: [[first, 0x2a]] as Epochs }
    const id = eventIdOf(log, place)
    expect(id).toMatch(/^evt_[0-9A-Za-z]{6}6afd86c0000000002a9$/)
    expect(placeOfEventId('acme', id)).toEqual({ ...place, epoch: first })
    const before = { number: 0x29, part: 0 }
    expect(eventIdOf(log, before)).toBe(eventIdOf({ companyId: 'acme', epochs: [] }, before))
    expect(placeOfEventId('other', id)).toBeNull()
  })
})
