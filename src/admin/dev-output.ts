// What of `wrangler dev`'s output the operator sees: all but its lines about requests, of which the service's own say
// more (see request-line.ts), and but its table of bindings, which says what wrangler.toml does.
import { stripVTControlCharacters } from 'node:util'

const isRequest = (line: string) => /^\[wrangler:info\] [A-Z]+ \/.* \(\d+ms\)$/.test(line)
const isTableTitle = (line: string) => line.endsWith('has access to the following bindings:')
const isOfTable = (line: string) => line === '' || /^(Binding|env\.| )/.test(line)

/** Takes the output as it comes, in pieces; returns what is to be shown, in whole lines. */
export function openDevOutput(): (piece: string) => string {
  let begun = ''
  let isInTable = false
  const isShown = (line: string) => {
    isInTable = isTableTitle(line) || (isInTable && isOfTable(line))
    return !isInTable && !isRequest(line)
  }
  return (piece) => {
    const lines = (begun + piece).split(/(?<=\n)/)
    begun = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '')
    return lines.filter((line) => isShown(stripVTControlCharacters(line).trimEnd())).join('')
  }
}
