// The texts of the API description, which are Markdown, as the page shows them. They are our own: markup in them is
// not feared, and there is none.
import { Marked, type Token, type Tokens } from 'marked'
import { codeBlock } from './code-block.ts'
import { type Html, html, markup } from './html.ts'

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens)
      return `<h${depth} id="${anchorOf(text)}">${text}</h${depth}>`
    },
    code: ({ text, lang = '' }) => codeBlock(lang, text, 'Example').markup,
  },
})

/** Paragraphs, tables, code. */
export const markdown = (text: string): Html => markup(marked.parse(text, { async: false }))

/** Within a line. */
export const markdownLine = (text: string): Html => markup(marked.parseInline(text, { async: false }))

export type Chapter = { readonly title: string; readonly anchor: string; readonly text: Html }

/** A text cut at its second headings. What stands before the first has no title. */
export function chaptersOf(text: string): readonly Chapter[] {
  return text.split(/^(?=## )/m).map((chapter) => {
    const [heading] = marked.lexer(chapter).filter(isHeading)
    const title = heading?.text ?? ''
    return { title, anchor: anchorOf(title), text: html`${markdown(chapter)}` }
  })
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

export const anchorOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
