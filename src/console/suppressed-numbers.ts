// Many suppressed numbers at once: sent in requests of a size that the API takes, and fetched page by page into a CSV
// file.
import { type Ask, query } from './api.ts'
import { csvCellOf } from './defuse.ts'
import type { NotTaken } from './numbers-in-text.ts'
import { saveFile } from './save-file.ts'
import type { Suppression } from './wire.ts'

const numbersPerRequest = 1000

type Tally = { readonly added: number; readonly existing: number }

/** `left`: from the request on that was refused, and why. Sent again, what is there is left as it is. */
export type Added = Tally & { readonly left: readonly string[]; readonly error: string | null }

export async function addNumbers(
  ask: Ask,
  numbers: readonly string[],
  target: { readonly campaignId?: string },
): Promise<Added> {
  let [added, existing, most] = [0, 0, numbersPerRequest]
  for (let done = 0; done < numbers.length; ) {
    const phoneNumbers = numbers.slice(done, done + most)
    const body = { phoneNumbers, reason: 'console', ...target }
    const { status, data, error } = await ask<Tally>('POST', '/suppressions', { body })
    if (data !== null) {
      added += data.added
      existing += data.existing
      done += phoneNumbers.length
      // A company with many campaigns takes fewer at once.
    } else if (status === 400 && phoneNumbers.length > 1) most = Math.ceil(phoneNumbers.length / 2)
    else return { added, existing, left: numbers.slice(done), error }
  }
  return { added, existing, left: [], error: null }
}

/** To be corrected and chosen again: the columns beside the number are passed over then. */
export function saveNotTaken(notTaken: readonly NotTaken[]): void {
  const lines = notTaken.map(({ row, value, why }) => [value, String(row), why].map(csvCellOf).join(','))
  saveCsv('not-suppressed.csv', ['phoneNumber,importRow,importReason', ...lines])
}

type Page = { readonly suppressions: readonly Suppression[]; readonly nextCursor: string | null }

/** Saves the file. What went wrong comes back: then there is none. */
export async function exportNumbers(
  ask: Ask,
  range: { readonly campaignId?: string },
): Promise<string | null> {
  const lines = ['phoneNumber,campaignId,reason,createdAt']
  let cursor: string | null = null
  do {
    const page: { data: Page | null; error: string | null } = await ask<Page>(
      'GET',
      `/suppressions${query({ ...range, limit: numbersPerRequest, cursor })}`,
    )
    if (page.data === null) return page.error
    for (const { phoneNumber, campaignId, reason, createdAt } of page.data.suppressions) {
      lines.push([phoneNumber, campaignId ?? '', reason ?? '', createdAt].map(csvCellOf).join(','))
    }
    cursor = page.data.nextCursor
  } while (cursor !== null)
  saveCsv('suppressed.csv', lines)
  return null
}

function saveCsv(name: string, lines: readonly string[]): void {
  const text = lines.map((line) => `${line}\r\n`)
  saveFile(new Blob(['\uFEFF', ...text], { type: 'text/csv;charset=utf-8' }), name)
}
