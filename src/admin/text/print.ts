// What the operator sees, and the only file that writes it: one JSON document for a program, or lines and tables for a
// person, and on stderr what goes with them. Clients choose much of what is shown, so no control character of theirs
// reaches the terminal. What the local server and a deployment print is wrangler's, and is passed on by their own files.

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
  const lines = [names.map(heading), ...rows.map((row) => names.map((name) => harmless(row[name] ?? '-')))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    printLine(cells.join('  ').trimEnd())
  }
}

/** `createdAt` is headed CREATED, `lastUsedAt` LAST USED, `campaignId` CAMPAIGN. */
function heading(name: string): string {
  return name
    .replace(/(?<=.)(At|Id)$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase()
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function printLine(line: string): void {
  process.stdout.write(`${harmless(line)}\n`)
}

/** A line on stderr: beside the output, not part of it. */
export function tellLine(line: string): void {
  process.stderr.write(`${harmless(line)}\n`)
}

/** Text of several lines that commander has made, such as help. */
export function printText(text: string): void {
  process.stdout.write(text.split('\n').map(harmless).join('\n'))
}

/**
 * Control characters (C0, DEL and C1), line separators, and what turns the direction of writing, as the escapes that
 * JSON has for them: in a JSON document nothing changes its meaning. Tabs and line ends become spaces, since a JSON
 * document has them between its tokens.
 */
export function harmless(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export type StatusLine = {
  /** On a terminal in place of what was shown before, elsewhere on a line of its own. */
  readonly show: (text: string) => void
  /** Something to read that stays, above it. */
  readonly tell: (line: string) => void
  readonly close: () => void
}

const eraseLine = '\r\x1b[K'

/** A line at the end of stderr that changes while a command works. */
export function openStatusLine(): StatusLine {
  const isTerminal = process.stderr.isTTY === true
  let shown = ''
  return {
    show: (text) => {
      if (!isTerminal) return tellLine(text)
      // A line that wraps could not be written over.
      shown = harmless(text).slice(0, (process.stderr.columns ?? 80) - 1)
      process.stderr.write(eraseLine + shown)
    },
    tell: (line) => {
      if (!isTerminal) return tellLine(line)
      process.stderr.write(`${eraseLine}${harmless(line)}\n${shown}`)
    },
    close: () => {
      if (shown !== '') process.stderr.write('\n')
    },
  }
}

/** What a shell calls a program that a closed pipe has ended. */
const brokenPipeExitCode = 141

/** Ends the process, and without a stack trace, when nobody reads its output (`| head`) or it cannot be written. */
export function endWhenUnwritable(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(brokenPipeExitCode)
      if (stream === process.stdout) tellLine(`error: the output cannot be written (${error.code})`)
      process.exit(1)
    })
  }
}
