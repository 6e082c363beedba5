// What statements tell the request that runs them.
import { expect, it } from 'vitest'
import { collectNotices } from '../../../src/base/database/notices.ts'

it('Each row of each statement gives its notices, and columns with other names give none', async () => {
  const rows = [
    [{ waiting: '["x"]', notify$waiting: '[7,"a"]' }, { notify$waiting: null }, { notify$waiting: '["b"]' }],
    [],
    [{ notify$listeners: '["w1"]', notify$waiting: '["a","c"]' }],
  ]
  const found = { waiting: new Set<string>(), listeners: new Set<string>() }
  const stub = { batch: async () => rows.map((results) => ({ results })) }
  await collectNotices(stub as unknown as D1Database, found).batch([])
  expect([...found.waiting]).toEqual(['7', 'a', 'b', 'c'])
  expect([...found.listeners]).toEqual(['w1'])
})
