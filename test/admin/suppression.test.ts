// `suppression add`, `import`, `list` and `remove`, on an open database: what they do to the queue and to calls is what
// the API's do.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCampaign } from '../../src/access/store/administration.ts'
import { seedCallingWorld } from './calling-world.ts'
import { command, commandJson, databaseOfFile } from './command.ts'
import { csvFile, phones } from './import-target.ts'
import { removeDir, temporaryDir } from './project.ts'

const open = databaseOfFile()
const dir = temporaryDir()
afterAll(() => removeDir(dir))

type Tally = {
  added: number
  existing: number
  removedFromQueue: number
  liveCalls: string[]
  invalid?: number
}
type Page = {
  suppressions: { phoneNumber: string; campaignId: string | null; reason: string | null; createdAt: string }[]
  nextCursor: string | null
}

const listed = async (words: string) =>
  (await commandJson<Page>(open.db, `suppression list ${words}`)).suppressions

describe('suppression add and remove', () => {
  it('A suppressed number is not handed out, until it is let go', async () => {
    const world = await seedCallingWorld(open.db)
    const { phoneNumber } = await world.add()
    const ofCompany = `--company ${world.company}`
    const added = await commandJson<Tally>(open.db, `suppression add ${phoneNumber} +4930123456 ${ofCompany}`)
    expect(added).toEqual({ added: 2, existing: 0, removedFromQueue: 1, liveCalls: [] })
    expect(await world.claim()).toEqual([])

    const again = await commandJson<Tally>(
      open.db,
      `suppression add ${phoneNumber} ${phoneNumber} ${ofCompany}`,
    )
    expect(again).toEqual({ added: 0, existing: 1, removedFromQueue: 0, liveCalls: [] })

    const removed = await command(open.db, `suppression remove ${phoneNumber} +4930999999 ${ofCompany}`)
    expect(removed.stdout).toBe('1 number may be called again; 1 not suppressed there.\n')
    expect(await world.claim()).toHaveLength(1)
  })

  it('The operator is told of the calls that go on', async () => {
    const world = await seedCallingWorld(open.db)
    const { phoneNumber } = await world.add()
    const [call] = await world.claim()
    const words = `suppression add ${phoneNumber} --company ${world.company}`
    expect((await command(open.db, words)).stdout).toBe(
      `1 added, 0 existing; 0 leads left the queue.\nCalls running on these numbers: ${call?.callId}\n`,
    )
  })

  it('A number suppressed in one campaign is called in another', async () => {
    const world = await seedCallingWorld(open.db)
    const other = await world.another('autumn')
    const { phoneNumber } = await world.add()
    await commandJson(
      open.db,
      `suppression add ${phoneNumber} --company ${world.company} --campaign ${other}`,
    )
    expect(await listed(`--company ${world.company}`)).toMatchObject([{ phoneNumber, campaignId: other }])
    expect(await listed(`--company ${world.company} --campaign ${world.campaign}`)).toEqual([])
    expect(await world.claim()).toHaveLength(1)
  })

  it("Another company's queue is not touched", async () => {
    const [one, other] = [await seedCallingWorld(open.db), await seedCallingWorld(open.db)]
    const { phoneNumber } = await other.add()
    await commandJson(open.db, `suppression add ${phoneNumber} --company ${one.company}`)
    expect(await listed(`--company ${other.company}`)).toEqual([])
    expect(await other.claim()).toHaveLength(1)
  })

  it('More numbers than the store takes for so many campaigns go in portions', async () => {
    const world = await seedCallingWorld(open.db)
    for (let index = 0; index < 150; index++)
      await createCampaign(open.db, { id: `c${index}`, companyId: world.company, name: 'C', createdAtMs: 1 })
    const numbers = phones(1500)
    const words = `--company ${world.company} --reason list`.split(' ')
    const added = await commandJson<Tally>(open.db, 'suppression add', ...numbers, ...words)
    expect(added).toMatchObject({ added: 1500, existing: 0 })
    const remove = ['--company', world.company]
    expect(await commandJson(open.db, 'suppression remove', ...numbers, ...remove)).toEqual({ lifted: 1500 })
  })

  it('What cannot be is told in one line', async () => {
    const { company } = await seedCallingWorld(open.db)
    const refusals = {
      'suppression add +4930123456 --company nobody': 'unknown company: nobody',
      'suppression list --company nobody': 'unknown company: nobody',
      'suppression remove +4930123456 --company nobody': 'unknown company: nobody',
      [`suppression add +4930123456 --company ${company} --campaign no`]: `unknown campaign of company ${company}: no`,
      [`suppression list --company ${company} --campaign no`]: `unknown campaign of company ${company}: no`,
    }
    for (const [words, message] of Object.entries(refusals))
      expect(await command(open.db, words)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `error: ${message}\n`,
      })
  })

  it.each([
    ['add 030123456 --company acme', /'030123456' is invalid .+ E\.164/],
    ['add --company acme', /missing required argument 'number'/],
    ['add +4930123456', /--company/],
    ['list --company acme --cursor x', /--cursor.+previous page/],
    ['list --company acme --csv --json', /--csv.+--json/],
  ])('suppression %s is refused before the database is opened', async (words, message) => {
    const { exitCode, stdout, stderr } = await command(null, `suppression ${words}`)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^error: .+\n$/)
    expect(stderr).toMatch(message)
  })
})

describe('suppression list', () => {
  it('Pages follow one another by number, and none is missed', async () => {
    const world = await seedCallingWorld(open.db)
    const numbers = phones(5)
    const ofCompany = `--company ${world.company}`
    await commandJson(open.db, 'suppression add', ...numbers, ...ofCompany.split(' '), '--reason', 'asked')
    await commandJson(open.db, `suppression add ${numbers[1]} ${ofCompany} --campaign ${world.campaign}`)
    const found: string[] = []
    let cursor = ''
    for (let pages = 0; pages < 10; pages++) {
      const page = await commandJson<Page>(open.db, `suppression list ${ofCompany} --limit 2${cursor}`)
      found.push(...page.suppressions.map(({ phoneNumber }) => phoneNumber))
      if (page.nextCursor === null) break
      cursor = ` --cursor ${page.nextCursor}`
    }
    expect(found).toEqual([numbers[0], numbers[1], numbers[1], numbers[2], numbers[3], numbers[4]])
    const { stdout, stderr } = await command(open.db, `suppression list ${ofCompany} --limit 2`)
    expect(stdout).toMatch(/^PHONE NUMBER +CAMPAIGN +REASON +CREATED\n(.+ asked .+\n){2}$/)
    expect(stderr).toMatch(/^Next page: --cursor \d+-0\n$/)
  })

  it('What --csv writes makes the same list elsewhere', async () => {
    const [from, to] = [await seedCallingWorld(open.db), await seedCallingWorld(open.db)]
    const numbers = phones(1001)
    for (const world of [from, to]) await world.another('autumn')
    const ofFrom = ['--company', from.company]
    await commandJson(open.db, 'suppression add', ...numbers, ...ofFrom)
    await commandJson(
      open.db,
      'suppression add',
      '+4930123456',
      ...ofFrom,
      '--campaign',
      'autumn',
      '--reason',
      '=1+1, "x"',
    )
    const exported = await command(open.db, 'suppression list --csv', ...ofFrom)
    const file = join(dir, 'suppressed.csv')
    writeFileSync(file, exported.stdout)
    const tally = await commandJson<Tally>(open.db, `suppression import ${file} --company ${to.company}`)
    expect(tally).toMatchObject({ added: 1002, existing: 0, invalid: 0 })
    const kept = async (company: string) =>
      (await listed(`--company ${company} --limit 1000`)).map(({ createdAt: _, ...rest }) => rest)
    expect(await kept(to.company)).toEqual(await kept(from.company))
    expect(await listed(`--company ${to.company} --campaign autumn`)).toMatchObject([{ reason: '=1+1, "x"' }])
  })
})

describe('suppression import', () => {
  it('Every row ends as added, existing, repeated, or not added with its number and why', async () => {
    const world = await seedCallingWorld(open.db)
    const { phoneNumber } = await world.add()
    const file = csvFile(
      dir,
      'Name;PHONENUMBER;campaignId;reason',
      `Ada;${phoneNumber};;asked`,
      'Bob;0171 1234567;;"a;b"',
      `Eve;+4930123456;;`,
      `Eve;+4930123456;;again`,
      `Joe;+4930123457;winter;`,
      `Max;;;`,
      'importReason;+4930123458;;;beyond',
    )
    const words = `--company ${world.company} --reason list --delimiter ;`.split(' ')
    await commandJson(open.db, `suppression add +4930123458 --company ${world.company}`)
    const { exitCode, stdout, stderr } = await command(open.db, `suppression import ${file}`, ...words)
    const rejects = file.replace('.csv', '.rejected.csv')
    const noCampaign = `unknown campaign of company ${world.company}: winter`
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: '7 rows, 1 repeated, 3 invalid: 2 added, 1 existing; 1 lead left the queue.\n',
      stderr: `${[
        'row 3 invalid: 0171 1234567: phoneNumber must be in E.164 format',
        `row 6 invalid: +4930123457: ${noCampaign}`,
        'row 7 invalid: no number: phoneNumber is required',
        `Not added: ${rejects}`,
      ].join('\n')}\n`,
    })
    expect(readFileSync(rejects, 'utf8').split('\r\n')).toEqual([
      'Name;PHONENUMBER;campaignId;reason;importRow;importReason',
      'Bob;0171 1234567;;"a;b";3;phoneNumber must be in E.164 format',
      `Joe;+4930123457;winter;;6;${noCampaign}`,
      'Max;;;;7;phoneNumber is required',
      '',
    ])
    const reasons = (await listed(`--company ${world.company}`)).map(({ reason }) => reason)
    expect(reasons.sort()).toEqual(['asked', 'list', null])
    expect(await world.claim()).toEqual([])
  })

  it('What was not added is imported once it is corrected, and no earlier file of it is written over', async () => {
    const { company } = await seedCallingWorld(open.db)
    const file = csvFile(dir, 'phoneNumber,reason', '030 123459,asked')
    const words = ['--company', company]
    for (const name of ['rejected', 'rejected-2']) {
      const { exitCode, stderr } = await command(open.db, `suppression import ${file}`, ...words)
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`.${name}.csv\n`)])
    }
    const rejects = file.replace('.csv', '.rejected.csv')
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('030 123459', '+4930123459'))
    expect(await commandJson(open.db, `suppression import ${rejects}`, ...words)).toMatchObject({
      rows: 1,
      added: 1,
      invalid: 0,
    })
    expect(await listed(`--company ${company}`)).toMatchObject([
      { phoneNumber: '+4930123459', reason: 'asked' },
    ])
  })

  it('Input that can be read once is kept while another process holds the database', async () => {
    const { company } = await seedCallingWorld(open.db)
    const file = csvFile(dir, 'phoneNumber', ...phones(1500))
    let batches = 0
    const busy = {
      prepare: (text: string) => open.db.prepare(text),
      batch: async (statements: D1PreparedStatement[]) => {
        batches++
        // Gone, as stdin is.
        if (batches === 1) rmSync(file)
        if (batches % 2 === 1) throw new Error('database is locked')
        return open.db.batch(statements)
      },
    } as unknown as D1Database
    expect(await commandJson<Tally>(busy, `suppression import ${file} --company ${company}`)).toMatchObject({
      added: 1500,
      existing: 0,
      invalid: 0,
    })
  })

  it('Numbers that a database in trouble did not take are named as not added', async () => {
    const { company } = await seedCallingWorld(open.db)
    const numbers = phones(1001)
    const file = csvFile(dir, 'phoneNumber', ...numbers)
    let batches = 0
    const failing = {
      prepare: (text: string) => open.db.prepare(text),
      batch: async (statements: D1PreparedStatement[]) => {
        if (++batches > 1) throw new Error('constraint failed')
        return open.db.batch(statements)
      },
    } as unknown as D1Database
    const { exitCode, stdout, stderr } = await command(
      failing,
      `suppression import ${file} --company ${company}`,
    )
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/1 invalid: 1000 added/)])
    expect(stderr).toContain(`row 1002 invalid: ${numbers.at(-1)}: `)
    expect(readFileSync(file.replace('.csv', '.rejected.csv'), 'utf8')).toContain(numbers.at(-1))
  })

  it.each<[string, string[], RegExp]>([
    [
      'no column phoneNumber',
      ['+4930123456', '+4930123457'],
      /^error: there is no column phoneNumber .+ header\n$/,
    ],
    ['nothing in it', [], /is empty\n$/],
  ])('A file with %s is refused in one line', async (_, lines, message) => {
    const { company } = await seedCallingWorld(open.db)
    const finished = await command(
      open.db,
      `suppression import ${csvFile(dir, ...lines)} --company ${company}`,
    )
    expect(finished).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) })
    expect(await listed(`--company ${company}`)).toEqual([])
  })
})
