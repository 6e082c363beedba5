// `lead erase` on an open database: whom it erases, what it tells, and that what it suppresses stays so for the other
// commands; and what each of them does without the pepper.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { seedCallingWorld } from './calling-world.ts'
import { command, commandJson, databaseOfFile } from './command.ts'

const open = databaseOfFile()

beforeEach(() => void vi.stubEnv('SUPPRESSION_PEPPER', 'pepper of the tests'))
afterEach(() => void vi.unstubAllEnvs())

type Erased = { leadsErased: number; suppressed: boolean }

describe('lead erase', () => {
  it('erases a person by any name, and suppresses the number, known or not', async () => {
    const world = await seedCallingWorld(open.db)
    const [one, other] = [await world.add(), await world.add()]
    expect(await commandJson<Erased>(open.db, `lead erase ${one.phoneNumber}`)).toEqual({
      leadsErased: 1,
      suppressed: true,
    })
    const { stdout } = await command(open.db, `lead erase ${other.leadId} --no-suppress`)
    expect(stdout).toBe('1 lead erased; the number may be created again.\n')
    const unknown = `lead erase +4930123456 --company ${world.company}`
    expect(await commandJson<Erased>(open.db, unknown)).toEqual({ leadsErased: 0, suppressed: true })
    for (const name of ['+4930123457', one.leadId, 'crm-1'])
      expect((await command(open.db, `lead erase ${name}`)).stderr).toContain(`no such lead: ${name}`)
  })

  it('is held to by requeueing and lifting, which refuse to guess without the pepper', async () => {
    const world = await seedCallingWorld(open.db)
    const { phoneNumber } = await world.add()
    await command(open.db, `lead erase ${phoneNumber}`)
    const again = await world.add({ phoneNumber })
    const requeue = `lead requeue ${again.leadId}`
    expect((await command(open.db, requeue)).stderr).toContain('suppressed')
    expect((await command(open.db, `lead show ${again.leadId}`)).stdout).toContain('suppressed')
    vi.stubEnv('SUPPRESSION_PEPPER', 'another')
    const remove = `suppression remove ${phoneNumber} --company ${world.company}`
    for (const words of [requeue, `lead show ${again.leadId}`, remove, `lead erase ${again.leadId}`]) {
      const { exitCode, stderr } = await command(open.db, words)
      expect([words, exitCode, stderr.includes('SUPPRESSION_PEPPER')]).toEqual([words, 1, true])
    }
    vi.stubEnv('SUPPRESSION_PEPPER', 'pepper of the tests')
    expect(await commandJson(open.db, remove)).toEqual({ lifted: 1 })
    expect((await command(open.db, requeue)).exitCode).toBe(0)
  })
})
