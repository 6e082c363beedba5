// Markup as a value: what is put into a template is escaped, unless it is markup itself.

export type Html = { readonly markup: string }
type Part = Html | string | number | false | undefined | readonly Part[]

export const markup = (text: string): Html => ({ markup: text })

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return markup(texts.map((text, index) => text + written(parts[index])).join(''))
}

function written(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(written).join('')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
