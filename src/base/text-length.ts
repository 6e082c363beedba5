// How long a text is.

/** Counts Unicode characters. A text of more than two units a character is too long without counting. */
export const isAtMost = (text: string, maxChars: number) =>
  text.length <= maxChars || (text.length <= 2 * maxChars && [...text].length <= maxChars)
