// A zip archive, as far as workbooks need it. Entries are inflated by the platform and counted meanwhile, so that a
// small archive with a huge content is refused without being unpacked. read-excel-file trusts the sizes that an archive
// states, and inflates large entries in workers of their own, which the console's policy forbids: it gets an archive
// without compression.
import { UnreadableFile } from '../csv-rows.ts'

type Entry = { readonly method: number; readonly packed: Uint8Array<ArrayBuffer> }

export type Zip = {
  /** Undefined: there is none. Throws UnreadableFile when all that was unpacked is larger than allowed. */
  readonly unpack: (name: string) => Promise<Uint8Array | undefined>
}

const [localHeader, directoryHeader, directoryEnd] = [0x04034b50, 0x02014b50, 0x06054b50]
const endBytes = 22
/** With the comment at its end. */
const endMaxBytes = endBytes + 0xffff

const damaged = () => new UnreadableFile('the file is not an Excel workbook, or is damaged')

/** Throws UnreadableFile. */
export function openZip(bytes: Uint8Array<ArrayBuffer>, maxUnpackedBytes: number): Zip {
  let entries: ReadonlyMap<string, Entry>
  try {
    entries = entriesOf(bytes)
  } catch {
    throw damaged()
  }
  let left = maxUnpackedBytes
  const take = (chunk: Uint8Array) => {
    left -= chunk.length
    if (left < 0)
      throw new UnreadableFile(
        `the workbook is larger than ${maxUnpackedBytes / 1e6} MB when it is unpacked: split it`,
      )
  }
  return {
    unpack: async (name) => {
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      const chunks: Uint8Array[] = []
      try {
        for await (const chunk of inflated(entry)) {
          take(chunk)
          chunks.push(chunk)
        }
      } catch (error) {
        throw error instanceof UnreadableFile ? error : damaged()
      }
      return joined(chunks)
    },
  }
}

function entriesOf(bytes: Uint8Array<ArrayBuffer>): ReadonlyMap<string, Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let end = bytes.length - endBytes
  while (view.getUint32(end, true) !== directoryEnd) if (bytes.length - --end > endMaxBytes) throw damaged()
  const entries = new Map<string, Entry>()
  let at = view.getUint32(end + 16, true)
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    if (view.getUint32(at, true) !== directoryHeader) throw damaged()
    const [isEncrypted, method] = [(view.getUint16(at + 8, true) & 1) === 1, view.getUint16(at + 10, true)]
    const [size, local] = [view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((place) =>
      view.getUint16(at + place, true),
    )
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + (nameBytes ?? 0)))
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    if (view.getUint32(local, true) !== localHeader || start + size > bytes.length || isEncrypted)
      throw damaged()
    entries.set(name, { method, packed: bytes.subarray(start, start + size) })
    at += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0)
  }
  return entries
}

async function* inflated({ method, packed }: Entry): AsyncGenerator<Uint8Array> {
  if (method === 0) return yield packed
  if (method !== 8) throw damaged()
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Also where the consumer has enough.
    await reader.cancel().catch(() => {})
  }
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

/** Without compression, and without checksums, which its reader does not ask for. */
export function storedZip(files: readonly (readonly [name: string, content: Uint8Array])[]): ArrayBuffer {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const [name, content] of files) {
    const bytes = new TextEncoder().encode(name)
    const sizes = [content.length, content.length]
    const local = record(30, { 0: localHeader, 18: sizes[0], 22: sizes[1] }, { 4: 20, 26: bytes.length })
    const words = { 0: directoryHeader, 20: sizes[0], 24: sizes[1], 42: offset }
    directory.push(record(46, words, { 4: 20, 6: 20, 28: bytes.length }), bytes)
    parts.push(local, bytes, content)
    offset += local.length + bytes.length + content.length
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0)
  const counts = { 8: files.length, 10: files.length }
  const end = record(endBytes, { 0: directoryEnd, 12: directoryBytes, 16: offset }, counts)
  return joined([...parts, ...directory, end]).buffer
}

type Numbers = Readonly<Record<number, number | undefined>>

/** `words` are of four bytes, `halves` of two, by their place. */
function record(size: number, words: Numbers, halves: Numbers): Uint8Array {
  const view = new DataView(new ArrayBuffer(size))
  for (const [place, value] of Object.entries(words)) view.setUint32(Number(place), value ?? 0, true)
  for (const [place, value] of Object.entries(halves)) view.setUint16(Number(place), value ?? 0, true)
  return new Uint8Array(view.buffer)
}
