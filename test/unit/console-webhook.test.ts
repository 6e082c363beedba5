// What the console says of how a webhook is doing.
import { describe, expect, it } from 'vitest'
import { webhookState } from '../../src/console/settings/webhooks/webhook-words.ts'

describe('A webhook', () => {
  const well = { disabledAt: null, disabledReason: null, failingSince: null, lag: 0 }
  it.each([
    ['is up to date', well, 'Up to date'],
    ['is behind', { ...well, lag: 1 }, '1 entry behind'],
    [
      'is failing',
      { ...well, failingSince: 'noon', lag: 1200 },
      'Failing since <noon>, 1,200 entries behind',
    ],
    ['is failing with all parked', { ...well, failingSince: 'noon' }, 'Failing since <noon>'],
    [
      'is switched off',
      { ...well, disabledAt: 'noon', disabledReason: 'dead', lag: 3 },
      'Switched off since <noon> (dead)',
    ],
  ])('%s', (_, webhook, words) => {
    expect(webhookState(webhook, (time) => `<${time}>`)).toBe(words)
  })
})
