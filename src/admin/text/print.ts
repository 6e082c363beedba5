// The only file that writes to the terminal: one JSON document for a program, or lines and tables for a person, with
// notes on stderr. Clients choose much of the content, so their control characters are escaped. The output of the local
// server and of a deployment comes from wrangler, and their own files pass it on.
import { createInterface } from 'node:readline/promises'

/** `value` for a program, or `lines` for a person. */
export function printResult(value: object, isJson: boolean, lines: readonly string[]): void {
  for (const line of isJson ? [JSON.stringify(value)] : lines) printLine(line)
}

/** Under the headings of these names. */
export function printTable(names: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [names.map(headingOf), ...rows.map((row) => row.map(escapeControls))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  for (const line of lines) {
    const cells = line.map((cell, column) => cell.padEnd(widths[column] ?? 0))
    printLine(cells.join('  ').trimEnd())
  }
}

/** `createdAt` becomes CREATED, `lastUsedAt` LAST USED, `campaignId` CAMPAIGN, `_id` ID. */
export function headingOf(name: string): string {
  return name
    .replace(/^_/, '')
    .replace(/(?<=.)(At|Id)$/, '')
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toUpperCase()
}

/** `1 row`, `2 rows`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`
}

export function printLine(line: string): void {
  process.stdout.write(`${escapeControls(line)}\n`)
}

/** A line on stderr, not part of the output. */
export function logLine(line: string): void {
  process.stderr.write(`${escapeControls(line)}\n`)
}

/** What a person answers; null: there is no terminal. */
export async function askPerson(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question(escapeControls(question))
  } finally {
    terminal.close()
  }
}

/** Text of several lines that commander has made, such as help. */
export function printText(text: string): void {
  process.stdout.write(text.split('\n').map(escapeControls).join('\n'))
}

/**
 * Writes control characters (C0, DEL and C1), line separators and direction marks as JSON escapes, which keeps the
 * meaning of a JSON document. Tabs and line ends become spaces, since a JSON document has them between its tokens.
 */
function escapeControls(text: string): string {
  return text.replace(/[\t\n\r]/g, ' ').replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export type StatusLine = ReturnType<typeof openStatusLine>

const eraseLine = '\r\x1b[K'

/** A line at the end of stderr that changes while a command works. */
export function openStatusLine() {
  const isTerminal = process.stderr.isTTY === true
  let shown = ''
  const log = (line: string, [before, after] = ['', '']) => {
    if (!isTerminal) return logLine(line)
    process.stderr.write(`${eraseLine}${before}${escapeControls(line)}${after}\n${shown}`)
  }
  return {
    /** Replaces the previous text on a terminal; elsewhere prints a line. */
    show: (text: string) => {
      if (!isTerminal) return logLine(text)
      // A line that wraps could not be overwritten.
      shown = escapeControls(text).slice(0, (process.stderr.columns ?? 80) - 1)
      process.stderr.write(eraseLine + shown)
    },
    /** Prints a line of the output above it. */
    print: (line: string) => {
      if (isTerminal) process.stderr.write(eraseLine)
      printLine(line)
      if (isTerminal) process.stderr.write(shown)
    },
    /** Prints a permanent line above it. */
    log: (line: string) => log(line),
    /** The same, in red. */
    warn: (line: string) => log(`Warning: ${line}`, ['\x1b[31m', '\x1b[0m']),
    close: () => {
      if (shown !== '') process.stderr.write('\n')
    },
  }
}

/** The exit code in a shell of a program that a closed pipe has ended. */
const brokenPipeExitCode = 141

/** Ends the process without a stack trace when its output cannot be written, or its reader has closed it (`| head`). */
export function endWhenUnwritable(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(brokenPipeExitCode)
      if (stream === process.stdout) logLine(`error: the output cannot be written (${error.code})`)
      process.exit(1)
    })
  }
}
