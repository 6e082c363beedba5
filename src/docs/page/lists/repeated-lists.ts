// Members that several operations have alike, such as those of a lead. The page holds each long list once, at the first
// operation that has it; elsewhere stands a link to it, in whose place page.js shows the list.
import { type Html, html, markup } from '../html.ts'

/** `id` and `title`: of an operation. */
type Section = { readonly id: string; readonly title: string; readonly text: Html }

/** A shorter one costs the page less than it costs a reader to follow a link. */
const minChars = 600

const listStart = '<ul class="fields">'

/** The texts of the sections, where a list that an earlier one has is replaced by what `again` returns. */
function withoutRepeats(
  sections: readonly Section[],
  first: (list: string, section: Section) => string,
  again: (list: string) => string,
): readonly Html[] {
  const seen = new Set<string>()
  return sections.map((section) => {
    const replace = (text: string): string =>
      eachList(text, (list) => {
        if (list.length < minChars) return list
        if (seen.has(list)) return again(list)
        seen.add(list)
        const inner = list.slice(listStart.length)
        return first(list, section) + replace(inner)
      })
    return markup(replace(section.text.markup))
  })
}

/** Replaces each list that is in no other. */
function eachList(text: string, replace: (list: string) => string): string {
  const parts: string[] = []
  let end = 0
  for (let start = text.indexOf(listStart); start !== -1; start = text.indexOf(listStart, end)) {
    parts.push(text.slice(end, start))
    end = endOfList(text, start)
    parts.push(replace(text.slice(start, end)))
  }
  return parts.join('') + text.slice(end)
}

function endOfList(text: string, start: number): number {
  let depth = 0
  for (const { 0: tag, index } of text.slice(start).matchAll(/<ul\b|<\/ul>/g)) {
    depth += tag === '</ul>' ? -1 : 1
    if (depth === 0) return start + index + tag.length
  }
  throw new Error('A list has no end')
}

/** For the page. */
export function withLinks(sections: readonly Section[]): readonly Html[] {
  const repeated = new Set<string>()
  withoutRepeats(
    sections,
    () => listStart,
    (list) => {
      repeated.add(list)
      return list
    },
  )
  const places = new Map<string, Html>()
  return withoutRepeats(
    sections,
    (list, { id, title }) => {
      if (!repeated.has(list)) return listStart
      const place = `${id}-${places.size + 1}`
      places.set(list, html`<p class="same">As in <a href="#${place}">${title}</a>.</p>`)
      return `<ul class="fields" id="${place}">`
    },
    (list) => places.get(list)?.markup ?? list,
  )
}

/** For the search, which finds the first operation that has a list. */
export const withFirstLists = (sections: readonly Section[]): readonly Html[] =>
  withoutRepeats(
    sections,
    () => listStart,
    () => '',
  )
