// The words for yes and no in a cell. To add a word, add its line here and in src/queue/leads/no/languages.ts.
import { describe, expect, it } from 'vitest'
import { wordAnswer } from '../../../src/queue/leads/no/judge.ts'
import { termsByWord } from '../../../src/queue/leads/no/terms.ts'

const yes =
  `true TRUE True t yes Yes YES y Y 1 1.0 on ON x X checked Checked ticked ☑ ✓ ✔ ✔️ ✅ ja Ja JA j J wahr WAHR oui Oui
  vrai VRAI si SI sí Sí sì Sì s S verdadero VERDADERO vero VERO waar sim Sim verdadeiro tak Tak prawda PRAWDA sant
  ＹＥＳ ｙｅｓ Ｙ Ｊａ １`.split(/\s+/)
const no =
  `false FALSE False f no No NO n N 0 0.0 off unchecked ☐ nein Nein falsch FALSCH non Non faux FAUX falso FALSO nee
  onwaar não Não NÃO nao nie Nie fałsz FAŁSZ nej Nej falskt ＮＯ ｎｏ Ｎｅｉｎ ０`.split(/\s+/)
const neither = [
  '?',
  '2',
  'unknown',
  'maybe',
  '✗',
  'o',
  'email',
  'yes, by mail',
  '2026-01-01',
  'not yet',
  'nope',
]

describe('The words for yes and no', () => {
  it.each(yes)('A cell with %j says yes', (word) => {
    expect([wordAnswer(word), wordAnswer(` ${word}\t`)]).toEqual(['yes', 'yes'])
  })

  it.each(['', '  ', '\u00a0', '-'])('A cell with %j says nothing', (word) => {
    expect(wordAnswer(word)).toBe('nothing')
  })

  it.each(no)('A cell with %j says no', (word) => {
    expect([wordAnswer(word), wordAnswer(` ${word}\t`)]).toEqual(['no', 'no'])
  })

  it.each(neither)('A cell with %j says neither yes nor no', (word) => {
    expect(wordAnswer(word)).toBeNull()
  })

  it('Every word has a line here, and none says both', () => {
    const folded = (words: readonly string[]) =>
      new Set(
        words.map((word) => word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace('ł', 'l')),
      )
    const [yesWords, noWords] = (['yes', 'no'] as const).map((kind) => {
      const terms = [...termsByWord().values()].flat().filter((term) => term.kind === kind)
      return new Set(terms.map(({ words }) => words.join(' ')))
    })
    expect(yesWords).toEqual(folded(yes))
    expect(noWords).toEqual(folded(no))
    expect(yes.filter((word) => folded(no).has(word))).toEqual([])
  })
})
