// The reference page: the guide, then all operations by area, as one static document. It is generated from the API
// description when the project is built, and works without scripts; page.js adds the search, try-it.js sends requests.
import { type Document, type WholeDocument, withoutReferences } from '../openapi/document.ts'
import { type Html, html } from './html.ts'
import { withFirstLists, withLinks } from './lists/repeated-lists.ts'
import { anchorOf, type Chapter, chaptersOf, markdown } from './markdown.ts'
import {
  headersOf,
  methodOf,
  operationSection,
  type PageOperation,
  searchedText,
  successesOf,
} from './operation-section.ts'
import { pageFrame } from './page-frame.ts'
import type { Place } from './search.ts'
import { placeOf } from './search-places.ts'

type AreaOfPage = { readonly name: string; readonly text: string; readonly places: readonly PageOperation[] }

/** The page, and what the search finds of it. */
export function referencePage(document: Document): {
  readonly page: string
  readonly places: readonly Place[]
} {
  const { title, version, description } = document.info
  const chapters = chaptersOf(description)
  const areas = areasOf(withoutReferences(document))
  const common = commonHeaders(areas)
  const names = common.map(([header]) => header)
  const headers = headersOf(common)
  const all = areas.flatMap((area) => area.places)
  const sectionOf = (text: (place: PageOperation) => Html) => (place: PageOperation) => ({
    id: place.operation.operationId,
    title: place.operation.summary,
    text: text(place),
  })
  const shown = withLinks(all.map(sectionOf((place) => operationSection(place, names))))
  const searched = withFirstLists(all.map(sectionOf((place) => searchedText(place, names))))
  const page = pageFrame({
    title: `${title} API`,
    about: `Reference of the ${title} API, with a guide, code samples and a form to send requests.`,
    version,
    scripts: ['page.js', 'try-it.js'],
    contents: contents(chapters, areas),
    text: html`<section class="guide">
<h1>${title} API</h1>
${chapters.map(({ text }) => text)}
<h2 id="headers">Headers of every response</h2>
${headers}
<p class="rule">This description as OpenAPI 3.1: <a href="/openapi.json">openapi.json</a>,
<a href="/openapi.yaml">openapi.yaml</a>.</p>
</section>
${areas.map(
  ({ name, text, places }) => html`<section class="area" aria-labelledby="area-${anchorOf(name)}">
<h2 id="area-${anchorOf(name)}">${name}</h2>
${markdown(text)}
${places.map((place) => shown[all.indexOf(place)])}
</section>`,
)}`,
  })
  const places = [
    placeOf({ id: '/docs#headers', title: 'Headers of every response' }, headers),
    ...chapters
      .filter(({ title }) => title !== '')
      .map(({ title, anchor, text }) => placeOf({ id: `/docs#${anchor}`, title }, text)),
    ...areas.flatMap(({ name, text, places }) => [
      placeOf({ id: `/docs#area-${anchorOf(name)}`, title: name }, markdown(text)),
      ...places.map((place) => {
        const { operation, method, path, isEvent } = place
        const word = isEvent ? 'event' : method
        return placeOf(
          {
            id: `/docs#${operation.operationId}`,
            title: operation.summary,
            method: word,
            names: [operation.operationId, path, `${method} ${path}`],
          },
          searched[all.indexOf(place)] ?? html``,
        )
      }),
    ]),
  ]
  return { page, places }
}

function areasOf(document: WholeDocument): readonly AreaOfPage[] {
  const operations = placesIn(document.paths, false)
  const events = placesIn(document.webhooks, true)
  return document.tags.flatMap(({ name, description }) => {
    const ofArea = ({ operation }: PageOperation) => operation.tags.includes(name)
    const area = { name, text: description, places: operations.filter(ofArea) }
    const sent = { name: `${name}: event types`, text: '', places: events.filter(ofArea) }
    return sent.places.length === 0 ? [area] : [area, sent]
  })
}

function placesIn(paths: WholeDocument['paths'], isEvent: boolean): readonly PageOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation, isEvent })),
  )
}

/** The headers that all successful responses have. The page describes them once. */
function commonHeaders(areas: readonly AreaOfPage[]) {
  const all = areas
    .flatMap(({ places }) => places)
    .filter(({ isEvent }) => !isEvent)
    .flatMap(({ operation }) => successesOf(operation.responses))
    .map(([, { headers = {} }]) => headers)
  return Object.entries(all[0] ?? {}).filter(([name]) => all.every((headers) => name in headers))
}

function contents(chapters: readonly Chapter[], areas: readonly AreaOfPage[]): Html {
  const guide = [
    ...chapters.filter(({ title }) => title !== ''),
    { title: 'Headers of every response', anchor: 'headers' },
  ]
  return html`<p>Guide</p>
<ul>${guide.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>
${areas.map(
  ({ name, places }) => html`<p><a href="#area-${anchorOf(name)}">${name}</a></p>
<ul>${places.map(
    (place) =>
      html`<li><a href="#${place.operation.operationId}">${methodOf(place)} ${place.operation.summary}</a></li>`,
  )}</ul>`,
)}`
}
