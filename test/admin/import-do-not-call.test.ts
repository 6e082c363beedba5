// `lead import` of a file with a column that says who must not be called: numbers are suppressed before the first lead is
// sent, and no row of them is.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seedCallingWorld } from './calling-world.ts'
import { serviceOfFile } from './command.ts'
import { importTo, readReport, tally } from './import-runs.ts'
import { type Act, csvFile, phone, phones, startService } from './import-target.ts'
import { dirOfTest } from './project.ts'

const reason = 'do-not-call column of an import'

/** Rows before and after the one that says no, a cell that is unclear, and a number that cannot be read. */
const lines = [
  'phoneNumber,Name,Do Not Call',
  `${phone(1)},Ada,`,
  `${phone(2)},Bob,FALSE`,
  `${phone(1)},Ada,TRUE`,
  `${phone(1)},Ada,no`,
  `${phone(3)},Cy,perhaps`,
  '0155,Di,yes',
  '+1 (415) 555-0104,Ed,x',
]
const held = { ...tally(7, 1, 0, 0, 2), do_not_call: 4 }

describe('A column that says who must not be called', () => {
  it('All numbers that say no are suppressed in the company before the first lead is sent, and no row of them is', async () => {
    const service = await startService()
    const dir = dirOfTest()
    const report = join(dir, 'report.csv')
    const {
      exitCode,
      tally: told,
      stderr,
    } = await importTo(service, csvFile(dir, ...lines), {
      more: ['--report', report],
    })
    expect({ exitCode, told }).toEqual({ exitCode: 1, told: held })
    expect(service.suppressed).toEqual([
      { phoneNumbers: [phone(1), phone(104)], campaignId: null, reason, afterBulks: 0 },
    ])
    expect(service.stored()).toEqual([{ phoneNumber: phone(2), metadata: { Name: 'Bob' } }])
    expect(readReport(report).map((row) => [row.importRow, row.importStatus, row.importReason])).toEqual([
      ['2', 'do_not_call', 'another row of this number says do not call'],
      ['4', 'do_not_call', 'the row says do not call'],
      ['5', 'do_not_call', 'another row of this number says do not call'],
      ['6', 'invalid', 'do-not-call: yes or no?'],
      ['7', 'invalid', expect.stringMatching(/^"phoneNumber has no country code/)],
      ['8', 'do_not_call', 'the row says do not call'],
    ])
    expect(stderr).toMatch(
      new RegExp(
        '^Column Do Not Call says who must not be called: 4 rows of 2 numbers, which are put on the do-not-call list ' +
          'of the company first \\(--do-not-call campaign or skip otherwise\\)$',
        'm',
      ),
    )
    expect(stderr).toMatch(
      /^Warning: 1 row says do not call, or may say so, and the number is on no list: row 7$/m,
    )
  })

  it('Numbers that say no are suppressed and counted as the file has them, and no row of another spelling is sent', async () => {
    const service = await startService()
    const file = csvFile(
      dirOfTest(),
      'phoneNumber,DNC',
      ...['+525512345678,', '+52 1 55 1234 5678,yes', '+525512345679,', '+551187654321,x'],
    )
    const { tally: told, stderr } = await importTo(service, file)
    expect(told).toEqual({ ...tally(4, 1), do_not_call: 3 })
    expect(service.suppressed.map(({ phoneNumbers }) => phoneNumbers)).toEqual([
      ['+5215512345678', '+551187654321'],
    ])
    expect(service.stored()).toEqual([{ phoneNumber: '+525512345679' }])
    expect(stderr).toMatch(/^Column DNC says .+: 3 rows of 2 numbers,/m)
  })

  it('A row of the wrong length that may say no is named, and no row of its numbers is sent', async () => {
    const service = await startService()
    const file = csvFile(
      dirOfTest(),
      'Name,phoneNumber,Do Not Call',
      ...[`Ada,${phone(1)},`, `Lovelace, Ada,${phone(1)},yes`, `Bob,${phone(2)},`, `Cy, B,${phone(3)},no`],
      ...[`${phone(4)},x`, `Di,${phone(4)},`, `Ed,${phone(5)}`, `Ed,${phone(5)},no`],
    )
    const { tally: told, stderr } = await importTo(service, file)
    expect([told, service.suppressed]).toEqual([tally(8, 2, 0, 0, 6), []])
    expect(service.stored().map(({ phoneNumber }) => phoneNumber)).toEqual([phone(2), phone(5)])
    expect(stderr).toMatch(/the row has 4 columns instead of 3, and the row may say do not call/)
    expect(stderr).toMatch(/another row of this number may say do not call: correct that row first/)
    expect(stderr).toMatch(/^Warning: 2 rows say do not call, or may say so, .+: row 3, 6$/m)
  })

  it('No row of a number is sent of which another row says neither yes nor no, and it is not suppressed', async () => {
    const service = await startService()
    const dir = dirOfTest()
    const report = join(dir, 'report.csv')
    const rows = [
      '+525512345678,',
      '+52 1 55 1234 5678,perhaps',
      `${phone(2)},`,
      `${phone(3)},?`,
      `${phone(3)},yes`,
    ]
    const file = csvFile(dir, 'phoneNumber,DNC', ...rows, `${phone(3)},no`)
    const { tally: told } = await importTo(service, file, { more: ['--report', report] })
    expect(told).toEqual({ ...tally(6, 1, 0, 0, 3), do_not_call: 2 })
    expect(service.suppressed.map(({ phoneNumbers }) => phoneNumbers)).toEqual([[phone(3)]])
    expect(service.stored()).toEqual([{ phoneNumber: phone(2) }])
    const another = 'another row of this number may say do not call: correct that row first'
    expect(readReport(report)[0]).toMatchObject({
      importRow: '2',
      importStatus: 'invalid',
      importReason: another,
    })
  })

  it.each([
    ['campaign', [{ phoneNumbers: [phone(1), phone(104)], campaignId: 'c', reason, afterBulks: 0 }]],
    ['skip', []],
  ])('A person may choose where numbers that say no are suppressed: %s', async (scope, suppressed) => {
    const service = await startService()
    const more = ['--do-not-call', scope]
    const { tally: told } = await importTo(service, csvFile(dirOfTest(), ...lines), { more })
    expect([told, service.suppressed]).toEqual([held, suppressed])
    expect(service.stored().map(({ phoneNumber }) => phoneNumber)).toEqual([phone(2)])
  })

  it('The key of a campaign suppresses in its campaign, and is refused for the company before anything is sent', async () => {
    const service = await startService(undefined, { campaignOfKey: 'c' })
    const file = csvFile(dirOfTest(), ...lines)
    const refused = await importTo(service, file, { more: ['--do-not-call', 'company'] })
    expect([refused.exitCode, service.suppressed, service.bodies]).toEqual([1, [], []])
    expect(refused.stderr).toMatch(/the key is of campaign c: it can suppress there only/)
    expect((await importTo(service, file)).tally).toEqual(held)
    expect(service.suppressed.map(({ campaignId }) => campaignId)).toEqual(['c'])
  })

  it('Nothing is imported when the numbers cannot be suppressed', async () => {
    const refuse = () => ({ status: 403, error: 'Not yours' })
    const service = await startService(undefined, { refuse })
    const dir = dirOfTest()
    const file = csvFile(dir, ...lines)
    const {
      exitCode,
      tally: told,
      stderr,
    } = await importTo(service, file, {
      more: ['--report', join(dir, 'report.csv')],
    })
    expect([exitCode, told, service.bodies]).toEqual([1, null, []])
    expect(stderr).toMatch(
      /error: the numbers that say do not call could not be suppressed, so no lead was sent: .+ 403 Not yours/,
    )
    expect(readdirSync(dir)).toHaveLength(1)
  })

  it('Many numbers are suppressed in batches, in smaller ones in a company of many campaigns', async () => {
    const refuse = ({ phoneNumbers }: { phoneNumbers: readonly string[] }) =>
      phoneNumbers.length <= 500
        ? null
        : {
            status: 400,
            code: 'invalid_field',
            error: 'phoneNumbers times campaigns of the company must be at most 100000',
          }
    const service = await startService(undefined, { refuse })
    const file = csvFile(dirOfTest(), 'phoneNumber,DNC', ...phones(1200).map((number) => `${number},1`))
    const { exitCode, tally: told } = await importTo(service, file)
    expect({ exitCode, told }).toEqual({ exitCode: 0, told: { ...tally(1200, 0), do_not_call: 1200 } })
    expect(service.suppressed.map(({ phoneNumbers }) => phoneNumbers.length)).toEqual([1000, 500, 500, 200])
    expect(service.bodies).toEqual([])
  })

  it('An import that resumes suppresses first, too, and sends no row of a number that says no', async () => {
    let isBroken = true
    const act = (number: number): Act =>
      isBroken && number > 1 ? { status: 403, error: 'Not now' } : 'forward'
    const service = await startService(act)
    const numbers = phones(1500)
    const file = csvFile(
      dirOfTest(),
      'phoneNumber,DNC',
      ...numbers.map((number) => `${number},`),
      `${phone(3)},yes`,
      `${phone(1400)},yes`,
    )
    expect((await importTo(service, file)).exitCode).toBe(1)
    isBroken = false
    const resumed = await importTo(service, file)
    expect(resumed.tally).toEqual({ ...tally(1502, 1498), do_not_call: 4 })
    const both = [phone(3), phone(1400)]
    expect(service.suppressed.map(({ phoneNumbers, afterBulks }) => [phoneNumbers, afterBulks])).toEqual([
      [both, 0],
      [both, 2],
    ])
    expect(service.stored().filter(({ phoneNumber }) => both.includes(phoneNumber))).toEqual([])
    // Suppressed elsewhere, it is another import.
    const before = service.bodies.length
    await importTo(service, file, { more: ['--do-not-call', 'skip'] })
    expect(service.bodies.length).toBeGreaterThan(before)
  })

  it('A dry run says what would be suppressed, and suppresses nothing', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), ...lines)
    const { tally: told, stderr } = await importTo(service, file, { more: ['--dry-run'] })
    expect([told, service.suppressed, service.stored()]).toEqual([held, [], []])
    expect(stderr).toMatch(/^Column Do Not Call says .+: 4 rows of 2 numbers/m)
  })

  it('A header that may be about e-mail stops the command before anything is sent, with what to add', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber,Opt out,Opposition', `${phone(1)},yes,no`)
    const { exitCode, stderr } = await importTo(service, file)
    expect([exitCode, service.suppressed, service.bodies]).toEqual([1, [], []])
    expect(stderr.split('\n')).toEqual([
      'error: column Opt out, Opposition may say who must not be called, or be about e-mail: add one of',
      '  --map "Opt out=doNotCall"',
      '  --map "Opt out=keep"',
      '  --map "Opposition=doNotCall"',
      '  --map "Opposition=keep"',
      '',
    ])
    const kept = ['--map', 'Opposition=keep']
    const isNo = await importTo(service, file, { more: ['--map', 'opt OUT=doNotCall', ...kept] })
    expect([isNo.tally, service.suppressed.length]).toEqual([{ ...tally(1, 0), do_not_call: 1 }, 1])
    const isNone = await importTo(service, file, { more: ['--map', 'Opt out=keep', ...kept] })
    expect(isNone.tally).toEqual(tally(1, 1))
    expect(isNone.stderr).not.toMatch(/Warning/)
    expect(service.stored()).toEqual([
      { phoneNumber: phone(1), metadata: { 'Opt out': 'yes', Opposition: 'no' } },
    ])
  })

  it('Every column that says no counts, also beside one with its own name', async () => {
    const service = await startService()
    const file = csvFile(
      dirOfTest(),
      'phoneNumber,doNotCall,DNC,Calls',
      ...[`${phone(1)},yes,,`, `${phone(2)},,x,`, `${phone(3)},,,1`, `${phone(4)},,,`],
    )
    const { tally: told } = await importTo(service, file, { more: ['--map', 'Calls=doNotCall'] })
    expect(told).toEqual({ ...tally(4, 1), do_not_call: 3 })
    expect(service.stored()).toEqual([{ phoneNumber: phone(4) }])
  })

  it('A header that says no and is kept as metadata by hand is warned of', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber,DNC', `${phone(1)},yes`)
    const { tally: told, stderr } = await importTo(service, file, { more: ['--map', 'DNC=keep'] })
    expect(told).toEqual(tally(1, 1))
    expect(service.stored()).toEqual([{ phoneNumber: phone(1), metadata: { DNC: 'yes' } }])
    expect(stderr).toMatch(
      /^Warning: column DNC looks like one that says who must not be called, and is not/m,
    )
  })

  it('--do-not-call is refused where no column says who must not be called', async () => {
    const service = await startService()
    const file = csvFile(dirOfTest(), 'phoneNumber', phone(1))
    const { exitCode, stderr } = await importTo(service, file, { more: ['--do-not-call', 'company'] })
    expect([exitCode, service.bodies]).toEqual([1, []])
    expect(stderr).toMatch(/--do-not-call is for a column that says who must not be called: there is none/)
  })
})

describe('A file that says no, into the real service', () => {
  const service = serviceOfFile()

  it('Numbers that say no are on the list of their company alone, leave its queues, and are stored by no import', async () => {
    const [world, other] = [await seedCallingWorld(service), await seedCallingWorld(service)]
    const summer = await world.another(`summer-${world.company}`)
    for (const campaign of [world.campaign, summer])
      await world.add({ phoneNumber: phone(1), metadata: { campaign } }, campaign)
    await other.add({ phoneNumber: phone(1) })
    const { exitCode, stdout } = await world.run(
      'lead import --json',
      csvFile(dirOfTest(), ...lines),
      '--campaign',
      world.campaign,
      '--zone',
      'US=campaign',
    )
    expect([exitCode, JSON.parse(stdout)]).toEqual([1, held])
    const list = async ({ client }: typeof world) => {
      const found: object[] = []
      for await (const { createdAt, ...one } of client.suppressions.list()) found.push(one)
      return found
    }
    expect(await list(world)).toEqual([
      { phoneNumber: phone(1), campaignId: null, reason },
      { phoneNumber: phone(104), campaignId: null, reason },
    ])
    expect(await list(other)).toEqual([])
    expect((await world.claim()).map(({ lead }) => lead.phoneNumber)).toEqual([phone(2)])
    expect((await world.client.calls.claim({ campaignId: summer, agent: 'ann' })).calls).toEqual([])
    expect((await other.claim()).map(({ lead }) => lead.phoneNumber)).toEqual([phone(1)])
  })
})
