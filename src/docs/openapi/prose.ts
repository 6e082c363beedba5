/** Markdown on several lines: within a paragraph a line break is a space. Code, lists and tables keep theirs. */
export function prose(strings: TemplateStringsArray, ...values: readonly unknown[]): string {
  const parts = String.raw({ raw: strings }, ...values).split(/(^```.*?^```$)/ms)
  const isCode = (index: number) => index % 2 === 1
  return parts
    .map((part, index) => (isCode(index) ? part : part.replace(/(?<=\S)\n *(?=[^\s|#-])(?!\d+\. )/g, ' ')))
    .join('')
}
