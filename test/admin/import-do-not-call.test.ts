// `lead import` of a file with a column that says who must not be called: numbers are suppressed before the first lead
// is sent, and no row of them is.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atAllHours } from '../../src/admin/local/demo.ts'
import { configure } from '../support/companies/administration.ts'
import cases from '../support/leads/no-cases.json' with { type: 'json' }
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

/** Of the headers of a file: above cells of both yes and no. */
const sample = (headers: readonly string[]) => headers.filter((_, at) => at % 4 === 0)

describe('A column that may say who must not be called', () => {
  it.each(sample(cases.headers.no))('The header %j is taken without a question', async (header) => {
    const service = await startService()
    const file = csvFile(dirOfTest(), `phoneNumber,${header}`, `${phone(1)},yes`, `${phone(2)},no`)
    const { exitCode, tally: told } = await importTo(service, file)
    expect([exitCode, told]).toEqual([0, { ...tally(2, 1), do_not_call: 1 }])
    expect(service.suppressed.map(({ phoneNumbers }) => phoneNumbers)).toEqual([[phone(1)]])
  })

  it.each(sample(cases.headers.ask))(
    'The header %j stops the command, which prints what to add; each answer is taken',
    async (header) => {
      const service = await startService()
      const file = csvFile(dirOfTest(), `phoneNumber,${header}`, `${phone(1)},yes`, `${phone(2)},no`)
      const asked = await importTo(service, file)
      expect([asked.exitCode, service.suppressed, service.bodies]).toEqual([1, [], []])
      const [, said = '', kept = ''] = asked.stderr
        .split('\n')
        .map((line) => /^ {2}--map "(.+)"$/.exec(line)?.[1] ?? '')
      expect(kept).toBe(`${header}=keep`)
      const no = said === `${header}=doNotCall` ? phone(1) : phone(2)
      expect((await importTo(service, file, { more: ['--map', said] })).tally).toEqual({
        ...tally(2, 1),
        do_not_call: 1,
      })
      expect(service.suppressed.map(({ phoneNumbers }) => phoneNumbers)).toEqual([[no]])
      const other = await startService()
      expect((await importTo(other, file, { more: ['--map', kept] })).tally).toEqual(tally(2, 2))
      expect([other.suppressed, other.stored().map(({ metadata }) => metadata)]).toEqual([
        [],
        [{ [header]: 'yes' }, { [header]: 'no' }],
      ])
    },
  )

  it.each(sample(cases.headers.keep))('The header %j is kept as metadata', async (header) => {
    const service = await startService()
    const file = csvFile(dirOfTest(), `phoneNumber,${header}`, `${phone(1)},yes`, `${phone(2)},no`)
    expect((await importTo(service, file)).tally).toEqual(tally(2, 2))
    expect(service.suppressed).toEqual([])
  })

  it('All that is doubtful is asked at once, with the cells and their count, before anything is sent', async () => {
    const service = await startService()
    const file = csvFile(
      dirOfTest(),
      'phoneNumber,Opt out,Phone Consent,Status,Notes',
      ...[
        `${phone(1)},,yes,New,`,
        `${phone(2)},yes,no,Qualified,`,
        `${phone(3)},,,DNC,`,
        `${phone(4)},,No,stop,"Ring, please"`,
      ],
    )
    const { exitCode, stderr } = await importTo(service, file)
    expect([exitCode, service.suppressed, service.bodies]).toEqual([1, [], []])
    expect(stderr.split('\n')).toEqual([
      'error: column Opt out may say who must not be called, or be about e-mail; column Phone Consent asks ' +
        'whether people may be called, and 2 cells say no; column Status says do not call in 2 cells, ' +
        'such as “DNC”: add one of',
      ...['Opt out=doNotCall', 'Opt out=keep', 'Phone Consent=doNotCallIfNo', 'Phone Consent=keep'].map(
        (option) => `  --map "${option}"`,
      ),
      ...['Status=doNotCallIfSaid', 'Status=keep'].map((option) => `  --map "${option}"`),
      '',
    ])
    const more = ['Opt out=keep', 'phone consent=doNotCallIfNo', 'Status=DONOTCALLIFSAID'].flatMap((one) => [
      '--map',
      one,
    ])
    const answered = await importTo(service, file, { more })
    expect(answered.tally).toEqual({ ...tally(4, 1), do_not_call: 3 })
    expect(answered.stderr).toMatch(
      /^Column Phone Consent, Status says who must not be called: 3 rows of 3 numbers,/m,
    )
    expect(service.suppressed.map(({ phoneNumbers }) => phoneNumbers)).toEqual([
      [phone(2), phone(3), phone(4)],
    ])
    expect(service.stored()).toEqual([
      { phoneNumber: phone(1), metadata: { 'Phone Consent': 'yes', Status: 'New' } },
    ])
  })

  it('A dry run asks, too, and an export of the service that is imported again is asked about its do-not-calls', async () => {
    const service = await startService()
    const header = '_id,_creationTime,phoneNumber,status,lastOutcome'
    const file = csvFile(
      dirOfTest(),
      header,
      `1,2,${phone(1)},concluded,do_not_call`,
      `1,2,${phone(2)},concluded,answered`,
    )
    const asked = await importTo(service, file, { more: ['--dry-run'] })
    expect([asked.exitCode, asked.stderr]).toEqual([
      1,
      expect.stringMatching(/--map "lastOutcome=doNotCallIfSaid"/),
    ])
    const held = await importTo(service, file, { more: ['--map', 'lastOutcome=doNotCallIfSaid'] })
    expect(held.tally).toEqual({ ...tally(2, 1), do_not_call: 1 })
    expect(service.suppressed.map(({ phoneNumbers }) => phoneNumbers)).toEqual([[phone(1)]])
  })

  it('A column that is mapped to a name that says no is one, and metadata in JSON that says no is heard', async () => {
    const service = await startService()
    const file = csvFile(
      dirOfTest(),
      'phoneNumber,Calls,metadata',
      ...[`${phone(1)},yes,`, `${phone(2)},no,"{""crm"":{""dnc"":true}}"`, `${phone(3)},,"{""dnc"":false}"`],
    )
    const { tally: told } = await importTo(service, file, { more: ['--map', 'Calls=Do not call'] })
    expect(told).toEqual({ ...tally(3, 1), do_not_call: 2 })
    expect(service.suppressed.map(({ phoneNumbers }) => phoneNumbers)).toEqual([[phone(1), phone(2)]])
  })
})

describe('A second column of phones', () => {
  const rows = [
    'Phone,Mobile,Company Phone,Name',
    `,${phone(1)},${phone(90)},Ada`,
    `${phone(2)},${phone(3)},,Bob`,
    `,,${phone(91)},Cy`,
  ]
  const numbersOf = (service: Awaited<ReturnType<typeof startService>>) =>
    service.stored().map(({ phoneNumber }) => phoneNumber)

  it('It is used where the phone number is empty, and said so', async () => {
    const service = await startService()
    const { tally: told, stderr } = await importTo(service, csvFile(dirOfTest(), ...rows))
    expect([told, numbersOf(service)]).toEqual([tally(3, 2, 0, 0, 1), [phone(1), phone(2)]])
    expect(stderr).toMatch(
      /^If the phone number is empty, Mobile is used\. Another: --or-column; none: --no-or-column$/m,
    )
  })

  it.each([
    [
      ['--or-column', 'company phone'],
      [phone(90), phone(2), phone(91)],
    ],
    [['--no-or-column'], [phone(2)]],
  ])('A person may choose another, or none: %j', async (more, numbers) => {
    const service = await startService()
    await importTo(service, csvFile(dirOfTest(), ...rows), { more })
    expect(numbersOf(service)).toEqual(numbers)
  })

  it.each([
    ['Fax', /there is no column Fax, only Phone \| Mobile/],
    ['Phone', /column Phone is phoneNumber itself: name another with --or-column/],
  ])('--or-column %s is refused', async (header, message) => {
    const service = await startService()
    const { exitCode, stderr } = await importTo(service, csvFile(dirOfTest(), ...rows), {
      more: ['--or-column', header],
    })
    expect([exitCode, service.bodies, stderr]).toEqual([1, [], expect.stringMatching(message)])
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

  it('A no reaches every number of its row: all are on the list, and no campaign of the company leases them', async () => {
    const [world, other] = [await seedCallingWorld(service), await seedCallingWorld(service)]
    const summer = await world.another(`summer-${world.company}`)
    await configure(service.db, { companyId: world.company, campaignId: summer }, atAllHours)
    const nos = [phone(201), phone(202), phone(203), phone(204), phone(205)]
    for (const phoneNumber of [...nos, phone(206)])
      for (const campaign of [world.campaign, summer]) await world.add({ phoneNumber }, campaign)
    for (const phoneNumber of nos) await other.add({ phoneNumber })
    const file = csvFile(
      dirOfTest(),
      'Name,Phone,Mobile,Home Phone,WhatsApp,Agent Phone,Do Not Call',
      `Ada,${phone(201)},(415) 555-0202 (mobile),415-555-0203 x 5 / 415-555-0204,wa.me/14155550205,${phone(206)},yes`,
      `Bob,${phone(207)},,,,${phone(206)},no`,
      `Cy,${phone(203)},,,,,`,
    )
    const { exitCode, stdout } = await world.run(
      'lead import --json --country US --zone US=campaign --campaign',
      world.campaign,
      file,
    )
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { ...tally(3, 1), do_not_call: 2 }])
    const listed: string[] = []
    for await (const { phoneNumber } of world.client.suppressions.list()) listed.push(phoneNumber)
    expect(listed.sort()).toEqual(nos)
    const leased = async ({ client }: typeof world, campaignId: string) =>
      (await client.calls.claim({ campaignId, agent: 'ann', limit: 20 })).calls
        .map(({ lead }) => lead.phoneNumber)
        .sort()
    expect(await leased(world, world.campaign)).toEqual([phone(206), phone(207)])
    expect(await leased(world, summer)).toEqual([])
    expect(await leased(other, other.campaign)).toEqual(nos)
  })
})
