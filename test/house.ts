// `npm run house`: the figures of the source tree, each beside what it may be at most (test/unit/house.test.ts), and
// how much those are that it loads into others. `npm run house -- --all` says where.
import { join } from 'node:path'
import { figuresOf } from './support/house/house-figures.ts'

const isAll = process.argv.includes('--all')
for (const { name, value, bound, found } of figuresOf(join(import.meta.dirname, '..'))) {
  const isTooMuch = bound !== null && value > bound
  const limit =
    bound === null ? '' : `  at most ${bound.toLocaleString('en')}${isTooMuch ? ': TOO MUCH' : ''}`
  console.log(`${value.toLocaleString('en').padStart(9)}  ${name}${limit}`)
  if (isAll || isTooMuch)
    for (const place of isAll ? found : found.slice(0, 10)) console.log(`           ${place}`)
  if (isTooMuch) process.exitCode = 1
}
