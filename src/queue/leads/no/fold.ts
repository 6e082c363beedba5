// Texts as words: without accents, invisible characters and apostrophes, in lower case, `doNotCall` as three. Pure.

/** What stands between words that are not of one phrase: a comma, a full stop, a dash. */
export const stop = '|'
/** Digits, whichever. */
export const digits = '0'

/** Apostrophes first: decomposed, an acute accent alone is a blank. */
function decomposed(text: string): string {
  const bare = text.replace(/['’‘ʼ´`]/g, '')
  if (/^[\x20-\x7e]*$/.test(bare)) return bare
  return bare
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}']/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
}

/** As one text, punctuation kept. */
export const fold = (text: string): string => decomposed(text).toLowerCase().trim()

type Sort = 'lower' | 'upper' | 'digit' | 'stop' | 'dash' | 'dot' | 'or' | 'blank' | 'other'

function readSort(char: string): Sort {
  if (char >= 'a' && char <= 'z') return 'lower'
  if (char >= 'A' && char <= 'Z') return 'upper'
  if (/\s/.test(char)) return 'blank'
  if (',;!?…—'.includes(char)) return 'stop'
  if (char === '-' || char === '–') return 'dash'
  if (char === '.') return 'dot'
  if ('/\\&+'.includes(char)) return 'or'
  if (/\p{N}/u.test(char)) return 'digit'
  if (!/\p{L}/u.test(char)) return 'other'
  return char === char.toLowerCase() ? 'lower' : 'upper'
}

/** Beforehand for ASCII: texts are read a million at a time. */
const asciiSorts = Array.from({ length: 128 }, (_, code) => readSort(String.fromCharCode(code)))
/** Undefined: before or behind the text. */
const sortAt = (text: string, at: number): Sort | undefined =>
  at < 0 || at >= text.length ? undefined : (asciiSorts[text.charCodeAt(at)] ?? readSort(text.charAt(at)))

const isEdge = (sort: Sort | undefined) => sort === undefined || sort === 'blank'

/**
 * Camel case and digits end a word; a run of capitals ends before its last one where a small letter follows:
 * `DNCFlag`. A full stop ends a phrase before a blank, and so does a dash between two.
 */
export function wordsOf(text: string): string[] {
  const decomposedText = decomposed(text)
  const plain = decomposedText.includes('.')
    ? decomposedText.replace(/(?<!\p{L})(?:\p{L}\.){2,}/gu, (letters) => letters.replaceAll('.', ''))
    : decomposedText
  const words: string[] = []
  let from = 0
  const end = (at: number, mark?: string) => {
    if (at > from) words.push(plain.slice(from, at).toLowerCase())
    if (mark !== undefined && words.at(-1) !== mark && (mark !== stop || words.length > 0)) words.push(mark)
  }
  let before: Sort | undefined
  let sort = sortAt(plain, 0)
  for (let at = 0; at < plain.length; at++) {
    const next = sortAt(plain, at + 1)
    if (sort === 'upper' && (before === 'lower' || (before === 'upper' && next === 'lower'))) {
      end(at)
      from = at
    }
    if (sort !== 'lower' && sort !== 'upper') {
      const isStop =
        sort === 'stop' ||
        (sort === 'dot' && (isEdge(next) || next === 'dot')) ||
        (sort === 'dash' &&
          isEdge(before === 'dash' ? sortAt(plain, at - 2) : before) &&
          isEdge(next === 'dash' ? sortAt(plain, at + 2) : next))
      end(at, isStop ? stop : sort === 'digit' ? digits : sort === 'or' ? 'or' : undefined)
      from = at + 1
    }
    before = sort
    sort = next
  }
  end(plain.length)
  return words.at(-1) === stop ? words.slice(0, -1) : words
}
