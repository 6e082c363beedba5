// What the console says of consents, beyond what a browser's tests show: a preview, and entries of a record.
import { expect, it } from 'vitest'
import { describeKept, describeKeptUntil, mayCallNow } from '../../../src/console/leads/lead-words.ts'
import { describePreview } from '../../../src/console/overview/campaign-state.ts'
import { describeLacking } from '../../../src/console/settings/consent-words.ts'
import { describeEntry } from '../../../src/console/settings/record-words.ts'
import { setLanguage } from '../../../src/console/ui/words/number-words.ts'
import type { RecordEntry } from '../../../src/sdk/src/models.ts'

const preview = {
  callableNow: 320,
  laterToday: 41,
  later: 0,
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
    { later: 400, blocked: { outside_hours: 390, spaced: 11 } },
    ': 320 leads can be called now, 41 later today, 400 tomorrow or later, 1 is blocked for other reasons.',
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
const logged = {
  ...{ at, withdraws: null, campaignId: null, actor: 'key1', actorName: null, reason: null },
  ...{ source: null, gateVersion: null },
}

it.each<[RecordEntry, what: string, details: string]>([
  [{ at, type: 'use', consentId: 'c', callId: 'k', outcome: null }, 'Consent used', 'In progress'],
  [
    { at, type: 'mention', leadId: 'l', campaignId: 'demo' },
    'In the metadata of another lead',
    'Campaign demo · l',
  ],
  [{ ...logged, type: 'withdrawal', withdraws: 'news' }, 'Withdrawal', 'withdraws news · by Key key1'],
  [{ ...logged, type: 'withdrawal', withdraws: '*' }, 'Withdrawal', 'withdraws all consents · by Key key1'],
  [
    { ...logged, type: 'removal', campaignId: 'demo' },
    'Removed from do-not-call',
    'Campaign demo · by Key key1',
  ],
  [{ ...logged, type: 'erasure', reason: 'asked' }, 'Erasure', 'all campaigns · asked · by Key key1'],
])('An entry of a record is named, with what matters: %j', (entry, what, details) => {
  const names = { campaign: (id: string) => `Campaign ${id}`, actor: (id: string | null) => `Key ${id}` }
  expect(describeEntry(entry, 'UTC', names)).toEqual([what, details])
})

it.each([
  [
    {},
    '4,760 of 5,331 leads in the queue have no such consent. Once you save, they are held, and not called.',
  ],
  [
    { withoutConsent: 1, isWhole: false },
    '1 of the first 5,331 leads in the queue has no such consent. Once you save, it is held, and not called.',
  ],
  [{ withoutConsent: 0 }, 'All of 5,331 leads in the queue have this consent.'],
  [{ withoutConsent: 0, counted: 0 }, 'No leads in the queue.'],
])('Before a consent is required, it is said how many leads lack it: %j', (more, words) => {
  setLanguage('en')
  expect(describeLacking({ withoutConsent: 4_760, counted: 5_331, isWhole: true, ...more })).toBe(words)
})

it('An erasure says what it will keep, by the years of the company, and then until when', () => {
  setLanguage('en')
  expect(describeKept(true, 5)).toMatch(/^A keyed hash of the number stays.+as proof .+until 5 years after/)
  expect(describeKept(false, 1)).toMatch(/^With the number’s last lead, .+until 1 year after/)
  expect(describeKept(false, 0)).toBe('Consents are deleted with the number’s last lead.')
  expect(describeKeptUntil({ consents: 2, until: '2031-11-20T09:00:00.000Z' }, 'UTC')).toMatch(
    /^2 consents of the number are kept as proof until .*2031/,
  )
  expect(describeKeptUntil({ consents: 0, until: null }, 'UTC')).toBe('No consent of the number is kept.')
})

it('A lead is offered to be called now only where it waits for its time, and has the consent that is required', () => {
  const isOffered = (
    status: 'raw' | 'concluded',
    ...codes: ('scheduled' | 'spaced' | 'suppressed' | 'no_consent')[]
  ) =>
    mayCallNow(
      { status },
      codes.map((code) => ({ code })),
    )
  expect([isOffered('raw', 'scheduled'), isOffered('raw', 'spaced')]).toEqual([true, true])
  expect(isOffered('raw', 'scheduled', 'no_consent')).toBe(false)
  expect(isOffered('raw', 'no_consent')).toBe(false)
  expect(isOffered('raw', 'spaced', 'suppressed')).toBe(false)
  expect(isOffered('concluded', 'spaced')).toBe(false)
  expect(isOffered('raw')).toBe(false)
})
