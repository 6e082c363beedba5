// A lead file as it is read: in pieces, and gathered again.
import { readCsv, readFormat } from '../../../src/queue/leads/file/csv-rows.ts'

export async function* pieces(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  for (let start = 0; start < bytes.length; start += size) yield bytes.slice(start, start + size)
}

export async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const gathered: Item[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

export async function rowsOf(text: string | Uint8Array, size?: number) {
  const { delimiter } = await readFormat(pieces(text, size))
  return gather(readCsv(pieces(text, size), delimiter))
}

export async function* all<Item>(...portions: readonly Item[]): AsyncGenerator<Item> {
  yield* portions
}
