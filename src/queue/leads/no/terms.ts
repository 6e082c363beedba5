// The words of the judge by their first one, from the table in languages.ts.
import { languages } from './languages.ts'

/** As the head of languages.ts has them. */
type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Split<Rest> : Text
export type Kind =
  | Split<'not none after calls call called back order be contact contacted phone mobile lists barred'>
  | Split<'out consent revoked may allow me filler beside nothing asks until remove mine other'>
  | Split<'yes no stops active inactive clear agreed denied unknown told ask'>

/** `call(s|ed)` as calls and called. */
function expanded(pattern: string): readonly string[] {
  const [open, close] = [pattern.indexOf('('), pattern.indexOf(')')]
  if (open === -1) return [pattern]
  const endings = pattern.slice(open + 1, close).split('|')
  return endings.flatMap((one) => expanded(pattern.slice(0, open) + one + pattern.slice(close + 1)))
}

/** `languages`: a bit for each. */
type Term = { readonly kind: Kind; readonly words: readonly string[]; readonly languages: number }
const names = Object.keys(languages)
export const languageCount = names.length
export const bitOf = (language: keyof typeof languages) => 1 << names.indexOf(language)
export const allLanguages = -1

function readTerms(): ReadonlyMap<string, readonly Term[]> {
  const byWord = new Map<string, Term[]>()
  for (const [language, lines] of Object.entries(languages))
    for (const line of lines.replace(/\s+/g, ' ').split(';')) {
      const [kind, patterns = ''] = line.trim().split(':') as [Kind, string]
      const bits = language === 'systems' ? allLanguages : bitOf(language as keyof typeof languages)
      for (const words of patterns
        .split(',')
        .flatMap((one) => expanded(one.trim()).map((term) => term.split(' ')))) {
        const terms = byWord.get(words[0] as string) ?? []
        const same = terms.findIndex((one) => one.kind === kind && one.words.join(' ') === words.join(' '))
        if (same === -1) terms.push({ kind, words, languages: bits })
        else terms[same] = { kind, words, languages: bits | (terms[same]?.languages ?? 0) }
        byWord.set(words[0] as string, terms)
      }
    }
  for (const terms of byWord.values()) terms.sort((one, other) => other.words.length - one.words.length)
  return byWord
}

let terms: ReadonlyMap<string, readonly Term[]> | undefined
/** By their first word, the longest first. Read when they are needed: a start of the Worker costs nothing for them. */
export function termsByWord(): ReadonlyMap<string, readonly Term[]> {
  terms ??= readTerms()
  return terms
}
