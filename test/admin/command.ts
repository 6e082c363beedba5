// A command, run in this process: as the operator types it, judged by what it prints.
import { beforeAll, vi } from 'vitest'
import { runCommand } from '../../src/admin/command-line.ts'
import { type Joined, sharedServer } from '../docs/server.ts'
import type { Finished } from './project.ts'

/** The service that the test files of this process share, for all tests of a file. */
export function serviceOfFile(): Pick<Joined, 'base' | 'db'> {
  let server: Pick<Joined, 'base' | 'db'>
  beforeAll(async () => {
    server = await sharedServer()
  })
  return {
    get base() {
      return server.base
    },
    get db() {
      return server.db
    },
  }
}

/** The options that choose a service and a key. */
export const at = (base: string, key: string) => ['--url', base, '--key', key]

/** `words` are split at spaces; each of `more` is one word. Caller must not run two at once. */
export async function command(words: string, ...more: string[]): Promise<Finished> {
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  try {
    const exitCode = await runCommand([...words.split(' '), ...more])
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdout.restore()
    stderr.restore()
  }
}

/** The JSON document that a command prints with --json, which must be all that it prints. */
export async function commandJson<Value>(words: string, ...more: string[]): Promise<Value> {
  const { exitCode, stdout, stderr } = await command(words, ...more, '--json')
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Value
}

function capture(stream: NodeJS.WriteStream) {
  const write = vi.spyOn(stream, 'write').mockReturnValue(true)
  return {
    text: () => write.mock.calls.map(([chunk]) => String(chunk)).join(''),
    restore: () => write.mockRestore(),
  }
}
