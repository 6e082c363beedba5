// Writes values in JSON, TypeScript and Python, on one line if they are short.

const verbatim = Symbol('verbatim')

/** Code to insert as it is, in place of a value. */
export const expression = (code: string) => ({ [verbatim]: code })

type Language = {
  readonly text: (text: string) => string
  readonly name: (name: string) => string
  readonly words: readonly [null_: string, true_: string, false_: string]
  /** Between a brace and its content on the same line. */
  readonly space: string
  readonly indent: string
  /** After the last item of a multi-line value. */
  readonly lastComma: '' | ','
}

const maxLineChars = 60

const json: Language = {
  text: (text) => JSON.stringify(text),
  name: (name) => JSON.stringify(name),
  words: ['null', 'true', 'false'],
  space: ' ',
  indent: '  ',
  lastComma: '',
}

const python: Language = {
  ...json,
  words: ['None', 'True', 'False'],
  space: '',
  indent: '    ',
  lastComma: ',',
}

const typescript: Language = {
  ...json,
  text: (text) => (text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1)}'`),
  name: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`),
  lastComma: ',',
}

export const jsonValue = (value: unknown) => write(json, value, 0)
export const pythonValue = (value: unknown, depth = 0) => write(python, value, depth)
export const typescriptValue = (value: unknown, depth = 0) => write(typescript, value, depth)

function write(language: Language, value: unknown, depth: number): string {
  const [nothing, yes, no] = language.words
  if (value === null) return nothing
  if (typeof value === 'boolean') return value ? yes : no
  if (typeof value === 'string') return language.text(value)
  if (typeof value !== 'object') return String(value)
  if (verbatim in value) return String(value[verbatim])
  if (Array.isArray(value)) {
    const items = value.map((item) => write(language, item, depth + 1))
    return enclose(language, '[]', items, depth)
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${language.name(name)}: ${write(language, member, depth + 1)}`,
  )
  return enclose(language, '{}', members, depth)
}

function enclose(
  { indent, lastComma, ...language }: Language,
  brackets: '[]' | '{}',
  items: readonly string[],
  depth: number,
): string {
  const [start, end] = brackets === '[]' ? ['[', ']'] : ['{', '}']
  const space = start === '{' ? language.space : ''
  if (items.length === 0) return start + end
  const line = `${start}${space}${items.join(', ')}${space}${end}`
  if (line.length + depth * indent.length <= maxLineChars && !line.includes('\n')) return line
  const lines = items.map((item) => indent.repeat(depth + 1) + item).join(',\n')
  return `${start}\n${lines}${lastComma}\n${indent.repeat(depth)}${end}`
}
