// What the page Calling knows of a test call.
import { expect, it } from 'vitest'
import { testReader } from '../../../src/console/calling/test-words.ts'
import type { DialerTest } from '../../../src/sdk/src/models.ts'

const none = { outcome: null, reason: null, seconds: null, saidOutcome: null, callbackAt: null }
const live: DialerTest = { state: 'ringing_or_live', ...none }
const ended: DialerTest = { state: 'ended', ...none, outcome: 'answered' }

it('A test call is read until it is over, and a page that stays open keeps what it came to', async () => {
  const read = testReader()
  const asked: string[] = []
  const as = (test: DialerTest) => async (testId: string) => {
    asked.push(testId)
    return test
  }
  const forgotten = async () => Promise.reject(new Error('Test call not found'))
  expect(await read('', forgotten)).toBeNull()
  expect([await read('a', as(live)), await read('a', as(ended))]).toEqual([live, ended])
  expect(await read('a', forgotten)).toEqual(ended)
  expect(await read('b', as(live))).toEqual(live)
  expect(asked).toEqual(['a', 'a', 'b'])
  await expect(read('b', forgotten)).rejects.toThrow('not found')
})
