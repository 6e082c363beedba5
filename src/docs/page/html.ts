// HTML templates: text in a template is escaped, markup is not.

export type Html = { readonly markup: string }
type Part = Html | string | number | false | undefined | readonly Part[]

export const markup = (text: string): Html => ({ markup: text })

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return markup(texts.map((text, index) => text + render(parts[index])).join(''))
}

function render(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'markup' in part ? part.markup : part.map(render).join('')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
