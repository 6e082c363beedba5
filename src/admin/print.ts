// What the operator sees: one JSON document for a program, or lines and tables for a person.

type Cell = string | null

/** A time as the operator types it, or null for never. */
export function timestamp(ms: number): string
export function timestamp(ms: number | null): string | null
export function timestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** `rows` as the JSON array of a list, or as a table headed by their names. */
export function printList(rows: readonly Record<string, Cell>[], isJson: boolean, ifEmpty: string): void {
  if (isJson) printLine(JSON.stringify(rows))
  else if (rows.length === 0) printLine(ifEmpty)
  else printTable(rows)
}

/** `value` for a program, or `lines` for a person. */
export function printResult(value: object, isJson: boolean, lines: readonly string[]): void {
  for (const line of isJson ? [JSON.stringify(value)] : lines) printLine(line)
}

function printTable(rows: readonly Record<string, Cell>[]): void {
  const names = Object.keys(rows[0] ?? {})
  const lines = [names.map(heading), ...rows.map((row) => names.map((name) => row[name] ?? '-'))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    printLine(cells.join('  ').trimEnd())
  }
}

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** `createdAt` is headed CREATED, `campaignId` CAMPAIGN. */
function heading(name: string): string {
  return name.replace(/(?<=.)(At|Id)$/, '').toUpperCase()
}
