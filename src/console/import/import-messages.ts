// The messages between the page and the import's worker. The worker reads, validates and sends; the page shows progress
// and decides when.

import { limits } from '../../base/limits.ts'
import type { DateOrder } from '../../queue/leads/file/cells/date-cell.ts'
import type { NumberChange } from '../../queue/leads/file/cells/number-reading.ts'
import type { ClockLine, ZoneChoices } from '../../queue/leads/file/clock-words.ts'
import type { LeadPart, Meaning } from '../../queue/leads/file/columns.ts'
import type { DoNotCallScope } from '../../queue/leads/file/do-not-call.ts'
import type { Group } from '../../queue/leads/file/groups.ts'
import type { Doubt } from '../../queue/leads/file/held/doubt.ts'
import type { FileForm, FileQuestion } from '../../queue/leads/file/open/opened-file.ts'
import { type Tally as AnyTally, emptyTally as nothing } from '../../queue/leads/file/tally.ts'

/** `suppressed`: of those created, stored but not called. */
export type Tally = AnyTally & { readonly suppressed: number }
export const emptyTally: Tally = { ...nothing, suppressed: 0 }

export const leadsPerMinute = limits.bulkRequestsPerMinutePerKey * limits.leadsPerBulk

/** `isOfCompany`: the key is, not of one campaign. */
export type Target = {
  readonly companyId: string
  readonly campaignId: string
  readonly isOfCompany: boolean
}

/** What a person says about the file: how its cells are to be read. */
export type Choices = {
  /** Where national numbers are from. Null: numbers without a country code are errors. */
  readonly country: string | null
  /** Kinds of changes that are not wanted: their rows are invalid. */
  readonly turnedOff: readonly NumberChange[]
  /** Whether numbers that lack their plus get it. */
  readonly isPlusAdded?: boolean | undefined
  /** Null: dates must have an offset. */
  readonly dates: DateOrder | null
  /** By whose clock those dates are read: the campaign's. */
  readonly timeZone: string
  /** Null: the campaign has none, so no clock is compared with it. */
  readonly campaignZone?: string | null | undefined
  readonly zones?: ZoneChoices | undefined
  readonly hasHeader: boolean
  /** The column that has the phone number where its own is empty. */
  readonly insteadPlace?: number | undefined
  /** The columns of which a person has said what they are. */
  readonly settled?: readonly number[] | undefined
  /** For all rows with the time of a consent, where their own is empty. */
  readonly consentPurpose?: string | undefined
  readonly consentText?: string | undefined
  readonly unusable?: Unusable
  /** Where the numbers of rows that say no are suppressed. Undefined: nobody has said. */
  readonly doNotCall?: DoNotCallScope | undefined
}

/** A campaign's key suppresses in its campaign. */
export function scopeOf({ doNotCall }: Choices, isOfCompany: boolean): DoNotCallScope {
  if (doNotCall === 'skip') return doNotCall
  return isOfCompany ? (doNotCall ?? 'company') : 'campaign'
}

/** What happens to a cell that a lead can do without: it is left out, or its row is. Undefined: nobody has said. */
export type Unusable = { readonly [field in LeadPart]?: 'ignore' | 'leave_out' }

export type ToWorker =
  /** `hasHeader`: as the person says; undefined: recognized. */
  | {
      readonly kind: 'open'
      readonly file: File
      readonly target: Target
      readonly campaignZone: string | null
      readonly hasHeader: boolean | undefined
      readonly form: FileForm
    }
  /** A file of phone numbers. */
  | { readonly kind: 'text'; readonly file: File; readonly sheet: string | undefined }
  | {
      readonly kind: 'check'
      readonly turn: number
      readonly key: string
      readonly meanings: readonly Meaning[]
      readonly choices: Choices
    }
  | { readonly kind: 'try'; readonly key: string }
  | { readonly kind: 'send'; readonly key: string; readonly fromStart: boolean }
  | { readonly kind: 'pause' }
  /** Shows more than so many. */
  | { readonly kind: 'problems'; readonly count: number }
  | { readonly kind: 'invalid_rows' }

export type FromWorker =
  /** What has changed. `turn`: of the request to check that it answers. A newer one may be on its way. */
  | { readonly kind: 'view'; readonly view: Partial<ImportView>; readonly turn?: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'invalid_rows'; readonly file: Blob }

/** What the page shows. */
export type ImportView = {
  readonly step: 'pick' | 'open' | 'map' | 'send' | 'done'
  /** While it is opened, to open it again with the answer. */
  readonly question: FileQuestion | null
  readonly fileName: string
  readonly headers: readonly string[]
  readonly meanings: readonly Meaning[]
  readonly choices: Choices
  /** By two letters. */
  readonly countries: readonly string[]
  readonly earlier: Earlier | null
  /** How much of the file is read, 0 to 1. */
  readonly readShare: number
  /** For the columns as chosen; null until it is complete. */
  readonly check: Check | null
  /** What that check found. Null: not asked for. */
  readonly trial: Trial | null
  readonly isSending: boolean
  readonly wait: Wait | null
  readonly tally: Tally
  /** The first of the check's. */
  readonly problems: readonly Problem[]
  readonly failure: string | null
  readonly startedAtMs: number
  readonly startedRows: number
}

/** What would become of the rows, by the service: so far, or why it is not known. `causes`: what only it finds. */
export type Trial =
  | { readonly kind: 'running'; readonly rows: number; readonly wait: Wait | null }
  | { readonly kind: 'done'; readonly tally: Tally; readonly causes: readonly Group<string>[] }
  | { readonly kind: 'failed'; readonly reason: string }

/** An earlier import of this file with the same columns, finished or not. */
export type Earlier = { readonly tally: Tally; readonly isDone: boolean }

/** As the service found it. */
export type InvalidRow = readonly [row: number, problem: string]

/** `value`: the cell that it is about, shortened. */
export type Problem = { readonly row: number; readonly value: string; readonly problem: string }

export type PreviewRow = {
  readonly row: number
  /** Shortened for the table. */
  readonly cells: readonly string[]
  readonly problem: string | null
}

export type Check = {
  readonly rows: number
  readonly valid: number
  readonly invalid: number
  /** Rows whose phone number is in an earlier row too. */
  readonly repeated: number
  readonly preview: readonly PreviewRow[]
  /** The invalid rows by what is wrong with them. */
  readonly causes: readonly Group<string>[]
  /** Cells that are not sent as they are in the file. */
  readonly changes: readonly Group<NumberChange | 'date' | 'costly'>[]
  /** Cells that leads can do without, by field, ignored or not. */
  readonly unusable: readonly Group<LeadPart>[]
  /** Rows whose number must not be called, and how many numbers that are. */
  readonly held: number
  readonly nos: number
  /** Rows that say no of a number that cannot be read. */
  readonly unreadableDoNotCall: number
  /** The headers of columns that look like one that says no, and are not used as one. */
  readonly overruled: readonly string[]
  /** Columns that may say who must not be called, and of which nobody has said so yet. */
  readonly doubts: readonly Doubt[]
  readonly hasEmptyNumbers: boolean
  /** The country of most of the complete numbers. */
  readonly guess: string | null
  /** Whether dates without an offset were found. */
  readonly hasDates: boolean
  /** Countries of numbers whose clocks differ from the campaign's. */
  readonly clocks: readonly ClockLine[]
  /** Which numbers are costly; nobody else looks at them before they are called. */
  readonly costly: string | null
}

/**
 * What a person must choose before the import: what becomes of unusable cells, by whose clock to call, and which
 * columns say who must not be called.
 */
export const openQuestions = ({ unusable, clocks, doubts }: Check, choices: Choices) => ({
  doubts,
  cells: unusable.filter(({ name }) => choices.unusable?.[name] === undefined),
  clocks: clocks.filter(({ country, preselected }) => !(choices.zones?.[country] ?? preselected)),
})

/** Why sending waits. */
export type Wait = { readonly why: 'limit' | 'unreached' | 'busy'; readonly seconds: number }

/**
 * So few leads are compared with those of the campaign by themselves: it costs one request. More when a person asks.
 */
export const triedAtOnce = limits.leadsPerBulk

export const previewRows = 50
export const previewColumns = 40
export const problemsAtOnce = 50

export const isSettled = (check: Check, choices: Choices) =>
  Object.values(openQuestions(check, choices)).every((open) => open.length === 0)
