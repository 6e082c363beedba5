// When statements are rendered: not while the modules load, once when they are used, and the others after answers.
import { sql } from 'drizzle-orm'
import { expect, it, vi } from 'vitest'
import { hasUnrendered, param, statement } from '../../../src/base/database/database.ts'
import { health } from '../../support/http/api.ts'

const db = {
  prepare: (text: string) => ({ bind: (...values: unknown[]) => [text, ...values] }),
} as unknown as D1Database

function watched() {
  const query = sql`select ${param('b')}, ${param('a')}, ${param('b')}`
  return { rendering: vi.spyOn(query, 'toQuery'), bind: statement<'a' | 'b'>(query) }
}

it('A statement is rendered when it is first used, and once', () => {
  const { rendering, bind } = watched()
  expect(rendering).not.toHaveBeenCalled()
  for (const a of [1, 2]) expect(bind(db, { a, b: 'x' })).toEqual(['select ?1, ?2, ?1', 'x', a])
  expect(rendering).toHaveBeenCalledOnce()
})

it('Statements that nothing has used are rendered after the first answers, each once', async () => {
  const { rendering, bind } = watched()
  expect(hasUnrendered()).toBe(true)
  await vi.waitFor(async () => {
    expect((await health()).status).toBe(200)
    expect(hasUnrendered()).toBe(false)
  }, 20_000)
  bind(db, { a: 1, b: 2 })
  expect(rendering).toHaveBeenCalledOnce()
})
