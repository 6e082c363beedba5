// The CSV file of `suppression import`: a number in each row, with the reason and the campaign where it has them. Other
// columns are ignored, so that what `suppression list --csv` writes can be read again.
import { csvText } from '../csv-cell.ts'
import { judge } from '../http/reading.ts'
import { text } from '../http/schemas.ts'
import { phoneNumber } from '../leads/fields.ts'
import { limits } from '../limits.ts'
import { readRecords } from './import/csv.ts'
import { openSource } from './import/source.ts'
import { CommandFailed } from './wrangler.ts'

/** Null: what the command says. */
export type Suppression = {
  readonly phoneNumber: string
  readonly campaignId: string | null
  readonly reason: string | null
}

export type SuppressionFile = {
  readonly suppressions: readonly Suppression[]
  /** As a spreadsheet numbers the rows. */
  readonly invalid: readonly { readonly row: number; readonly message: string }[]
}

const columns = ['phoneNumber', 'campaignId', 'reason'] as const
const reasonText = text('reason', limits.reasonMaxChars)

/** `-` is stdin. All of it is read before the first number is suppressed. Throws CommandFailed. */
export async function readSuppressions(file: string, delimiter: string): Promise<SuppressionFile> {
  const source = await openSource(file)
  try {
    const suppressions: Suppression[] = []
    const invalid: { row: number; message: string }[] = []
    let places: readonly number[] | undefined
    for await (const { cells, row } of readRecords(source.read(), source.name, delimiter)) {
      if (places === undefined) {
        places = readHeader(cells.map(csvText), source.name)
        continue
      }
      const [number = '', campaignId = '', reason = ''] = places.map((place) =>
        csvText(cells[place] ?? '').trim(),
      )
      const readings = [judge(phoneNumber, number), judge(reasonText, reason)]
      const wrong = readings.find((reading) => !reading.isValid)
      if (wrong !== undefined && !wrong.isValid) invalid.push({ row, message: wrong.message })
      else suppressions.push({ phoneNumber: number, campaignId: campaignId || null, reason: reason || null })
    }
    if (places === undefined) throw new CommandFailed(`${source.name} is empty`)
    return { suppressions, invalid }
  } finally {
    await source.close()
  }
}

/** Where each column is; -1: nowhere. */
function readHeader(headers: readonly string[], name: string): readonly number[] {
  const places = columns.map((column) =>
    headers.findIndex((header) => header.trim().toLowerCase() === column.toLowerCase()),
  )
  if (places[0] === -1)
    throw new CommandFailed(
      `no column phoneNumber in ${name}, but ${headers.join(' | ')}: the first row is the header`,
    )
  return places
}
