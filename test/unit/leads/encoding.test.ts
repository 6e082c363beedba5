// In which encoding a file is, what a person is shown of one that is not UTF-8, and its cells in each.
import { expect, it } from 'vitest'
import { UnreadableFile } from '../../../src/queue/leads/file/csv-rows.ts'
import { asUtf8, doubtfulCells } from '../../../src/queue/leads/file/open/encoding.ts'
import { openFile } from '../../../src/queue/leads/file/open/open-file.ts'
import { gather, pieces } from '../../support/leads/lead-file.ts'

/** Each character is a byte, as in Windows-1252 except from 0x80 to 0x9F. */
const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const utf16 = (text: string, isLittle: boolean) =>
  Uint8Array.from(
    [...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))].flatMap((unit) =>
      isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255],
    ),
  )

const text = 'Telefon;Näme\r\n+491711234567;Zoë 🙂\r\n'

it.each([
  ['utf-8', 'ASCII', bytesOf('a;b\n'), 'a;b\n'],
  ['utf-8', 'umlauts and emoji', new TextEncoder().encode(text), text],
  ['utf-8', 'a byte-order mark', new TextEncoder().encode(`\uFEFF${text}`), text],
  ['utf-8', 'nothing', new Uint8Array(), ''],
  ['utf-16le', "Excel's Unicode text", utf16(`\uFEFF${text}`, true), text],
  ['utf-16be', 'the other order', utf16(`\uFEFF${text}`, false), text],
  ['windows-1252', 'Excel on German Windows', bytesOf('Müller;\x80 5'), 'Müller;€ 5'],
  ['windows-1252', 'a wrong byte at the end', bytesOf('abc\xe4'), 'abcä'],
  ['windows-1252', 'a first byte as of a mark', bytesOf('\xffa'), 'ÿa'],
  ['windows-1252', 'a lone byte', bytesOf('\xff'), 'ÿ'],
])('A file is read in %s: %s', async (encoding, _, bytes, expected) => {
  for (const size of [1, 2, 3, 1000]) {
    const read = () => pieces(bytes, size)
    // Only what a person must confirm is asked.
    expect((await openFile(read, {})).kind).toBe(encoding === 'windows-1252' ? 'encoding' : 'text')
    const opened = await openFile(read, { encoding: 'windows-1252' })
    if (opened.kind !== 'text') throw new Error(opened.kind)
    const parts = await gather(opened.decode(read()))
    const all = Uint8Array.from(parts.flatMap((part) => [...part]))
    expect(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(all)).toBe(expected)
  }
})

it('A file that begins as UTF-16 and ends within a character is refused', async () => {
  const cut = utf16('\uFEFFab', true).slice(0, -1)
  await expect(gather(asUtf8(pieces(cut), 'utf-16le'))).rejects.toThrow(UnreadableFile)
})

it('A person is shown five different cells with letters outside ASCII, before and after', async () => {
  const lines = [
    'Name;Ort',
    'Ada;\x80',
    'M\xfcller;K\xf6ln',
    'M\xfcller;Bonn',
    '\xc9va;Z\xfcrich',
    'Ren\xe9;\xd6ls',
  ]
  expect(await doubtfulCells(() => pieces(bytesOf(lines.join('\n'))))).toEqual([
    { row: 3, before: 'M\uFFFDller', after: 'Müller' },
    { row: 3, before: 'K\uFFFDln', after: 'Köln' },
    { row: 5, before: '\uFFFDva', after: 'Éva' },
    { row: 5, before: 'Z\uFFFDrich', after: 'Zürich' },
    { row: 6, before: 'Ren\uFFFD', after: 'René' },
  ])
})

it('A long cell is shown around its letter outside ASCII, or another such character, also where it is UTF-8', async () => {
  const long = `${'x'.repeat(500)}\xdf${'y'.repeat(500)}`
  expect(await doubtfulCells(() => pieces(bytesOf(`a\n${long}\n`)))).toEqual([
    {
      row: 2,
      before: `${'x'.repeat(20)}\uFFFD${'y'.repeat(19)}`,
      after: `${'x'.repeat(20)}ß${'y'.repeat(19)}`,
    },
  ])
  expect(await doubtfulCells(() => pieces(bytesOf('a\n5 \x80\n')))).toEqual([
    { row: 2, before: '5 \uFFFD', after: '5 €' },
  ])
  expect(await doubtfulCells(() => pieces(bytesOf('a\nM\xc3\xbcller\nK\xf6ln')))).toEqual([
    { row: 2, before: 'Müller', after: 'MÃ¼ller' },
    { row: 3, before: 'K\uFFFDln', after: 'Köln' },
  ])
})
