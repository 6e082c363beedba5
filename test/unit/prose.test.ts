import { expect, it } from 'vitest'
import { prose } from '../../src/docs/openapi/prose.ts'

it('A line break within a paragraph is a space, also before a number with which a sentence ends', () => {
  expect(prose`At most a minute. Null:
    5. 0: never.`).toBe('At most a minute. Null: 5. 0: never.')
})

it('Lists, tables, headings and code keep their lines', () => {
  const list = 'Steps:\n1. one\n2. two\n10. is no step, and comes'
  expect(prose`${list}`).toBe('Steps:\n1. one\n2. two 10. is no step, and comes')
  for (const text of ['- a\n- b', '| a |\n| b |', 'a\n\n# b', '```sh\na\nb\n```'])
    expect(prose`${text}`).toBe(text)
})
