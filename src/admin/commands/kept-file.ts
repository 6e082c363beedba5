// The file of `event keep`: what a restore of D1 must not take back, as JSON lines. The first line is the time, the last one
// says that the file is complete.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { firstKept, type KeptPlace, type KeptRows, readKept, writeKept } from '../../companies/keep-rows.ts'
import { CommandFailed } from '../command-failed.ts'
import { onceUnlocked } from '../database.ts'

/** The deployed database is far away, and so many rows of a range have mostly not changed since. */
const rowsPerRange = 20_000
/** A value bound to a statement of D1 may have 2 MB. */
const rowsPerLine = 500

const lastLine = JSON.stringify('complete')

/** Returns how many rows are kept. */
export async function writeKeptFile(db: D1Database, file: string, toMs: number): Promise<number> {
  // Never over another one: after the restore it would have nothing.
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${file} cannot be written: ${error.code}`)
  })
  try {
    await handle.write(`${toMs}\n`)
    let count = 0
    for (let place: KeptPlace = firstKept; place !== null; ) {
      const from: NonNullable<KeptPlace> = place
      const { kept, next } = await onceUnlocked(() => readKept(db, toMs, from, rowsPerRange))
      count += kept.rows.length
      for (let first = 0; first < kept.rows.length; first += rowsPerLine) {
        const rows = kept.rows.slice(first, first + rowsPerLine)
        await handle.write(`${JSON.stringify({ table: kept.table, rows } satisfies KeptRows)}\n`)
      }
      place = next
    }
    await handle.write(`${lastLine}\n`)
    return count
  } finally {
    await handle.close()
  }
}

/** Whether it is the whole file of a restore to this time. Read before anything is written. */
export async function requireKeptFile(file: string, toMs: number): Promise<void> {
  let first: string | undefined
  let last: string | undefined
  for await (const line of linesOf(file)) {
    first ??= line
    last = line
  }
  if (last !== lastLine) throw new CommandFailed(`${file} is not complete`)
  if (first !== `${toMs}`)
    throw new CommandFailed(`${file} is of a restore to ${new Date(Number(first)).toISOString()}`)
}

/** Returns how many rows are written again. */
export async function restoreKeptFile(db: D1Database, file: string): Promise<number> {
  let count = 0
  for await (const line of linesOf(file)) {
    if (!line.startsWith('{')) continue
    const kept = JSON.parse(line) as KeptRows
    await onceUnlocked(() => writeKept(db, kept, undefined, Date.now()))
    count += kept.rows.length
  }
  return count
}

async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(file) })
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
