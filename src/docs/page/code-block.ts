// Highlights code when the page is built, so that browsers load no highlighter. Covers only the syntax that the samples
// and examples use.
import { type Html, html, markup } from './html.ts'

/** Classes of style/code.css (string, name, digits, word). There are many, so they are short. */
type Token = 's' | 'n' | 'd' | 'w'

const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/
const number = /\b\d+(?:\.\d+)?\b/

/** The tokens of each language, in the order of precedence. */
const languages: Readonly<Record<string, readonly (readonly [Token, RegExp])[]>> = {
  json: [
    ['n', /"(?:[^"\\]|\\.)*"(?=\s*:)/],
    ['s', string],
    ['d', number],
    ['w', /\b(?:true|false|null)\b/],
  ],
  sh: [
    ['n', /"(?:[^"\\]|\\.)*"(?=\s*:)/],
    ['s', /"(?:[^"\\\n]|\\.)*"/],
    ['w', /(?<=^|\s)(?:curl|-[A-Za-z])(?=\s)/],
  ],
  ts: [
    ['s', string],
    ['w', /\b(?:import|from|const|await|new|for|of|if|true|false|null)\b/],
    ['d', number],
  ],
  python: [
    ['s', string],
    ['w', /\b(?:import|from|with|as|for|in|if|True|False|None)\b/],
    ['d', number],
  ],
}

/** Focusable, so that it scrolls by keyboard. `label` is its name for screen readers. */
export function codeBlock(language: string, source: string, label: string): Html {
  return html`<pre tabindex="0" aria-label="${label}"><code>${highlight(language, source)}</code></pre>`
}

function highlight(language: string, source: string): Html {
  const tokens = languages[language] ?? []
  if (tokens.length === 0) return textOf(source)
  const any = new RegExp(tokens.map(([, pattern]) => `(${pattern.source})`).join('|'), 'gm')
  const parts: Html[] = []
  let end = 0
  for (const match of source.matchAll(any)) {
    const [token] = tokens[match.slice(1).findIndex((group) => group !== undefined)] ?? []
    parts.push(
      textOf(source.slice(end, match.index)),
      markup(`<i class=${token}>${textOf(match[0]).markup}</i>`),
    )
    end = match.index + match[0].length
  }
  return html`${parts}${textOf(source.slice(end))}`
}

/** Quotes need no escape outside of attributes. */
const textOf = (source: string) =>
  markup(source.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;'))
