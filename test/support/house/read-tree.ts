// Reads files of code: their imports, their functions and comments, and how much of them is code.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, posix } from 'node:path'
import type Compiler from '../../client/node_modules/typescript/lib/typescript.d.ts'

type Named = { readonly line: number; readonly text: string }

export type SourceFile = {
  readonly path: string
  readonly text: string
  /** Of files in the same tree. */
  readonly imports: readonly string[]
  readonly comments: readonly Named[]
  readonly functions: readonly (Named & { readonly lines: number; readonly parameters: number })[]
  /** Lines with the title of a test, which Biome keeps in the line of `it(`. */
  readonly titles: ReadonlySet<number>
  /** Without comments and blank lines. Of .js: 0. */
  readonly bytes: number
}

// The project's own compiler has no interface for programs. That of the generated client has.
const ts: typeof Compiler = createRequire(join(import.meta.dirname, '../../client/package.json'))(
  'typescript',
)

const isByHand = (path: string) =>
  /\.(tsx?|js)$/.test(path) &&
  !/(^|\/)(node_modules|dist|peer|api-types\.ts|bindings\.d\.ts)(\/|$)/.test(path)

export const readTree = (dir: string): readonly SourceFile[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isByHand)
    .map((path) => readSource(path, readFileSync(join(dir, path), 'utf8')))

export function readSource(path: string, text: string): SourceFile {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineAt = (at: number) => file.getLineAndCharacterOfPosition(at).line
  const imports: string[] = []
  const functions: (Named & { lines: number; parameters: number })[] = []
  const ranges = new Map<number, number>()
  const titles = new Set<number>()
  const visit = (node: Compiler.Node): void => {
    if (ts.isStringLiteral(node) && node.text.startsWith('.') && isSpecifier(node))
      imports.push(posix.join(posix.dirname(path), node.text))
    const title = titleOf(node)
    if (title !== undefined) titles.add(lineAt(title.getStart()) + 1)
    if (isFunction(node) && node.body !== undefined) {
      const [first, last] = [lineAt(node.getStart()), lineAt(node.end)]
      const { parameters } = node
      functions.push({
        line: first + 1,
        text: nameOf(node),
        lines: last - first + 1,
        parameters: parameters.length,
      })
    }
    if (!ts.isJsxText(node))
      for (const { pos, end } of [
        ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
        ...(ts.getTrailingCommentRanges(text, node.pos) ?? []),
      ])
        ranges.set(pos, end)
    for (const child of node.getChildren(file)) visit(child)
  }
  visit(file)
  const comments = [...ranges].sort(([one], [other]) => one - other)
  let code = ''
  let from = 0
  for (const [pos, end] of comments) {
    code += text.slice(from, pos)
    from = end
  }
  code += text.slice(from)
  return {
    path,
    text,
    imports,
    functions,
    titles,
    // Lines that follow each other are one comment.
    comments: comments
      .map(([pos, end]) => ({ line: lineAt(pos) + 1, text: text.slice(pos, end) }))
      .filter(({ line, text }, at, all) => {
        const before = all[at - 1]
        return !(text.startsWith('//') && before?.text.startsWith('//') && before.line === line - 1)
      }),
    bytes: path.endsWith('.js') ? 0 : Buffer.byteLength(code.replace(/^\s*\n/gm, '')),
  }
}

/** In `import` and `export` with `from`, and in `import()`. */
const isSpecifier = ({ parent }: Compiler.Node) =>
  ts.isImportDeclaration(parent) ||
  ts.isExportDeclaration(parent) ||
  (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword)

function titleOf(node: Compiler.Node): Compiler.Node | undefined {
  if (!ts.isCallExpression(node) || !/^(?:it|describe)\b/.test(node.expression.getText())) return undefined
  const [first] = node.arguments
  return first !== undefined && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))
    ? first
    : undefined
}

type Function = Compiler.SignatureDeclaration & { readonly body?: Compiler.Node }
const isFunction = (node: Compiler.Node): node is Function => ts.isFunctionLike(node) && 'body' in node

function nameOf({ name, parent }: Function): string {
  const named = name ?? ('name' in parent ? (parent.name as Compiler.Node | undefined) : undefined)
  return named?.getText() ?? 'without a name'
}

export const wordsOf = (text: string) => text.match(/\S+/g)?.length ?? 0

/** Of a changelog, newest first. */
export const wordsOfVersions = (text: string) =>
  text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({ version: /^\[?([^\]\s]+)/.exec(part)?.[1] ?? '', count: wordsOf(part) }))
