// Every statement of the stores, as it is sent, and what can be said of its text.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export type Recorded = {
  readonly file: string
  /** Where `statement` stands. Statements of one list share it. */
  readonly line: number
  readonly declared: string
  readonly names: readonly string[]
  readonly text: string
}

const projectDir = join(import.meta.dirname, '../../..')

/** The text is of a module that makes statements. */
export const hasStatements = (text: string) =>
  /\bimport\s*\{[^}]*\bstatement\b[^}]*\}\s*from\s*'[./]+(?:base\/)?(?:database\/)?database\.ts'/.test(text)

let recorded: readonly Recorded[] | undefined

export function everyStatement(): readonly Recorded[] {
  recorded ??= record()
  return recorded
}

function record(): Recorded[] {
  const program = join(import.meta.dirname, 'record-statements.ts')
  const quickly = ['--import', join(projectDir, 'src/admin/quick-start.ts')]
  const lines = execFileSync(process.execPath, [...quickly, program], {
    encoding: 'utf8',
    stdio: 'pipe',
    maxBuffer: 64 * 1024 * 1024,
  })
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}

/**
 * Comparisons of a column with itself, which hold for every row that has it: a query inside has taken the name of one
 * outside.
 */
export const selfComparisons = (text: string): string[] => text.match(selfComparison) ?? []

// In `set tries = tries + 1` nothing is compared.
const selfComparison =
  /(?<![\w.])(?!null\b)([a-z_]\w*(?:\.\w+)?) (?:=|<>|<=?|>=?|is not|is) \1(?![\w.(]| [-+*/|])/g
