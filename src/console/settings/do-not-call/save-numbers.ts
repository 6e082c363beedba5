// Downloads phone numbers: the do-not-call list, and numbers that were not added.

import { csvCell } from '../../../csv-cell.ts'
import type { DataOf } from '../../../sdk/src/models.ts'
import { type Ask, query } from '../../service/api.ts'
import { saveFile } from '../../ui/save-file.ts'
import type { InvalidNumber } from './numbers-in-text.ts'
import { numbersPerRequest } from './suppressed-numbers.ts'

/** For correcting and importing again, which ignores the columns beside the number. */
export function saveInvalidNumbers(invalid: readonly InvalidNumber[]): void {
  const lines = invalid.map(({ row, value, problem }) => [value, String(row), problem].map(csvCell).join(','))
  saveCsv('not-suppressed.csv', ['phoneNumber,importRow,importReason', ...lines])
}

export type SuppressionPage = DataOf<'listSuppressions'>

/** Downloads the list. Returns the error where there is one, and then no file. */
export async function exportNumbers(
  ask: Ask,
  range: { readonly campaignId?: string },
): Promise<string | null> {
  const lines = ['phoneNumber,campaignId,reason,createdAt']
  let cursor: string | null = null
  do {
    const page: { data: SuppressionPage | null; error: string | null } = await ask<SuppressionPage>(
      'GET',
      `/suppressions${query({ ...range, limit: numbersPerRequest, cursor })}`,
    )
    if (page.data === null) return page.error
    for (const { phoneNumber, campaignId, reason, createdAt } of page.data.suppressions) {
      lines.push([phoneNumber, campaignId ?? '', reason ?? '', createdAt].map(csvCell).join(','))
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
