// `npm run demo:speed`, until Ctrl-C.
import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { dirOfTest, freePort, startScript } from './project.ts'

it('The demo of speed has a database of its own, and leaves nothing behind', {
  timeout: 180_000,
}, async () => {
  const temporary = dirOfTest()
  const words = ['src/admin/local/demo-speed.ts', '--port', String(await freePort())]
  const speed = startScript(words, { TMPDIR: temporary })
  await vi.waitFor(() => expect(speed.printed()).toMatch(/called after \d+ ms/), { timeout: 90_000 })
  expect(readdirSync(temporary)).toContainEqual(expect.stringMatching(/^lead-intake-speed-/))
  speed.kill('SIGINT')
  expect(await speed.finished).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/median \d+ ms/),
  })
  expect(readdirSync(temporary)).toEqual([])
})
