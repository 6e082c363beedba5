// Texts as words: without accents, invisible characters and apostrophes, in lower case, `doNotCall` as three. Pure.

/** What stands between two words that are not of one phrase: a comma, a full stop, a dash. */
export const stop = '|'
/** Digits, whichever. */
export const digits = '0'

const plain = /^[\x20-\x7e]*$/

/** Apostrophes first: decomposed, an acute accent alone is a blank. */
function decomposed(text: string): string {
  const bare = text.replace(/['’‘ʼ´`]/g, '')
  if (plain.test(bare)) return bare
  return bare
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}']/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
}

/** As one text, punctuation kept. */
export const fold = (text: string): string => decomposed(text).toLowerCase().trim()

/** Camel case and digits end a word; a run of capitals ends before its last one where a small letter follows: `DNCFlag`. */
export const wordsOf = (text: string): string[] =>
  decomposed(text)
    .replace(/(?<!\p{L})(?:\p{L}\.){2,}/gu, (letters) => letters.replaceAll('.', ''))
    .replace(/[,;!?…—]|\.(?=[\s.]|$)|(?:^|\s)[-–]+(?=\s|$)/gu, ` ${stop} `)
    .replace(/[/\\&+]/g, ' or ')
    .replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .replace(/\p{N}+/gu, ` ${digits} `)
    .toLowerCase()
    .replace(/[^\p{L}0|]+/gu, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '')
