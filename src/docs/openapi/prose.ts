/** Markdown on several lines: within a paragraph a line break is a space. Code, lists and tables keep theirs. */
export function prose(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  const parts = String.raw({ raw: strings }, ...values).split(/(^```.*?^```$)/ms)
  const isCode = (index: number) => index % 2 === 1
  return parts
    .map((part, index) =>
      isCode(index)
        ? part
        : part.replace(/(?<=\S)\n *(?=[^\s|#-])(?:(\d+)\. )?/g, (broken, number, at) =>
            number === undefined ? ' ' : isItem(part.slice(0, at), Number(number)) ? broken : ` ${number}. `,
          ),
    )
    .join('')
}

/** A list begins with 1, and counts on: a sentence may end with a number, too. */
const isItem = (before: string, number: number) =>
  number === 1 || new RegExp(`^ *${number - 1}\\. `, 'm').test(before)
