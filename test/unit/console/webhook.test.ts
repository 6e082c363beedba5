// The state of a webhook in the console.
import { describe, expect, it } from 'vitest'
import { describeTest, describeWebhook } from '../../../src/console/settings/webhooks/webhook-state.ts'

describe('A webhook', () => {
  const well = { expiresAt: null, disabledAt: null, disabledReason: null, failingSince: null, lag: 0 }
  it.each([
    ['is delivering', well, 'Delivering'],
    ['has events waiting', { ...well, lag: 1 }, 'Delivering: 1 event waiting'],
    [
      'is failing',
      { ...well, failingSince: 'noon', lag: 1200 },
      'Failing: 1,200 events waiting, since <noon>',
    ],
    ['is failing with all parked', { ...well, failingSince: 'noon' }, 'Failing, since <noon>'],
    [
      'ends with a key',
      { ...well, expiresAt: 'noon' },
      'Delivering. Ends <noon> with the key that set it up',
    ],
    [
      'has ended with a key',
      { ...well, expiresAt: 'noon', disabledAt: 'noon', disabledReason: 'key_expired' },
      'Off since <noon> (its key has expired)',
    ],
    [
      'is turned off',
      { ...well, disabledAt: 'noon', disabledReason: 'dead', lag: 3 },
      'Off since <noon> (nothing was delivered for days)',
    ],
  ])('%s', (_, webhook, words) => {
    expect(describeWebhook(webhook, (time) => `<${time}>`)).toBe(words)
  })
})

it.each([
  [{ status: 204, error: null }, 'Test succeeded: 204 (6 ms)', false],
  [{ status: null, error: 'no connection' }, 'Test failed: connection refused (6 ms)', true],
  [{ status: 500, error: 'answered 500' }, 'Test failed: answered 500 (6 ms)', true],
  [
    { status: 302, error: 'redirects are not followed' },
    'Test failed: redirects are not followed (6 ms)',
    true,
  ],
])('A test of a webhook with %j', (answer, text, isFailure) => {
  expect(describeTest({ ...answer, milliseconds: 6 })).toEqual({ text, isFailure })
})
