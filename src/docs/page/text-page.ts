// The pages beside the reference, /docs/connect, /docs/connect/<system> and /docs/consent: Markdown files of src/docs as
// static documents, without scripts. The list in src/docs/connect/README.md names every page about a system.
import { posix } from 'node:path'
import { type Html, html, markup } from './html.ts'
import { chaptersOf } from './markdown.ts'

/** `path`: its file, from src/docs. `address`: without `.html`. */
type TextPage = {
  readonly path: string
  readonly address: string
  readonly name: string
  readonly about: string
}

const list = 'connect/README.md'
const consent: TextPage = {
  path: 'consent.md',
  address: 'docs/consent',
  name: 'Consent',
  about: 'What the service keeps and checks of the consents of people, and what you remain responsible for.',
}

/** By the kind of what they connect, in the order of the list. */
type Kind = { readonly kind: string; readonly pages: readonly TextPage[] }

/** `read`: the text of a file of src/docs. */
export function textPages(read: (path: string) => string): readonly (TextPage & { readonly page: string })[] {
  const kinds = kindsOf(read(list))
  const connect: TextPage = {
    path: list,
    address: 'docs/connect',
    name: 'Connect',
    about: 'Recipes that connect CRMs, automations, voice agents and receivers of webhooks.',
  }
  const pages = [connect, ...kinds.flatMap((kind) => kind.pages), consent]
  return pages.map((page) => ({ ...page, page: documentOf(page, read(page.path), pages, kinds) }))
}

function kindsOf(text: string): readonly Kind[] {
  return text
    .split(/^## /m)
    .map((section) => ({
      kind: section.split('\n')[0] ?? '',
      pages: [...section.matchAll(/^- \[(.+)\]\((.+\/(.+)\.md)\): (.+)$/gm)].map(
        ([, name = '', path = '', file = '', about = '']) => ({
          path: posix.join('connect', path),
          address: `docs/connect/${file}`,
          name,
          about: `${name}: ${about}.`,
        }),
      ),
    }))
    .filter(({ pages }) => pages.length > 0)
}

function documentOf(
  page: TextPage,
  text: string,
  pages: readonly TextPage[],
  kinds: readonly Kind[],
): string {
  const chapters = chaptersOf(withoutFiles(text, page, pages))
  const titled = chapters.filter(({ title }) => title !== '')
  const linkTo = ({ address, name }: TextPage) =>
    html`<a href="/${address}"${address === page.address && markup(' aria-current="page"')}>${name}</a>`
  const { markup: whole } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<title>Lead intake: ${page.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="description" content="${page.about}" />
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
<link rel="stylesheet" href="/docs/page.css" />
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<p class="brand"><img src="/docs/icon.svg" alt="" width="24" height="24" /> Lead intake</p>
</header>
<nav id="contents" aria-label="Contents">
${titled.length > 1 && html`<p>On this page</p><ul>${titled.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>`}
<p><a href="/docs">API reference</a></p>
${pages.filter(({ path }) => path === list || path === consent.path).map((other) => html`<p>${linkTo(other)}</p>`)}
${kinds.map(({ kind, pages: ofKind }) => html`<p>${kind}</p><ul>${ofKind.map((other) => html`<li>${linkTo(other)}</li>`)}</ul>`)}
</nav>
<main id="content" tabindex="-1">
<section class="guide">
${uniqueAnchors(html`${chapters.map(({ text }) => text)}`)}
</section>
</main>
</body>
</html>
`
  return whole
}

/** The service does not serve the files of its source: links to these become plain text, except those to the pages here. */
const withoutFiles = (text: string, page: TextPage, pages: readonly TextPage[]) =>
  text.replace(/\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)/g, (_, label: string, target: string) => {
    const [path = '', anchor] = target.split('#')
    const file = posix.join(posix.dirname(page.path), path)
    const linked = pages.find((other) => other.path === file)
    return linked ? `[${label}](/${linked.address}${anchor ? `#${anchor}` : ''})` : label
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
