// Saves the progress of an import on disk until it is done, so that the same command resumes it and does not send
// confirmed rows again. Contains no data of leads.
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Tally } from '../../queue/leads/file/tally.ts'
import { projectDir } from '../deploy/wrangler.ts'

export type Progress = {
  /** What became of the confirmed rows, which are the first of the file. */
  readonly tally: Tally
  /** The report file, of which `bytes` are about confirmed rows. */
  readonly report: { readonly file: string; readonly bytes: number } | null
  /** The request that is sent now, or was at the interruption: the rows after the confirmed ones. */
  readonly pending: {
    readonly rows: number
    readonly idempotencyKey: string
    /** The service identifies a request by its API key too. */
    readonly apiKeyHint: string
    /** By the service's clock. */
    readonly sentAfterMs: number
  }
}

/** Git ignores it. */
const importsDir = join(projectDir, '.wrangler/imports')

/** `parts`: everything that decides what is sent where. A changed file is another import. */
export function importIdOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

const fileOf = (importId: string) => join(importsDir, `${importId}.json`)

/** Null: it has not started. */
export async function readProgress(importId: string): Promise<Progress | null> {
  try {
    return JSON.parse(await readFile(fileOf(importId), 'utf8'))
  } catch {
    return null
  }
}

export async function saveProgress(importId: string, progress: Progress): Promise<void> {
  const file = fileOf(importId)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(progress, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

export async function deleteProgress(importId: string): Promise<void> {
  await rm(fileOf(importId), { force: true })
}
