// Excel workbooks for tests, as their makers write them: a zip archive of XML, deflated.

/** A text, a number as it is stored, or the XML of a cell's content with its attributes. */
export type TestCell =
  | string
  | number
  | boolean
  | Date
  | { readonly attributes: string; readonly content: string }
  | null

type TestSheet = {
  readonly name: string
  readonly rows: readonly (readonly TestCell[])[]
  readonly state?: string
  /** From 0. */
  readonly hiddenRows?: readonly number[]
  /** XML: of its columns. */
  readonly columns?: string
}

/** XML: `tail` behind the rows of each sheet, `end` behind all of them. */
export function workbook(
  sheets: readonly TestSheet[],
  tail = '',
  end = '',
): Promise<Uint8Array<ArrayBuffer>> {
  const sharedText = (text: string) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`
  const texts: string[] = []
  const xmlOfSheet = ({ rows, hiddenRows = [], columns = '' }: TestSheet) =>
    `${declaration}<worksheet xmlns="${main}">${columns && `<cols>${columns}</cols>`}<sheetData>${rows
      .map(
        (row, at) =>
          `<row r="${at + 1}"${hiddenRows.includes(at) ? ' hidden="1"' : ''}>` +
          `${row.map((cell, place) => cellXml(cell, place, at + 1, texts)).join('')}</row>`,
      )
      .join('')}${tail}</sheetData>${end}</worksheet>`
  const ofSheets = sheets.map((sheet, at) => [`xl/worksheets/sheet${at + 1}.xml`, xmlOfSheet(sheet)] as const)
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escaped(name)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`,
  )
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const relations = [
    ...sheets.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
    relation('rIdS', 'sharedStrings', 'sharedStrings.xml'),
    relation('rIdT', 'styles', '/xl/styles.xml'),
  ]
  return zipOf([
    [
      'xl/workbook.xml',
      `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
        `${relations.join('')}</Relationships>`,
    ],
    ...ofSheets,
    [
      'xl/styles.xml',
      `${declaration}<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="0"/>` +
        `<xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ],
    ['xl/sharedStrings.xml', `${declaration}<sst xmlns="${main}">${texts.map(sharedText).join('')}</sst>`],
  ])
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** `A` of 0, `AA` of 26. */
const letterOf = (place: number): string =>
  (place >= 26 ? letterOf(Math.floor(place / 26) - 1) : '') + String.fromCharCode(65 + (place % 26))

function cellXml(cell: TestCell, place: number, row: number, texts: string[]): string {
  if (cell === null) return ''
  const start = `<c r="${letterOf(place)}${row}"`
  if (typeof cell === 'boolean') return `${start} t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'number') return `${start}><v>${cell}</v></c>`
  if (typeof cell === 'string') return `${start} t="s"><v>${texts.push(cell) - 1}</v></c>`
  // Days since 1899-12-30, by the clock of no zone.
  if (cell instanceof Date) return `${start} s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
  return `${start} ${cell.attributes}>${cell.content}</c>`
}

/** Deflated. `content`: a text, or pieces of bytes. */
export async function zipOf(
  files: readonly (readonly [name: string, content: string | AsyncIterable<Uint8Array>])[],
): Promise<Uint8Array<ArrayBuffer>> {
  const local: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const [name, content] of files) {
    const nameBytes = new TextEncoder().encode(name)
    const packed = await deflated(content)
    // The sizes are left out, as by a maker that streams; the directory has the packed one.
    const common = [20, 0, 8, 0, 0, 0, 0, packed.length, packed.length >>> 16, 0, 0, nameBytes.length, 0]
    const head = halves([0x4b50, 0x0403, ...common])
    local.push(head, nameBytes, packed)
    directory.push(halves([0x4b50, 0x0201, 20, ...common, 0, 0, 0, 0, 0, offset, offset >>> 16]), nameBytes)
    offset += head.length + nameBytes.length + packed.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const { length } = files
  const end = halves([0x4b50, 0x0605, 0, 0, length, length, size, size >>> 16, offset, offset >>> 16, 0])
  return new Uint8Array(
    await new Blob([...local, ...directory, end] as Uint8Array<ArrayBuffer>[]).arrayBuffer(),
  )
}

function halves(values: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 2))
  for (const [at, value] of values.entries()) view.setUint16(at * 2, value & 0xffff, true)
  return new Uint8Array(view.buffer)
}

async function deflated(content: string | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const stream = new CompressionStream('deflate-raw')
  const packed = new Response(stream.readable).arrayBuffer()
  const writer = stream.writable.getWriter()
  if (typeof content === 'string') await writer.write(new TextEncoder().encode(content))
  else for await (const piece of content) await writer.write(piece as Uint8Array<ArrayBuffer>)
  await writer.close()
  return new Uint8Array(await packed)
}
