// What values say: as answers under a name, and texts by themselves.
import { describe, expect, it } from 'vitest'
import {
  type Answer,
  answerOf,
  partSays,
  type Under,
  valueSays,
} from '../../../../src/queue/leads/no/judge.ts'
import shared from '../../../support/leads/no-cases.json' with { type: 'json' }
import { answers, texts } from './cases.ts'

const isSilent = (answer: Answer) => answer === 'no' || answer === 'nothing'

describe('An answer under a name that says no', () => {
  const said = (values: readonly unknown[], under: Under) =>
    values.map((value) => [value, answerOf(value, under)])

  it('Yes is known in nine languages, and so are the states that mean it', () => {
    const values = [...shared.answers.yes, ...answers.yes]
    expect(said(values, 'no')).toEqual(values.map((value) => [value, 'yes']))
    expect(said(values, 'maybe')).toEqual(values.map((value) => [value, 'yes']))
  })

  it('No, what is not known, and a phone number call nobody off', () => {
    for (const value of [...shared.answers.no, ...answers.none, '-', '—', '', '  '])
      expect([value, isSilent(answerOf(value, 'no'))]).toEqual([value, true])
    for (const value of [
      '+49 171 1234567',
      'tel:+13035551234',
      '(303) 555-1234',
      'n/a',
      '-',
      null,
      undefined,
      [],
      {},
    ])
      expect([value, answerOf(value, 'no')]).toEqual([value, 'nothing'])
  })

  it('Whatever is neither is unclear', () => {
    const values = [...shared.answers.unclear, ...answers.unclear, 2, -1, 0.5, Number.NaN, Symbol('x')]
    expect(said(values, 'no')).toEqual(values.map((value) => [value, 'unclear']))
  })

  it('A flag is heard unless it is clearly none', () => {
    for (const flag of shared.flags.do_not_call)
      expect([flag, isSilent(answerOf(flag, 'no'))]).toEqual([flag, false])
    for (const flag of shared.flags.not) expect([flag, isSilent(answerOf(flag, 'no'))]).toEqual([flag, true])
  })

  it('A no under a permission is known in nine languages, and all else is none', () => {
    expect(said(answers.permissionNo, 'permission')).toEqual(
      answers.permissionNo.map((value) => [value, 'no']),
    )
    for (const value of [...answers.permissionOther, true, 1, ['yes'], { value: 'yes' }])
      expect([value, answerOf(value, 'permission')]).not.toEqual([value, 'no'])
    for (const value of ['yes', 'granted', 'opted in', 'accepted', 'active', 'I agree', true])
      expect([value, answerOf(value, 'permission')]).toEqual([value, 'yes'])
  })

  it('An agreement is a yes under a permission, and under a name of no nobody knows to what', () => {
    const { agreed } = answers
    expect(said(agreed, 'permission')).toEqual(agreed.map((value) => [value, 'yes']))
    expect(said(agreed, 'no')).toEqual(agreed.map((value) => [value, 'unclear']))
  })

  it.each<[value: unknown, answer: Answer]>([
    [['no', 'yes'], 'yes'],
    [['no', 'perhaps'], 'unclear'],
    [['', 'no'], 'no'],
    [['', null], 'nothing'],
    [{ value: 'no', rationale: 'yes, he said' }, 'no'],
    [{ value: false, confidence: 0.9, reason: 'asked' }, 'no'],
    [{ objective: 'No', subjective: 'Yes, he was fine with it' }, 'no'],
    [{ objective: 'null', subjective: 'Do not call again' }, 'yes'],
    [{ selected: { id: '7', title: 'Yes' } }, 'yes'],
    [{ type: 'checkbox', checkbox: true }, 'yes'],
    [{ id: 'a', type: 'checkbox', checkbox: false }, 'no'],
    [{ label: 'DNC', value: 'No', options: ['No', 'Yes'] }, 'no'],
    [{ id: '1', name: 'Yes' }, 'yes'],
    [{ text: 'Yes', isDefault: false }, 'yes'],
    [{ name: 'Do not call', enabled: false }, 'no'],
    [{ set: false, changedAt: '2026-01-01' }, 'no'],
    [{ at: '2026-01-01' }, 'yes'],
    [{ 0: 'yes' }, 'yes'],
    ['{"value": "yes"}', 'yes'],
    ['["no"]', 'no'],
    [{ status: 'inactive', message: 'Yes', code: '1', date: '2026-01-01' }, 'no'],
    [{ Email: { status: 'active' }, Call: { status: 'inactive' } }, 'no'],
    [{ Email: { status: 'inactive' }, Call: { status: 'active', message: '' } }, 'yes'],
    [[{ channel: 'email', reason: 3 }], 'nothing'],
    ['phone', 'yes'],
    ['e-mail, phone', 'yes'],
    ['email', 'unclear'],
    [1_716_900_000_000, 'yes'],
  ])('Of a list the heaviest counts, of an object its answer: %j', (value, answer) => {
    expect(answerOf(value, 'no')).toBe(answer)
  })

  it('What is nested too deep is unclear', () => {
    let value: unknown = 'no'
    for (let depth = 0; depth < 200; depth++) value = [value]
    expect(answerOf(value, 'no')).toBe('unclear')
  })
})

describe('A text that says no by itself', () => {
  const said = (list: readonly string[], where?: 'entry' | 'tags' | 'outcome') =>
    list.filter((text) => valueSays(text, where))

  it('It does anywhere, with no more beside it than such words', () => {
    for (const where of ['entry', 'tags', 'outcome'] as const)
      expect(said(texts.say, where)).toEqual(texts.say)
    expect(said(shared.values.say, 'tags')).toEqual(shared.values.say)
  })

  it('Stop and opting out say it among tags and as an outcome alone', () => {
    expect(said(texts.sayAmongTags, 'tags')).toEqual(texts.sayAmongTags)
    expect(said(texts.sayAmongTags, 'outcome')).toEqual(texts.sayAmongTags)
    expect(said(texts.sayAmongTags)).toEqual([])
  })

  it('Other texts do not: not reached, other channels, other hours, long ones', () => {
    for (const where of ['entry', 'tags', 'outcome'] as const)
      expect(said([...texts.doNot, ...shared.values.doNot], where)).toEqual([])
    for (const where of ['tags', 'outcome'] as const)
      expect([...texts.doNot, ...shared.values.doNot].filter((text) => partSays(text, where))).toEqual([])
    expect(valueSays(`Please do not call me${' please'.repeat(8)}`)).toBe(true)
    expect(valueSays(`Please do not call me${' please'.repeat(9)}`)).toBe(false)
  })

  it('An outcome that says it is do_not_call, and no other is', () => {
    const isHeard = (outcome: string | readonly string[]) =>
      [outcome].flat().some((text) => partSays(text, 'outcome'))
    for (const outcome of shared.outcomes.do_not_call)
      expect([outcome, isHeard(outcome)]).toEqual([outcome, true])
    for (const outcome of shared.outcomes.other) expect([outcome, isHeard(outcome)]).toEqual([outcome, false])
  })
})
