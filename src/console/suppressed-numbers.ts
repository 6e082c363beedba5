// Many suppressed numbers at once: sent in requests of a size that the API takes, and fetched page by page into a CSV
// file.
import { type Ask, query } from './api.ts'
import { csvCellOf } from './defuse.ts'
import { saveFile } from './save-file.ts'
import type { Suppression } from './wire.ts'

const numbersPerRequest = 1000

type Added = { readonly added: number; readonly existing: number }

/** Ends at the first request that is refused; sent again, what is there is left as it is. */
export async function addNumbers(
  ask: Ask,
  numbers: readonly string[],
  target: { readonly campaignId?: string },
): Promise<Added & { readonly error: string | null }> {
  let [added, existing] = [0, 0]
  for (let start = 0; start < numbers.length; start += numbersPerRequest) {
    const body = {
      phoneNumbers: numbers.slice(start, start + numbersPerRequest),
      reason: 'console',
      ...target,
    }
    const { data, error } = await ask<Added>('POST', '/suppressions', { body })
    if (data === null) return { added, existing, error }
    added += data.added
    existing += data.existing
  }
  return { added, existing, error: null }
}

type Page = { readonly suppressions: readonly Suppression[]; readonly nextCursor: string | null }

/** Saves the file. What went wrong comes back: then there is none. */
export async function exportNumbers(
  ask: Ask,
  range: { readonly campaignId?: string },
): Promise<string | null> {
  const lines = ['phoneNumber,campaignId,reason,createdAt\r\n']
  let cursor: string | null = null
  do {
    const page: { data: Page | null; error: string | null } = await ask<Page>(
      'GET',
      `/suppressions${query({ ...range, limit: numbersPerRequest, cursor })}`,
    )
    if (page.data === null) return page.error
    for (const { phoneNumber, campaignId, reason, createdAt } of page.data.suppressions) {
      lines.push(`${[phoneNumber, campaignId ?? '', reason ?? '', createdAt].map(csvCellOf).join(',')}\r\n`)
    }
    cursor = page.data.nextCursor
  } while (cursor !== null)
  saveFile(new Blob(['\uFEFF', ...lines], { type: 'text/csv;charset=utf-8' }), 'suppressed.csv')
  return null
}
