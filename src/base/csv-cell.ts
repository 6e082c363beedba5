// Escapes a cell of a CSV file so that a spreadsheet runs no formula in it, and reads it back.

/**
 * Puts an apostrophe before the first character of anything that a spreadsheet would run as a formula (full-width signs
 * too): at the start of the cell, and wherever a cell would start if the file were split at semicolon, tab, bar or line
 * break, which quoting does not prevent. Spaces, quotes and apostrophes may precede it. A tab or line break at the
 * start of the cell gets one too.
 */
export function csvCell(text: string): string {
  const harmless = text.replace(formulaStart, "'")
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The same for files that people read: a phone number keeps its + without an apostrophe. */
export const csvCellForPeople = (text: string) => (/^\+\d+$/.test(text) ? text : csvCell(text))

/** Reverses csvCell, on the cell as a CSV parser reads it: removes one apostrophe before each formula. */
export function csvText(cell: string): string {
  return cell.replace(escapedFormulaStart, '')
}

// Matches the character first and what precedes it second, so that a long text takes one pass.
const formulaStart = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;|\t\r\n])[ "']*)|(?=[\t\r\n])(?<=^[ "']*)/g
const escapedFormulaStart = /'(?=[=+\-@＝＋－＠])(?<=(?:^|[;|\t\r\n])[ "']*)|'(?=[\t\r\n])(?<=^[ "']*)/g
