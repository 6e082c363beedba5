// The page with the recipes, and the programs on it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from './server.ts'

const page = readFileSync(join(projectDir, 'src/docs/connect.md'), 'utf8')
export const sectionOf = (title: string) =>
  page.split(/^## /m).find((section) => section.startsWith(`${title}\n`)) ?? ''
export const blocksOf = (title: string, language: string) =>
  [...sectionOf(title).matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block]) => block as string,
  )
