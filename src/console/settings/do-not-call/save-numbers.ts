// Downloads phone numbers: the do-not-call list, and numbers that were not added.

import { csvCell } from '../../../base/csv-cell.ts'
import { limits } from '../../../base/limits.ts'
import { describeError, readPages } from '../../service/answer.ts'
import type { Client } from '../../service/client.ts'
import { saveFile } from '../../ui/save-file.ts'
import { csvFile } from '../../ui/text-file.ts'
import type { InvalidNumber } from './numbers-in-text.ts'

/** For correcting and importing again, which ignores the columns beside the number. */
export function saveInvalidNumbers(invalid: readonly InvalidNumber[]): void {
  const lines = invalid.map(({ row, value, problem }) => [value, String(row), problem].map(csvCell).join(','))
  saveCsv('not-suppressed.csv', ['phoneNumber,importRow,importReason', ...lines])
}

/** Downloads the list. Returns the error where there is one, and then no file. */
export async function exportNumbers(
  client: Client,
  range: { readonly campaignId?: string },
): Promise<string | null> {
  const query = { ...range, limit: limits.phoneNumbersPerSuppression }
  const { pages, error } = await readPages(client.suppressions.list(query), Infinity)
  if (error !== null) return describeError(error)
  const lines = pages.flatMap(({ suppressions }) =>
    suppressions.map(({ phoneNumber, campaignId, reason, createdAt }) =>
      [phoneNumber, campaignId ?? '', reason ?? '', createdAt].map(csvCell).join(','),
    ),
  )
  saveCsv('suppressed.csv', ['phoneNumber,campaignId,reason,createdAt', ...lines])
  return null
}

const saveCsv = (name: string, lines: readonly string[]) =>
  saveFile(csvFile(lines.map((line) => `${line}\r\n`)), name)
