// Outcomes and what a campaign may change of them, and how a change of settings is merged.
import { describe, expect, it } from 'vitest'
import {
  defaultOutcomes,
  forbidsCalls,
  type Outcome,
  outcomes,
  reportedOutcomes,
  resolveOutcomes,
} from '../../../src/queue/campaigns/outcomes.ts'
import { changeSettings, defaultSettings } from '../../../src/queue/campaigns/settings.ts'

it.each<[Outcome, string]>([
  ['answered', 'done'],
  ['not_interested', 'done'],
  ['wrong_number', 'dead'],
  ['invalid_number', 'dead'],
  ['do_not_call', 'dead'],
  ['no_answer', 'retry after 60'],
  ['busy', 'retry after 15'],
  ['voicemail', 'retry after 240'],
  ['failed', 'retry after 30'],
  ['abandoned', 'retry after 4320'],
  ['callback_requested', 'appointment'],
  ['unknown', 'retry after 60'],
])('The outcome %s means %s', (outcome, expected) => {
  const rule = defaultOutcomes[outcome]
  expect(rule.class === 'retry' ? `retry after ${rule.minutes}` : rule.class).toBe(expected)
})

it('Outcomes are reported by agents, all but the one that is ours', () => {
  expect(outcomes.filter((outcome) => !(reportedOutcomes as string[]).includes(outcome))).toEqual(['unknown'])
})

it('Outcomes forbid further calls in one case only', () => {
  expect(outcomes.filter(forbidsCalls)).toEqual(['do_not_call'])
})

it('Outcomes keep their rules except what a campaign changes', () => {
  const rules = resolveOutcomes({ busy: { minutes: 5 }, voicemail: { class: 'done' } })
  expect(rules).toEqual({
    ...defaultOutcomes,
    busy: { class: 'retry', minutes: 5 },
    voicemail: { class: 'done', minutes: 240 },
  })
})

describe('A change of settings', () => {
  const changed = changeSettings(defaultSettings, {
    timeZone: 'Europe/Berlin',
    maxAttempts: 5,
    callingHours: { sat: [['10:00', '12:00']] },
    numberLimits: { per24Hours: null },
    outcomes: { busy: { minutes: 5 } },
  })

  it('A change of settings leaves alone what it does not name', () => {
    expect(changed).toEqual({
      ...defaultSettings,
      timeZone: 'Europe/Berlin',
      maxAttempts: 5,
      callingHours: { ...defaultSettings.callingHours, sat: [['10:00', '12:00']] },
      numberLimits: { minGapMinutes: 15, per24Hours: null, per7Days: 7 },
      outcomes: { ...defaultOutcomes, busy: { class: 'retry', minutes: 5 } },
    })
    expect(changeSettings(changed, {})).toEqual(changed)
    expect(changeSettings(changed, { maxAttempts: undefined, outcomes: { busy: undefined } })).toEqual(
      changed,
    )
  })

  it('A change of settings restores defaults by null', () => {
    const names = Object.keys(defaultSettings)
    const allNull = Object.fromEntries(names.map((name) => [name, null]))
    expect(changeSettings(changed, allNull)).toEqual(defaultSettings)
    expect(changeSettings(changed, { outcomes: { busy: null } }).outcomes).toEqual(defaultOutcomes)
  })
})
