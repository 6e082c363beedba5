// The page of results, README.md: its tables are those that a run prints. A saved run replaces the rows that it
// measured, by their names; rows of other runs, and everything that is no table, stay.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { benchDir } from './runtime.ts'
import { type Heading, heads, type Row, type Tables } from './tables.ts'

const path = join(benchDir, 'README.md')
/** Two lines. */
const lastRun = /^Last run: .*\n.*$/m
const tableOf = (heading: string) =>
  new RegExp(`^## ${heading}\\n(?:(?!## |\\|).*\\n)*?\\n?(?<table>(?:\\|.*\\n)+)`, 'm')

export function tableText(rows: readonly Row[]): string {
  const [header = []] = rows
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: Row) =>
    `| ${header.map((_, at) => (row[at] ?? '').padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.slice(1).map(line)].join('\n')
}

export const headings = Object.keys(heads) as Heading[]

/** What was measured, as it is printed. */
export const textOf = (tables: Tables) =>
  headings
    .flatMap((heading) => {
      const rows = tables[heading]
      return rows === undefined ? [] : [`## ${heading}\n\n${tableText([heads[heading], ...rows])}`]
    })
    .join('\n\n')

export async function save(tables: Tables, caption: string): Promise<void> {
  let page = (await readFile(path, 'utf8')).replace(lastRun, `Last run: ${caption}`)
  for (const heading of headings) {
    const rows = tables[heading]
    const old = tableOf(heading).exec(page)?.groups?.table
    if (rows === undefined) continue
    if (old === undefined) throw new Error(`README.md has no table under ${heading}`)
    page = page.replace(old, () => `${tableText([heads[heading], ...merge(readRows(old), rows)])}\n`)
  }
  await writeFile(path, page)
}

const readRows = (table: string): Row[] =>
  table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    )

/** In the order of the page; new names last. */
function merge(old: readonly Row[], measured: readonly Row[]): Row[] {
  const named = new Map([...old, ...measured].map((row) => [row[0], row]))
  return [...named.values()]
}
