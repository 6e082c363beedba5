// What the console says of consents, beyond what a browser's tests show: a preview, and entries of a record.
import { expect, it } from 'vitest'
import { describePreview } from '../../../src/console/overview/campaign-state.ts'
import { describeEntry } from '../../../src/console/settings/record-words.ts'
import type { RecordEntry } from '../../../src/sdk/src/models.ts'

const preview = {
  callableNow: 320,
  laterToday: 41,
  blocked: {},
  withoutConsent: 0,
  counted: 999,
  isWhole: true,
}

it.each([
  [
    { blocked: { no_consent: 12, spaced: 5, suppressed: 2 } },
    ': 320 leads can be called now, 41 later today, 12 have no consent, 7 are blocked for other reasons.',
  ],
  [
    { callableNow: 1, laterToday: 0, blocked: { no_consent: 1, final: 1 } },
    ': 1 lead can be called now, 1 has no consent, 1 is blocked for other reasons.',
  ],
  [{ isWhole: false }, ': of the first 999 leads, 320 can be called now, 41 later today.'],
])('A preview is a sentence: %j', (more, words) => {
  expect(describePreview({ ...preview, ...more })).toBe(`If you resume${words}`)
})

const at = '2026-11-20T09:00:00.000Z'
const logged = { at, withdraws: null, campaignId: null, actor: 'key1', reason: null }

it.each<[RecordEntry, what: string, details: string]>([
  [{ at, type: 'use', consentId: 'c', callId: 'k', outcome: null }, 'Consent used', 'In progress'],
  [{ ...logged, type: 'withdrawal', withdraws: 'news' }, 'Withdrawal', 'withdraws news · by key1'],
  [{ ...logged, type: 'withdrawal', withdraws: '*' }, 'Withdrawal', 'withdraws all consents · by key1'],
  [{ ...logged, type: 'removal', campaignId: 'demo' }, 'Removed from do-not-call', 'demo · by key1'],
  [{ ...logged, type: 'erasure', reason: 'asked' }, 'Erasure', 'all campaigns · asked · by key1'],
])('An entry of a record is named, with what matters: %j', (entry, what, details) => {
  expect(describeEntry(entry, 'UTC')).toEqual([what, details])
})
