// `npm run sql -- claim`: the statements of the files whose path has all the words, as they are sent, with how SQLite
// carries each out. `npm run sql -- --write` writes one line of plan for each statement to
// test/unit/statement-plans.txt, which a test compares.
import { writeFileSync } from 'node:fs'
import { format } from 'sql-formatter'
import { everyStatement } from './every-statement.ts'
import { openExplainer } from './explain.ts'
import { planLines, plansFile } from './statement-plans.ts'

const words = process.argv.slice(2)
if (words.includes('--write')) writeFileSync(plansFile, `${planLines().join('\n')}\n`)
else if (words.length === 0) {
  const counts = new Map<string, number>()
  for (const { file } of everyStatement()) counts.set(file, (counts.get(file) ?? 0) + 1)
  for (const [file, count] of counts) console.log(`${String(count).padStart(4)}  ${file}`)
} else print()

function print() {
  const { explain } = openExplainer()
  const chosen = everyStatement().filter(({ file }) => words.every((word) => file.includes(word)))
  if (chosen.length === 0) {
    console.error(`error: no file with statements has ${words.join(' and ')} in its path: npm run sql`)
    process.exitCode = 1
  }
  for (const { file, line, text } of chosen) {
    const { plan, findings } = explain(text)
    console.log(`-- src/${file}:${line}\n${formatted(text)}\n`)
    for (const step of plan) console.log(`--   ${step}`)
    for (const finding of findings) console.log(`-- ${finding}`)
    console.log('')
  }
}

/** As it is sent, where the formatter does not understand it. */
function formatted(text: string): string {
  try {
    return format(text, { language: 'sqlite', expressionWidth: 90 })
  } catch {
    return text
  }
}
