// Files of phone numbers: those that are suppressed, and those that could not be added.
import { type Ask, query } from '../../service/api.ts'
import type { Suppression } from '../../service/wire.ts'
import { csvCellOf } from '../../ui/csv-cell.ts'
import { saveFile } from '../../ui/save-file.ts'
import type { NotTaken } from './numbers-in-text.ts'
import { numbersPerRequest } from './suppressed-numbers.ts'

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
