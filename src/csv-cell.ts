// A cell of a CSV file that people open in a spreadsheet.

/**
 * Text that a spreadsheet would take for a formula, by a full-width sign too, gets an apostrophe in front. A phone
 * number starts with `+` but is only digits from there on, and must stay diallable.
 */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
