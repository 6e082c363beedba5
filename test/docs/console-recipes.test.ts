// The short recipes of the console beside the long ones of src/docs/connect.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recipeIds, recipesOf } from '../../src/console/connect/recipes.ts'
import { describeApi } from '../../src/docs/describe-api.ts'
import { textPage } from '../../src/docs/page/text-page.ts'
import { wholePage } from '../../src/docs/page/whole-page.ts'
import { projectDir } from './server.ts'

const long = readFileSync(join(projectDir, 'src/docs/connect.md'), 'utf8')
const recipes = recipesOf({ origin: 'https://leads.example.com', campaignId: 'spring', key: 'lk_...' })

it('A recipe of the console for n8n is the node that the long recipe has', () => {
  const [, node = ''] = long.match(/## n8n[\s\S]*?```json\n([\s\S]*?)```/) ?? []
  const read = (text: string) => JSON.parse(text.replaceAll('\\"', "'"))
  expect(read(recipes.n8n.code?.text ?? '')).toEqual(read(node))
})

it.each(recipeIds)('A recipe of the console for %s leads to a place that its page has', (id) => {
  const [path = '', anchor] = recipes[id].docs.address.split('#')
  const pages: Readonly<Record<string, string>> = {
    '/docs': wholePage(describeApi('1.0.0')),
    '/docs/connect': textPage('connect', long),
  }
  expect(pages[path]).toContain(`id="${anchor}"`)
})
