// How far an import is, on stderr: one line that is written over on a terminal, a line each time elsewhere.
/** Of the rows read so far. */
export type Tally = { rows: number; created: number; skipped: number; invalid: number }

export type Progress = {
  readonly show: (tally: Tally) => void
  /** Something to read that stays, above the bar. */
  readonly line: (text: string) => void
  readonly close: () => void
}

const barWidth = 20
const eraseLine = '\r\x1b[K'

export function openProgress(total: number): Progress {
  const isTerminal = process.stderr.isTTY === true
  let bar = ''
  const write = (text: string) => process.stderr.write(text)
  return {
    show: (tally) => {
      const count = `${tally.rows}/${total} rows`
      const parts = `${tally.created} created, ${tally.skipped} skipped, ${tally.invalid} invalid`
      if (!isTerminal) return void write(`${count}: ${parts}\n`)
      const filled = Math.floor((tally.rows / Math.max(total, 1)) * barWidth)
      const text = `[${'#'.repeat(filled).padEnd(barWidth, '.')}] ${count}: ${parts}`
      // A line that wraps could not be written over.
      bar = text.slice(0, (process.stderr.columns ?? 80) - 1)
      write(eraseLine + bar)
    },
    line: (text) => {
      write(isTerminal ? `${eraseLine}${text}\n${bar}` : `${text}\n`)
    },
    close: () => {
      if (bar !== '') write('\n')
    },
  }
}
