// Renders the Markdown texts of the API description. They are our own, so HTML in them is not escaped.
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

/** Block elements: paragraphs, tables, code. */
export const markdown = (text: string): Html => markup(marked.parse(text, { async: false }))

/** Inline elements. */
export const markdownLine = (text: string): Html => markup(marked.parseInline(text, { async: false }))

export type Chapter = { readonly title: string; readonly anchor: string; readonly text: Html }

/** Splits a text at its level 2 headings. The chapter before the first heading has no title. */
export function chaptersOf(text: string): readonly Chapter[] {
  return text.split(/^(?=## )/m).map((chapter) => {
    const heading = marked
      .lexer(chapter)
      .filter(isHeading)
      .find(({ depth }) => depth === 2)
    const title = heading?.text ?? ''
    return { title, anchor: anchorOf(title), text: html`${markdown(chapter)}` }
  })
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

export const anchorOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
