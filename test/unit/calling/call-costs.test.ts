// Amounts of money as text.
import { expect, it } from 'vitest'
import { amountOf, costOf } from '../../../src/queue/calling/table/cost.ts'

it.each([
  [0, '0'],
  [1, '0.000001'],
  [125_000, '0.125'],
  [12_000_000, '12'],
  [31_200_000.4, '31.2'],
  [9e15, '9000000000'],
])('An amount of %d millionths is %s', (micros, amount) => {
  expect(amountOf(micros)).toBe(amount)
})

it.each([
  [{ costAmount: 0.125, costCurrency: 'usd' }, [125_000, 'USD']],
  [{ costAmount: '12.30', costCurrency: 'EUR' }, [12_300_000, 'EUR']],
  [{ costAmount: 0 }, [0, null]],
  [{ costAmount: '1', costCurrency: 'dollars' }, [1_000_000, null]],
  [{ costAmount: '1e3', costCurrency: 'USD' }, [null, null]],
  [{ costAmount: -1, costCurrency: 'USD' }, [null, null]],
  [{ costAmount: 1e9, costCurrency: 'USD' }, [null, null]],
  [{ costAmount: ['1'] }, [null, null]],
  [{ note: 'costAmount' }, [null, null]],
])('The cost of a call whose details are %j is %j', (details, cost) => {
  expect(costOf(JSON.stringify(details))).toEqual(cost)
})
