// Filters the output of `wrangler dev`. Removes its request lines, since the service's own say more (see
// request-line.ts), its table of bindings, which repeats wrangler.toml, and its warning that it runs no cron, since
// local-cron.ts does.
import { stripVTControlCharacters } from 'node:util'

const isRequest = (line: string) => /^\[wrangler:info\] [A-Z]+ \/.* \(\d+ms\)$/.test(line)
const isTableTitle = (line: string) => line.endsWith('has access to the following bindings:')
const isOfTable = (line: string) => line === '' || /^(Binding|env\.| )/.test(line)
const isCronTitle = (line: string) => line.includes('Scheduled Workers are not automatically triggered')
const isOfCron = (line: string) => line === '' || line.startsWith('  ')

/** Takes the output in pieces; returns the text to show, in whole lines. */
export function openDevOutput(): (piece: string) => string {
  let begun = ''
  let isInTable = false
  let isInCron = false
  const isShown = (line: string) => {
    isInTable = isTableTitle(line) || (isInTable && isOfTable(line))
    isInCron = isCronTitle(line) || (isInCron && isOfCron(line))
    return !isInTable && !isInCron && !isRequest(line)
  }
  return (piece) => {
    const lines = (begun + piece).split(/(?<=\n)/)
    begun = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
    return lines.filter((line) => isShown(stripVTControlCharacters(line).trimEnd())).join('')
  }
}
