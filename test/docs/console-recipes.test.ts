// The short recipes of the console beside the long ones of src/docs/connect.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recipeIds, recipesOf } from '../../src/console/connect/recipes.ts'
import { describeApi } from '../../src/docs/describe-api.ts'
import { textPages } from '../../src/docs/page/text-page.ts'
import { wholePage } from '../../src/docs/page/whole-page.ts'
import { blocksOf } from './connect-page.ts'
import { projectDir } from './server.ts'

const guides = textPages((path) => readFileSync(join(projectDir, 'src/docs', path), 'utf8'))
const recipes = recipesOf({ origin: 'https://leads.example.com', campaignId: 'spring', key: 'lk_...' })

it('A recipe of the console for n8n is the node that the long recipe has', () => {
  const [node = ''] = blocksOf('automation/n8n', 'json')
  const read = (text: string) => JSON.parse(text.replaceAll('\\"', "'"))
  expect(read(recipes.n8n.code?.text ?? '')).toEqual(read(node))
})

it.each(recipeIds)('A recipe of the console for %s leads to a place that its page has', (id) => {
  const [path = '', anchor = 'content'] = recipes[id].docs.address.split('#')
  const pages: Readonly<Record<string, string>> = {
    '/docs': wholePage(describeApi('1.0.0')),
    ...Object.fromEntries(guides.map(({ address, page }) => [`/${address}`, page])),
  }
  expect(pages[path]).toContain(`id="${anchor}"`)
})
