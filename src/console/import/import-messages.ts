// What the page and the import's worker tell each other. The worker reads, judges and sends; the page shows, and
// decides when.
import type { Meaning } from './file/columns.ts'
import type { Tally } from './file/import-chunks.ts'

/** `companyId` null: it is not known, and no earlier import is gone on with. */
export type Target = { readonly companyId: string | null; readonly campaignId: string }

export type ToWorker =
  | { readonly kind: 'open'; readonly file: File; readonly target: Target }
  | { readonly kind: 'check'; readonly meanings: readonly Meaning[] }
  | { readonly kind: 'send'; readonly key: string; readonly fromStart: boolean }
  | { readonly kind: 'pause' }
  | { readonly kind: 'problems'; readonly from: number }
  | { readonly kind: 'rejected_file' }

export type FromWorker =
  | { readonly kind: 'reading'; readonly share: number }
  | {
      readonly kind: 'opened'
      readonly headers: readonly string[]
      readonly meanings: readonly Meaning[]
    }
  | { readonly kind: 'checked'; readonly check: Check; readonly earlier: Earlier | null }
  | { readonly kind: 'sending'; readonly tally: Tally; readonly wait: Wait | null }
  | { readonly kind: 'stopped'; readonly tally: Tally; readonly reason: string | null }
  | { readonly kind: 'done'; readonly tally: Tally }
  | { readonly kind: 'problems'; readonly from: number; readonly problems: readonly Problem[] }
  | { readonly kind: 'rejected_file'; readonly file: Blob }
  | { readonly kind: 'unreadable'; readonly message: string }

/** An import of this file, with its columns taken as they are, that broke off or is done. */
export type Earlier = { readonly tally: Tally; readonly isDone: boolean }

export type Problem = { readonly row: number; readonly problem: string }

export type PreviewRow = {
  readonly row: number
  /** Cut to what a table can show. */
  readonly cells: readonly string[]
  readonly problem: string | null
}

export type Check = {
  readonly rows: number
  readonly valid: number
  readonly invalid: number
  /** Phone numbers that stand in an earlier row. */
  readonly repeated: number
  readonly preview: readonly PreviewRow[]
  readonly problems: readonly Problem[]
}

/** Why nothing is sent for a moment. */
export type Wait = { readonly why: 'limit' | 'unreached' | 'busy'; readonly seconds: number }

export const previewRows = 50
export const previewColumns = 40
export const problemsAtOnce = 50
