// Highlights code when the page is built, so that browsers load no highlighter. Covers only the syntax that the samples
// and examples use.
import { type Html, html } from './html.ts'

type Token = 'string' | 'name' | 'number' | 'word'

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/
const number = /\b\d+(?:\.\d+)?\b/

/** The tokens of each language, in the order of precedence. */
const languages: Readonly<Record<string, readonly (readonly [Token, RegExp])[]>> = {
  json: [
    ['name', /"(?:[^"\\]|\\.)*"(?=\s*:)/],
    ['string', string],
    ['number', number],
    ['word', /\b(?:true|false|null)\b/],
  ],
  sh: [
    ['name', /"(?:[^"\\]|\\.)*"(?=\s*:)/],
    ['string', /"(?:[^"\\\n]|\\.)*"/],
    ['word', /(?<=^|\s)(?:curl|-[A-Za-z])(?=\s)/],
  ],
  ts: [
    ['string', string],
    ['word', /\b(?:import|from|const|await|new|for|of|if|true|false|null)\b/],
    ['number', number],
  ],
  python: [
    ['string', string],
    ['word', /\b(?:import|from|with|as|for|in|if|True|False|None)\b/],
    ['number', number],
  ],
}

/** Focusable, so that it scrolls by keyboard. `label` is its name for screen readers. */
export function codeBlock(language: string, source: string, label: string): Html {
  return html`<pre tabindex="0" aria-label="${label}"><code>${highlight(language, source)}</code></pre>`
}

function highlight(language: string, source: string): readonly (Html | string)[] {
  const tokens = languages[language] ?? []
  if (tokens.length === 0) return [source]
  const any = new RegExp(tokens.map(([, pattern]) => `(${pattern.source})`).join('|'), 'gm')
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of source.matchAll(any)) {
    const [token] = tokens[match.slice(1).findIndex((group) => group !== undefined)] ?? []
    parts.push(source.slice(end, match.index), html`<span class="${token}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return [...parts, source.slice(end)]
}
