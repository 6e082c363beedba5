// What every page under /docs has: head, header with the button of the contents, search, contents, and the text.
import { type Html, html } from './html.ts'

type Frame = {
  readonly title: string
  readonly about: string
  readonly version?: string
  readonly scripts: readonly string[]
  readonly contents: Html
  readonly text: Html
}

export function pageFrame({ title, about, version, scripts, contents, text }: Frame): string {
  const shownVersion = version !== undefined && html` <span class="version">${version}</span>`
  const page = html`<!doctype html>
<html lang="en" data-language="Shell">
<head>
<meta charset="utf-8" />
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${about}" />
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
<link rel="stylesheet" href="/docs/page.css" />
${scripts.map((script) => html`<script type="module" src="/docs/${script}"></script>\n`)}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<p class="brand"><img src="/docs/icon.svg" alt="" width="24" height="24" /> Lead intake${shownVersion}</p>
<button type="button" class="menu" aria-expanded="false" aria-controls="contents">Contents</button>
</header>
<nav id="contents" aria-label="Contents">
<div class="search" role="search"><label for="search">Search</label>
<input id="search" type="search" autocomplete="off" placeholder="Search  ( / )" /><p role="status"></p></div>
${contents}
</nav>
<main id="content" tabindex="-1">
${text}
</main>
</body>
</html>
`
  return page.markup
}
