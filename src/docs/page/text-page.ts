// A page beside the reference, /docs/connect or /docs/consent: a Markdown file of src/docs as a static document, without
// scripts.
import { type Html, html, markup } from './html.ts'
import { chaptersOf } from './markdown.ts'

/** What each is about, by the name of its file. */
const pages = {
  connect: 'Recipes that connect CRMs, automations, voice agents and receivers of webhooks.',
  consent: 'What the service keeps and checks of the consents of people, and what stays your duty.',
} as const

type PageName = keyof typeof pages

export const pageNames = Object.keys(pages) as PageName[]

/** `text`: the file. */
export function textPage(name: PageName, text: string): string {
  const chapters = chaptersOf(withoutFiles(text))
  const titled = chapters.filter(({ title }) => title !== '')
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<title>Lead intake: ${name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${pages[name]}" />
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
${pageNames
  .filter((other) => other !== name)
  .map(
    (other) => html`<p><a href="/docs/${other}">${other.charAt(0).toUpperCase()}${other.slice(1)}</a></p>`,
  )}
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

/** The service does not serve the files of its source: their links become plain text, but for those of the pages here. */
const withoutFiles = (text: string) =>
  text.replace(/\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)/g, (_, label: string, target: string) => {
    const [, name, anchor = ''] = /^(\w+)\.md(#.+)?$/.exec(target) ?? []
    return pageNames.some((page) => page === name) ? `[${label}](/docs/${name}${anchor})` : label
  })

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
