// The page of recipes at /docs/connect: src/docs/connect.md as a static document, without scripts.
import { type Html, html, markup } from './html.ts'
import { chaptersOf } from './markdown.ts'

export function connectPage(text: string): string {
  const chapters = chaptersOf(withoutFiles(text))
  const titled = chapters.filter(({ title }) => title !== '')
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<title>Lead intake: connect</title>
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="Recipes that connect CRMs, automations, voice agents and receivers of webhooks." />
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
<link rel="stylesheet" href="/docs/page.css" />
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<p class="brand"><img src="/docs/icon.svg" alt="" width="24" height="24" /> Lead intake</p>
</header>
<nav id="contents" aria-label="Contents">
<p><a href="/docs">API reference</a></p>
<ul>${titled.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>
</nav>
<main id="content" tabindex="-1">
<section class="guide">
${uniqueAnchors(html`${chapters.map(({ text }) => text)}`)}
</section>
</main>
</body>
</html>
`
  return page.markup
}

/** The service does not serve the files of its source: their links become plain text. */
const withoutFiles = (text: string) => text.replace(/\[([^\]]+)\]\((?![a-z]+:|#)[^)]+\)/g, '$1')

/** A heading that is there twice gets the anchor that the forges give it: `zapier-1`. */
function uniqueAnchors({ markup: text }: Html): Html {
  const seen = new Map<string, number>()
  return markup(
    text.replace(/(<h\d id=")([^"]*)(")/g, (_, start: string, anchor: string, end: string) => {
      const count = seen.get(anchor) ?? 0
      seen.set(anchor, count + 1)
      return `${start}${anchor}${count === 0 ? '' : `-${count}`}${end}`
    }),
  )
}
