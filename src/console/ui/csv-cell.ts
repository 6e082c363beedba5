// A cell of a CSV file that people open in a spreadsheet, and the text that was put into it: the same rule as in the
// CSV files that the service writes.

/**
 * Where a spreadsheet would see a formula, an apostrophe goes in front of its first character (a full-width sign too):
 * at the start of the cell, and wherever another cell would start if the file were split elsewhere.
 */
export function csvCellOf(text: string): string {
  const harmless = text.replace(formulaStart, "'")
  return /[",;|\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** The text that csvCellOf was given, from the cell as a CSV parser reads it. */
export function textOfCell(cell: string): string {
  return cell.replace(escapedFormulaStart, '')
}

const formulaStart = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;|\t\r\n])[ "']*)|(?=[\t\r\n])(?<=^[ "']*)/g
const escapedFormulaStart = /'(?=[=+\-@＝＋－＠])(?<=(?:^|[;|\t\r\n])[ "']*)|'(?=[\t\r\n])(?<=^[ "']*)/g
