// The words for yes and no in a cell. To add one, write it into a line of its language: in lower case and without accents,
// as a cell is folded before it is looked up. A word that people mean in both ways, such as a dash or a cross, is none.

const words: readonly (readonly [language: string, yes: string, no: string])[] = [
  ['English', 'true t yes y', 'false f no n'],
  ['systems', '1 1.0 on x checked ☑ ✓ ✔ ✅', '0 0.0 off unchecked ☐'],
  ['German', 'ja j wahr', 'nein falsch'],
  ['French', 'oui vrai', 'non faux'],
  ['Spanish', 'si s verdadero', 'falso'],
  ['Italian', 'vero', ''],
  ['Dutch', 'waar', 'nee onwaar'],
  ['Portuguese', 'sim verdadeiro', 'nao'],
  ['Polish', 'tak prawda', 'nie fałsz'],
]

const wordsAt = (place: 1 | 2) =>
  words.flatMap((line) => line[place].split(' ').filter((word) => word !== ''))
export const yesWords: ReadonlySet<string> = new Set(wordsAt(1))
export const noWords: ReadonlySet<string> = new Set(wordsAt(2))

/** Null: neither. An empty cell says no. */
export function readYesNo(cell: string): 'yes' | 'no' | null {
  const word = cell
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .trim()
    .toLowerCase()
  if (yesWords.has(word)) return 'yes'
  return word === '' || noWords.has(word) ? 'no' : null
}
