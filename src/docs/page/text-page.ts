// The pages beside the reference, /docs/connect, /docs/connect/<system>, /docs/consent, /docs/do-not-call,
// /docs/two-weeks, /docs/data, /docs/tested and /docs/mcp: Markdown files of src/docs and src/mcp. The list in
// src/docs/connect/README.md names every page about a system.
import { posix } from 'node:path'
import { type Html, html, markup } from './html.ts'
import { type Chapter, chaptersOf } from './markdown.ts'
import { pageFrame } from './page-frame.ts'
import type { Place } from './search.ts'
import { placeOf } from './search-places.ts'

type TextPage = ReturnType<typeof textPage>
type BuiltPage = { readonly address: string; readonly page: string; readonly place: Place }

/** `path`: its file, from src/docs. */
function textPage(path: string, name: string, about: string) {
  const place = path
    .replace(/^\.\.\//, '')
    .replace(/^connect\/.+\//, 'connect/')
    .replace(/(\/README)?\.md$/, '')
  return { path, address: `/docs/${place}`, name, about }
}

const connect = textPage(
  'connect/README.md',
  'Connect',
  'Recipes that connect CRMs, automations, voice agents and receivers of webhooks.',
)
const guides = [
  textPage(
    'consent.md',
    'Consent',
    'What the service keeps and checks of the consents of people, and what you remain responsible for.',
  ),
  textPage(
    'do-not-call.md',
    'What is heard as a no',
    'Which names, answers and texts say that a person must not be called, and what to do where one does not.',
  ),
  textPage('two-weeks.md', 'See two weeks', 'Two weeks of a campaign in minutes, on your own machine.'),
  textPage(
    'data.md',
    'Where data goes',
    'What is stored where and how long, who processes it, erasure, exports, and what a log line holds.',
  ),
  textPage(
    'tested.md',
    'How it is tested',
    'What runs in thousands of small worlds, what they are held to, what goes wrong in them, and what is not checked.',
  ),
  textPage('../mcp/README.md', 'MCP server', 'Leads and campaigns for an assistant that speaks MCP.'),
]

/** By the kind of what they connect, in the order of the list. */
type Kind = { readonly kind: string; readonly pages: readonly TextPage[] }

/** `read`: the text of a file of src/docs. */
export function textPages(read: (path: string) => string): readonly BuiltPage[] {
  const kinds = kindsOf(read(connect.path))
  const pages = [connect, ...kinds.flatMap((kind) => kind.pages), ...guides]
  return pages.map((page) => {
    const chapters = chaptersOf(withoutFiles(read(page.path), page, pages))
    const text = uniqueAnchors(html`${chapters.map((chapter) => chapter.text)}`)
    const { address, name } = page
    return {
      address,
      page: documentOf(page, chapters, text, kinds),
      place: placeOf({ id: address, title: name }, text),
    }
  })
}

function kindsOf(text: string): readonly Kind[] {
  return text
    .split(/^## /m)
    .map((section) => ({
      kind: section.split('\n')[0] ?? '',
      pages: [...section.matchAll(/^- \[(.+)\]\((.+\/.+\.md)\): (.+)$/gm)].map(
        ([, name = '', path = '', about = '']) => textPage(`connect/${path}`, name, `${name}: ${about}.`),
      ),
    }))
    .filter(({ pages }) => pages.length > 0)
}

function documentOf(
  page: TextPage,
  chapters: readonly Chapter[],
  text: Html,
  kinds: readonly Kind[],
): string {
  const titled = chapters.filter(({ title }) => title !== '')
  const linkTo = ({ address, name }: TextPage) =>
    html`<a href="${address}"${address === page.address && markup(' aria-current="page"')}>${name}</a>`
  const onPage = titled.map(({ title, anchor }) => html`<li><a href="#${anchor}">${title}</a></li>`)
  return pageFrame({
    title: `Lead intake: ${page.name}`,
    about: page.about,
    scripts: ['page.js'],
    contents: html`<p><a href="/docs">API reference</a></p>
${titled.length > 1 && html`<p>On this page</p><ul>${onPage}</ul>`}
<p>Guides</p><ul>${[connect, ...guides].map((one) => html`<li>${linkTo(one)}</li>`)}</ul>
${kinds.map(({ kind, pages }) => html`<p>${kind}</p><ul>${pages.map((one) => html`<li>${linkTo(one)}</li>`)}</ul>`)}`,
    text: html`<section class="guide">
${text}
</section>`,
  })
}

/**
 * The service does not serve the files of its source: links to these become plain text, except those to the pages here.
 */
const withoutFiles = (text: string, page: TextPage, pages: readonly TextPage[]) =>
  text.replace(/\[([^\]]+)\]\((?![a-z]+:|#)([^)]+)\)/g, (_, label: string, target: string) => {
    const [path = '', anchor] = target.split('#')
    const file = posix.join(posix.dirname(page.path), path)
    const linked = pages.find((other) => other.path === file)
    return linked ? `[${label}](${linked.address}${anchor ? `#${anchor}` : ''})` : label
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
