// A cell of a CSV file that people open in a spreadsheet, and the text that was put into it. Rows and columns are
// decided where they are written and read.

/**
 * Where a spreadsheet would see a formula, an apostrophe goes in front of its first character (a full-width sign too):
 * at the start of the cell, and wherever another cell would start if the file were split at semicolon, tab, bar or
 * line break, which quoting does not prevent. Spaces, quotes and apostrophes may stand before it. A tab or line break
 * at the start of the cell is treated likewise.
 */
export function csvCell(text: string): string {
  const harmless = text.replace(formulaStart, "'")
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The text that csvCell was given, from the cell as a CSV parser reads it: takes one apostrophe off each formula. */
export function csvText(cell: string): string {
  return cell.replace(escapedFormulaStart, '')
}

// The character is looked for first and what stands before it after that, so that a long text costs one pass.
const formulaStart = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;|\t\r\n])[ "']*)|(?=[\t\r\n])(?<=^[ "']*)/g
const escapedFormulaStart = /'(?=[=+\-@＝＋－＠])(?<=(?:^|[;|\t\r\n])[ "']*)|'(?=[\t\r\n])(?<=^[ "']*)/g
