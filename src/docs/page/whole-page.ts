// The reference page: the guide, then all operations by area, as one static document. It is generated from the API
// description when the project is built, and works without scripts; page.js and try-it.js add search and sending.
import type { Document } from '../openapi/document.ts'
import { type Html, html } from './html.ts'
import { anchorOf, type Chapter, chaptersOf, markdown } from './markdown.ts'
import {
  headersOf,
  methodOf,
  operationSection,
  type PageOperation,
  successesOf,
} from './operation-section.ts'

type AreaOfPage = { readonly name: string; readonly text: string; readonly places: readonly PageOperation[] }

export function wholePage(document: Document): string {
  const { title, version, description } = document.info
  const chapters = chaptersOf(description)
  const areas = areasOf(document)
  const places = areas.flatMap((area) => area.places)
  const common = commonHeaders(document, places)
  const page = html`<!doctype html>
<html lang="en" data-language="Shell">
<head>
<meta charset="utf-8" />
<title>${title} API</title>
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="Reference of the ${title} API, with a guide, code samples and a form to send requests." />
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
<link rel="stylesheet" href="/docs/page.css" />
<script type="module" src="/docs/page.js"></script>
<script type="module" src="/docs/try-it.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<p class="brand"><img src="/docs/icon.svg" alt="" width="24" height="24" /> ${title} <span class="version">${version}</span></p>
<button type="button" class="menu" aria-expanded="false" aria-controls="contents">Contents</button>
</header>
<nav id="contents" aria-label="Contents">
<div class="search" role="search"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="Search  ( / )" /><p role="status"></p></div>
${contents(chapters, areas)}
</nav>
<main id="content" tabindex="-1">
<section class="guide">
<h1>${title} API</h1>
${chapters.map(({ text }) => text)}
<h2 id="headers">Headers of every response</h2>
${headersOf(document, common)}
<p class="rule">This description as OpenAPI 3.1: <a href="/openapi.json">openapi.json</a>, <a href="/openapi.yaml">openapi.yaml</a>.</p>
</section>
${areas.map(({ name, text, places }) => {
  const names = common.map(([header]) => header)
  return html`<section class="area" aria-labelledby="area-${anchorOf(name)}">
<h2 id="area-${anchorOf(name)}">${name}</h2>
${markdown(text)}
${places.map((place) => operationSection(document, place, names))}
</section>`
})}
</main>
</body>
</html>
`
  return page.markup
}

function areasOf(document: Document): readonly AreaOfPage[] {
  const operations = placesIn(document.paths, false)
  const events = placesIn(document.webhooks, true)
  return document.tags.flatMap(({ name, description }) => {
    const ofArea = ({ operation }: PageOperation) => operation.tags.includes(name)
    const area = { name, text: description, places: operations.filter(ofArea) }
    const sent = { name: `${name}: event types`, text: '', places: events.filter(ofArea) }
    return sent.places.length === 0 ? [area] : [area, sent]
  })
}

function placesIn(paths: Document['paths'], isEvent: boolean): readonly PageOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation, isEvent })),
  )
}

/** The headers that all successful responses have. The page describes them once. */
function commonHeaders(document: Document, places: readonly PageOperation[]) {
  const all = places
    .filter(({ isEvent }) => !isEvent)
    .flatMap(({ operation }) => successesOf(document, operation.responses))
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
