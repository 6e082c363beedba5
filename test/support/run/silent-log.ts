// The service logs every request, and Vitest carries each line to another process to drop it there. Here it stays until
// the test is over, and continues only when it has failed.
import { beforeEach } from 'vitest'

const mostLines = 200
let lines: (() => void)[] = []

// Once in a runtime, not once for each file.
for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) {
  const write = console[level].bind(console)
  console[level] = (...args: unknown[]) => {
    lines.push(() => write(...args))
    if (lines.length > mostLines) lines.shift()
  }
}

/** For the tests of this file. */
export function silenceLog(): void {
  beforeEach(({ onTestFailed }) => {
    lines = []
    onTestFailed(() => {
      for (const writeLine of lines) writeLine()
    })
  })
}
