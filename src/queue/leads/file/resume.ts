// Where an import that was interrupted continues: behind the confirmed rows, with the request whose answer was lost.
import { type SeenNumbers, see } from './tally.ts'

/**
 * What is left to send, in two parts: the rows of the interrupted request, so that it is repeated exactly, and all
 * others. Numbers of the confirmed rows are added to `seen`.
 */
export async function partsLeft<Row extends { readonly phoneNumber: string }>(
  rows: AsyncIterator<Row>,
  confirmedRows: number,
  interruptedRows: number,
  seen: SeenNumbers,
): Promise<readonly AsyncIterable<Row>[]> {
  for await (const { phoneNumber } of firstOf(rows, confirmedRows)) see(seen, phoneNumber)
  return [firstOf(rows, interruptedRows), firstOf(rows, Number.POSITIVE_INFINITY)]
}

async function* firstOf<Row>(rows: AsyncIterator<Row>, count: number): AsyncGenerator<Row> {
  for (let left = count; left > 0; left--) {
    const { done, value } = await rows.next()
    if (done) return
    yield value
  }
}
