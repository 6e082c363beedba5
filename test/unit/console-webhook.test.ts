// The state of a webhook in the console.
import { describe, expect, it } from 'vitest'
import { describeWebhook } from '../../src/console/settings/webhooks/webhook-state.ts'

describe('A webhook', () => {
  const well = { disabledAt: null, disabledReason: null, failingSince: null, lag: 0 }
  it.each([
    ['is delivering', well, 'Delivering'],
    ['has events waiting', { ...well, lag: 1 }, 'Delivering: 1 event waiting'],
    [
      'is failing',
      { ...well, failingSince: 'noon', lag: 1200 },
      'Failing since <noon>: 1,200 events waiting',
    ],
    ['is failing with all parked', { ...well, failingSince: 'noon' }, 'Failing since <noon>'],
    [
      'is turned off',
      { ...well, disabledAt: 'noon', disabledReason: 'dead', lag: 3 },
      'Off since <noon> (dead)',
    ],
  ])('%s', (_, webhook, words) => {
    expect(describeWebhook(webhook, (time) => `<${time}>`)).toBe(words)
  })
})
