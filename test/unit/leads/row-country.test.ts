// The country that a row of a file says of itself, and digits that lack their plus: for leads, and for numbers that
// must not be called.
import { expect, it } from 'vitest'
import { numberChanges } from '../../../src/queue/leads/file/cells/number-reading.ts'
import { columnsOf } from '../../../src/queue/leads/file/columns.ts'
import { guessMeanings } from '../../../src/queue/leads/file/guess-columns.ts'
import { collectDoNotCall, emptyHoldList } from '../../../src/queue/leads/file/held/held-numbers.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'
import { itemOf } from '../../../src/queue/leads/file/row-item.ts'

const said = { country: 'DE', turnedOff: [], dates: null, timeZone: 'UTC' } as const
const open = (headers: readonly string[], more: object = {}) => {
  const columns = columnsOf(headers, guessMeanings(headers))
  const { readers } = openReaders({ ...said, ...more })
  return {
    item: (...cells: readonly string[]) => itemOf(columns, cells, readers),
    numberOf(...cells: readonly string[]) {
      const item = itemOf(columns, cells, readers)
      return 'lead' in item ? item.lead.phoneNumber : item.problem
    },
    nos(...cells: readonly string[]) {
      const held = emptyHoldList()
      collectDoNotCall(held, columns, cells, readers)
      return held.nos.size
    },
  }
}

it.each(['Country', 'Land', 'País', 'Phone Country Code', 'kraj', 'iso2'])(
  'A column %s says row by row of which country a national number is',
  (header) => {
    const { numberOf } = open(['Phone', header])
    expect(numberOf('0664 1234567', 'Austria')).toBe('+436641234567')
    expect(numberOf('0664 1234567', '+43')).toBe('+436641234567')
    expect(numberOf('(415) 555-2671', 'USA')).toBe('+14155552671')
    // What says nothing leaves it to the country that is chosen.
    for (const none of ['', 'n/a', 'Bavaria']) expect(numberOf('0171 1234567', none)).toBe('+491711234567')
    expect(numberOf('+49 171 1234567', 'Austria')).toBe('+491711234567')
  },
)

it('The country of a row is used without one that is chosen, too, and one that is left out is not', () => {
  const alone = open(['Phone', 'Country'], { country: null })
  expect(alone.numberOf('0664 1234567', 'AT')).toBe('+436641234567')
  expect(alone.numberOf('0664 1234567', '')).toContain('no country code')
  const columns = columnsOf(['Phone', 'Country'], ['phoneNumber', 'ignore'])
  const { readers } = openReaders(said)
  expect(itemOf(columns, ['0171 1234567', 'AT'], readers)).toMatchObject({
    lead: { phoneNumber: '+491711234567' },
  })
})

it('Of a dial code of several countries the chosen one is meant, and of two that differ none', () => {
  const { numberOf } = open(['Phone', 'Country', 'Country code'], { country: 'CA' })
  expect(numberOf('(604) 555-0123', 'Canada', '+1')).toBe('+16045550123')
  expect(numberOf('0171 1234567', 'Germany', '43')).toContain('two different numbers')
})

it('A no is of the country that its row says', () => {
  const { numberOf, nos } = open(['Phone', 'Country', 'Do not call'])
  expect(nos('0664 1234567', 'AT', 'yes')).toBe(1)
  const columns = columnsOf(['Phone', 'Country', 'DNC'], guessMeanings(['Phone', 'Country', 'DNC']))
  const held = emptyHoldList()
  collectDoNotCall(held, columns, ['0664 1234567', 'AT', 'yes'], openReaders(said).readers)
  expect([...held.nos]).toEqual([436641234567])
  expect(numberOf('0664 1234567', 'AT', 'no')).toBe('+436641234567')
})

it('A number that lacks its plus is offered one, and gets it where a person says so', () => {
  const off = open(['Phone'])
  expect(off.item('491724500002')).toMatchObject({
    field: 'phoneNumber',
    changes: [{ kind: 'plus', before: '491724500002', after: '+491724500002' }],
  })
  const on = open(['Phone', 'DNC'], { isPlusAdded: true })
  expect(on.item('491724500002', '')).toMatchObject({
    lead: { phoneNumber: '+491724500002' },
    changes: [{ kind: 'plus' }],
  })
  expect([on.nos('491724500002', 'yes'), open(['Phone', 'DNC']).nos('491724500002', 'yes')]).toEqual([1, 0])
  // Of the country of the row, and never where it is a number as it stands.
  const byRow = open(['Phone', 'Country'], { isPlusAdded: true })
  expect(byRow.numberOf('436641234567', 'AT')).toBe('+436641234567')
  expect(byRow.numberOf('436641234567', '')).not.toBe('+436641234567')
  expect(byRow.numberOf('4752345678', 'US')).toBe('+14752345678')
  // It is no change that is made unless somebody refuses it.
  expect(numberChanges).not.toContain('plus')
})
