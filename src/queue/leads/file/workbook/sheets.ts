// The sheets of a workbook, in their order, and the files of each within the archive.
import { UnreadableFile } from '../csv-rows.ts'
import type { Zip } from './zip.ts'

type Sheet = {
  readonly name: string
  readonly path: string
  /** What must be read beside it. */
  readonly others: readonly string[]
}

const [workbook, relations] = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels']

/** Those that a person sees. Throws UnreadableFile. */
export async function sheetsOf(zip: Zip): Promise<readonly Sheet[]> {
  const texts = await Promise.all([workbook, relations].map(async (name) => decode(await zip.unpack(name))))
  const [book = '', related = ''] = texts
  const targets = tagsOf(related, 'Relationship').map((tag) => ({
    id: attribute(tag, 'Id'),
    type: attribute(tag, 'Type').replace(/.*\//, ''),
    path: pathOf(attribute(tag, 'Target')),
  }))
  const others = targets
    .filter(({ type }) => type === 'sharedStrings' || type === 'styles')
    .map(({ path }) => path)
  const sheets = tagsOf(book, 'sheet')
    .filter((tag) => !/hidden$/i.test(attribute(tag, 'state')))
    .flatMap((tag) => {
      const target = targets.find(({ id, type }) => type === 'worksheet' && id === attribute(tag, '\\w+:id'))
      const name = attribute(tag, 'name')
      return target === undefined
        ? []
        : [{ name, path: target.path, others: [workbook, relations, ...others] }]
    })
  if (sheets.length === 0)
    throw new UnreadableFile('the file is not an Excel workbook: save it as .xlsx or "CSV UTF-8"')
  return sheets
}

const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes ?? new Uint8Array())

const tagsOf = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\s[^<>]*>`, 'g'))].map(([tag]) => tag)

const attribute = (tag: string, name: string) =>
  unescaped(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** Within the archive: relative to xl/, or from its root. */
const pathOf = (target: string) => (target.startsWith('/') ? target.slice(1) : `xl/${target}`)

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return entities[name] ?? (code <= 0x10ffff ? String.fromCodePoint(code) : whole)
  })
}
