// One line for each statement: its file, its number there, and which tables it reads by which index. Kept in a file, so
// that a reader of the change sees which plans changed with it.
import { join } from 'node:path'
import { everyStatement } from './every-statement.ts'
import { openExplainer } from './explain.ts'

export const plansFile = join(import.meta.dirname, '../../unit/statement-plans.txt')

export function planLines(): string[] {
  const { explain } = openExplainer()
  const numbers = new Map<string, number>()
  const byFile = everyStatement().toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
  return byFile.map(({ file, text }) => {
    const number = (numbers.get(file) ?? 0) + 1
    numbers.set(file, number)
    const steps = new Set(explain(text).plan.flatMap((step) => shortened(step.trim()) ?? []))
    return `${file} ${number}: ${[...steps].join(', ') || 'no table'}`
  })
}

/** `leads by leads_queue`, and `null` for what reads no table or index. */
function shortened(step: string): string | null {
  const [, verb, name, index, key] =
    /^(SCAN|SEARCH) (?!CONSTANT)(\w+)(?:.*?(?:INDEX (\w+)|(PRIMARY KEY|VIRTUAL TABLE)))?/.exec(step) ?? []
  if (name === undefined) return /^USE TEMP B-TREE FOR .*ORDER BY/.test(step) ? 'sorts' : null
  const by = index ?? (key === undefined ? '' : 'its key')
  return `${verb === 'SCAN' ? 'all of ' : ''}${name}${by === '' ? '' : ` by ${by.replace(/^sqlite_autoindex_/, '')}`}`
}
