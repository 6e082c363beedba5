// How far an import came, kept on the disk while it is not done, so that the same command goes on from there and does
// not send again what was confirmed. Nothing of a lead is in it. How far it is on the screen is import.ts's to say.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { projectDir } from '../deploy/wrangler.ts'
import type { Tally } from './verdict.ts'

export type Progress = {
  /** Of the rows that are confirmed, which are the first of the file. */
  readonly tally: Tally
  /** The report's, of which `bytes` are about confirmed rows. */
  readonly report: { readonly file: string; readonly bytes: number } | null
  /** What is sent, or was when the import broke off: the rows after the confirmed ones. */
  readonly pending: {
    readonly rows: number
    readonly idempotencyKey: string
    /** The API key is part of what the service knows a request by. */
    readonly apiKeyHint: string
    /** By the service's clock. */
    readonly sentAfterMs: number
  }
}

/** In the local state, which git ignores. */
const importsDir = join(projectDir, '.wrangler/imports')

/** An import is known by all that decides what it sends where. `parts`: a changed file is another import. */
export function importIdOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

const fileOf = (importId: string) => join(importsDir, `${importId}.json`)

/** Null: it has not begun. */
export async function readProgress(importId: string): Promise<Progress | null> {
  try {
    return JSON.parse(await readFile(fileOf(importId), 'utf8')) as Progress
  } catch {
    return null
  }
}

export async function keepProgress(importId: string, progress: Progress): Promise<void> {
  const file = fileOf(importId)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(progress, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

export async function forgetProgress(importId: string): Promise<void> {
  await rm(fileOf(importId), { force: true })
}
