// The pages with the recipes, by file, and the programs on them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectDir } from './server.ts'

/** From the project: `src/docs/connect/calls/vapi.md`. */
export const connectPages = readdirSync(join(projectDir, 'src/docs/connect'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => path.endsWith('.md'))
  .map((path) => `src/docs/connect/${path.replaceAll('\\', '/')}`)

/** `page`: `calls/vapi`. */
export const pageText = (page: string) =>
  readFileSync(join(projectDir, `src/docs/connect/${page}.md`), 'utf8')

export const blocksOf = (page: string, language: string) =>
  [...pageText(page).matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block]) => block as string,
  )
