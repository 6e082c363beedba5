// The command line as such: as the processes that a script starts, as a person reads it, and what a mistake gets.
import { describe, expect, it, onTestFinished } from 'vitest'
import { command, commandJson, databaseOfFile } from './command.ts'
import { admin, adminJson, removeDir, temporaryDir } from './project.ts'

const open = databaseOfFile()

type Key = { readonly id: string; readonly key: string }

describe('A script', () => {
  it('makes a company, a campaign and keys by what it is printed', async () => {
    const script = temporaryDir()
    onTestFinished(() => removeDir(script))
    const run = <Value>(words: string, ...more: string[]) => adminJson<Value>(script, words, ...more)

    await run('company create --id acme --name', 'Acme')
    await run('campaign create --company acme --id spring --name', 'Spring')
    const rights = '--company acme --scope write --name hubspot --campaign spring'
    const first = await run<Key>(`key create ${rights} --expires 2127-01-01T00:00:00Z`)
    expect(first).toEqual({ id: expect.stringMatching(/^key_/), key: expect.stringMatching(/^lk_/) })
    expect(await run('key list --company acme')).toMatchObject([{ id: first.id, status: 'active' }])
    const second = await run<Key>(`key rotate ${first.id} --grace 24h`)
    expect(second).toMatchObject({ key: expect.stringMatching(/^lk_/), oldId: first.id })
    expect(await run(`key revoke ${first.id}`)).toMatchObject({ id: first.id })

    expect(await admin(script, 'key revoke key_none', '--json')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: unknown key: key_none\n',
    })
    expect(await admin(script, 'key delete key_none')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: "error: unknown command 'delete'\n",
    })
  })
})

describe('For a person', () => {
  it('lists are tables, aligned', async () => {
    await command(open.db, 'company create --id acme --name Acme')
    const rights = '--company acme --scope read --name crm'
    const { id } = await commandJson<{ id: string }>(open.db, `key create ${rights}`)
    const { stdout } = await command(open.db, 'key list --company acme')
    const [heading, row, ...rest] = stdout.split('\n')
    expect(heading).toMatch(/^ID +NAME +SCOPE +COMPANY +CAMPAIGN +HINT +STATUS +CREATED +EXPIRES +REVOKED$/)
    expect(row?.startsWith(`${id}  crm   read   acme     -         lk_`)).toBe(true)
    expect(heading?.indexOf('STATUS')).toBe(row?.indexOf('active'))
    expect(rest).toEqual([''])
  })
})

describe('A mistake', () => {
  const ofUsage: Record<string, [words: string, stderr: RegExp]> = {
    'a scope that is none': [
      'key create --company a --scope admin --name A',
      /'admin' is invalid.* read, write/,
    ],
    'a duration that is none': ['key rotate key_none --grace 24x', /'24x' is invalid.* 30s, 24h/],
    'a time that is none': [
      'key create --company a --scope read --name A --expires soon',
      /'soon' is invalid/,
    ],
    'a missing option': ['company create --id a', /required option '--name <name>' not specified/],
    'an unknown command': ['key delete key_none', /unknown command 'delete'/],
  }

  it.for(Object.entries(ofUsage))(
    'is one line on stderr and exit code 1, before the database is opened: %s',
    async ([, [words, stderr]]) => {
      const finished = await command(null, words)
      expect(finished).toMatchObject({ exitCode: 1, stdout: '' })
      expect(finished.stderr).toMatch(/^error: .+\n$/)
      expect(finished.stderr).toMatch(stderr)
    },
  )

  it.each([
    ['key create --company nobody --scope read --name A', 'unknown company: nobody'],
    ['key list --company nobody', 'unknown company: nobody'],
    ['campaign list --company nobody', 'unknown company: nobody'],
    ['campaign create --company nobody --id c --name C', 'unknown company: nobody'],
    ['key rotate key_none', 'unknown key: key_none'],
    ['key revoke key_none', 'unknown key: key_none'],
  ])('is one line on stderr and exit code 1, by the database: %s', async (words, line) => {
    expect(await command(open.db, words)).toEqual({ exitCode: 1, stdout: '', stderr: `error: ${line}\n` })
  })
})
