// Text files: reads a chosen one, and makes a CSV file.
import { isWorkbook } from '../../leads/file/csv-rows.ts'

const maxBytes = 20_000_000

type Read =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: string }

export async function readTextFile(file: Blob): Promise<Read> {
  // Reading only a part would leave numbers that are still called.
  if (file.size > maxBytes) return { text: null, problem: 'The file is larger than 20 MB. Split it.' }
  const bytes = await file.arrayBuffer()
  if (isWorkbook(new Uint8Array(bytes)))
    return { text: null, problem: 'This is an Excel workbook. Save it as "CSV UTF-8" and choose that file.' }
  const text = decoded(bytes)
  return text.includes('\0')
    ? { text: null, problem: 'Not a text file. Save it as "CSV UTF-8" and choose it again.' }
    : { text, problem: null }
}

/** Older spreadsheets write Windows-1252: digits are the same there. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Spreadsheets recognize UTF-8 by the byte order mark. */
export const csvFile = (parts: readonly string[]) =>
  new Blob(['\uFEFF', ...parts], { type: 'text/csv;charset=utf-8' })
