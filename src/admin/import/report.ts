// What an import tells of the rows that it did not create: a CSV file of its own, or lines on stderr.
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { csvCell } from '../../csv-cell.ts'
import { CommandFailed } from '../wrangler.ts'
import type { BulkResult } from './client.ts'
import type { CsvRow } from './csv.ts'
import type { Progress } from './progress.ts'

export type Report = {
  readonly add: (row: CsvRow, result: BulkResult) => void
  readonly close: () => Promise<void>
}

/** Throws CommandFailed when the file cannot be written: better now than after the import. */
export async function openReport(file: string | undefined, progress: Progress): Promise<Report> {
  if (file === undefined) {
    const add = (row: CsvRow, result: BulkResult) => progress.line(describe(row, result))
    return { add, close: async () => {} }
  }
  const handle = await open(file, 'w').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`the report ${file} cannot be written (${error.code})`)
  })
  const stream = createWriteStream('', { fd: handle })
  stream.write('row,status,phoneNumber,leadId,reason\r\n')
  return {
    add: (row, result) => {
      const { leadId } = result
      const phoneNumber = /^\+\d+$/.test(row.phoneNumber) ? row.phoneNumber : csvCell(row.phoneNumber)
      const cells = [row.row, result.status, phoneNumber, leadId ?? '', csvCell(reasonOf(result))]
      stream.write(`${cells.join()}\r\n`)
    },
    close: () => new Promise((resolve, reject) => stream.once('error', reject).end(resolve)),
  }
}

function describe(row: CsvRow, result: BulkResult): string {
  // Control characters would be obeyed by the terminal.
  const phoneNumber = row.phoneNumber.replace(/\p{Cc}/gu, '?')
  const leadId = result.leadId ? ` (${result.leadId})` : ''
  return `row ${row.row} ${result.status} ${phoneNumber}: ${reasonOf(result)}${leadId}`
}

function reasonOf(result: BulkResult): string {
  return result.error ?? 'Lead already exists'
}
