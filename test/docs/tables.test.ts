// The tables of the pages under /docs, as they are rendered.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeApi } from '../../src/docs/describe-api.ts'
import { textPages } from '../../src/docs/page/text-page.ts'
import { referencePage } from '../../src/docs/page/whole-page.ts'

const docs = join(import.meta.dirname, '../../src/docs')

const pages: readonly (readonly [name: string, page: string])[] = [
  ['docs', referencePage(describeApi()).page],
  ...textPages((path) => readFileSync(join(docs, path), 'utf8')).map(
    ({ address, page }) => [address, page] as const,
  ),
]

const tablesOf = (page: string) => [...page.matchAll(/<table.*?<\/table>/gs)].map(([table]) => table)

it('The tables of the pages are found', () => {
  expect(pages.flatMap(([, page]) => tablesOf(page)).length).toBeGreaterThan(20)
})

it.each(pages)('Each column of a table of the page %s has a heading', (_, page) => {
  const tables = tablesOf(page)
  const headings = tables.map((table) =>
    [...table.matchAll(/<th\b[^>]*>(.*?)<\/th>/gs)].map(([, text]) => text),
  )
  expect(headings.filter((texts) => texts.length === 0 || texts.some((text) => text?.trim() === ''))).toEqual(
    [],
  )
})
