// `suppression add`, `import`, `list` and `remove`, on a running service, or on one that is played where it fails.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { insertCampaigns } from '../support/database/seed.ts'
import { type CallingWorld, seedCallingWorld } from './calling-world.ts'
import { at, command, commandJson, serviceOfFile } from './command.ts'
import { csvFile, phones } from './import-target.ts'
import { removeDir, temporaryDir } from './project.ts'

const service = serviceOfFile()
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

/** Adds what it is sent, or answers 503 or another status, by the number of the request for suppressions. */
async function playService(answer: (request: number) => boolean | number) {
  let requests = 0
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const isOwnKey = request.url === '/api/v1/keys/self'
    const answered = isOwnKey || answer(++requests)
    const added = isOwnKey ? 0 : (JSON.parse(text) as { phoneNumbers: string[] }).phoneNumbers.length
    const data = { company: { id: 'acme' }, added, existing: 0, removedFromQueue: 0, liveCalls: [] }
    const status = answered === true ? 200 : answered || 503
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? { data } : { data: null, error: 'Not now' }))
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  onTestFinished(() => void server.close().closeAllConnections())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return at(base, 'lk_1')
}

const listed = async ({ json }: CallingWorld, words = '') =>
  (await json<Page>(`suppression list ${words}`.trim())).suppressions

describe('Suppression add and remove', () => {
  it('Suppressing says that a key of the company is needed where that of a campaign is refused', async () => {
    const { campaign, json } = await seedCallingWorld(service)
    const made = await json<{ key: string }>(`key create --campaign ${campaign} --scope manage --name one`)
    const { stderr } = await command('suppression list', ...at(service.base, made.key))
    expect(stderr).toMatch(
      /^error: \S+ answered 403 Insufficient permissions\. This needs a key of the whole company, .*\n$/,
    )
  })

  it('A suppressed number is not claimed until its suppression is removed', async () => {
    const world = await seedCallingWorld(service)
    const { phoneNumber } = await world.add()
    const ofCompany = `--company ${world.company}`
    const added = await world.json<Tally>(`suppression add ${phoneNumber} +4930123456 ${ofCompany}`)
    expect(added).toEqual({ added: 2, existing: 0, removedFromQueue: 1, liveCalls: [] })
    expect(await world.claim()).toEqual([])

    const again = await world.json<Tally>(`suppression add ${phoneNumber} ${ofCompany}`)
    expect(again).toEqual({ added: 0, existing: 1, removedFromQueue: 0, liveCalls: [] })

    expect(await world.json(`suppression remove ${phoneNumber} +4930999999 ${ofCompany}`)).toEqual({
      lifted: 1,
    })
    expect(await world.claim()).toHaveLength(1)
  })

  it('A company that is not of the key, and a campaign that is not of the company, are one line', async () => {
    const world = await seedCallingWorld(service)
    const company = `the API key is of company ${world.company}, not of nobody`
    const campaign = `${service.base} answered 403 Campaign not found or access denied`
    const refusals = {
      'suppression add +4930123456 --company nobody': company,
      'suppression list --company nobody': company,
      'suppression remove +4930123456 --company nobody': company,
      'suppression add +4930123456 --campaign no': campaign,
      'suppression list --campaign no': campaign,
    }
    for (const [words, message] of Object.entries(refusals))
      expect(await world.run(words)).toEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` })
  })
})

describe('Suppression list', () => {
  it('What --csv writes makes the same list elsewhere', async () => {
    const [from, to] = [await seedCallingWorld(service), await seedCallingWorld(service)]
    const numbers = phones(1000)
    for (const world of [from, to]) await world.another('autumn')
    await from.json('suppression add', ...numbers)
    await from.json('suppression add +4930123456 --campaign autumn --reason', '=1+1, "x"')
    const exported = await from.run('suppression list --csv')
    const file = join(dir, 'suppressed.csv')
    writeFileSync(file, exported.stdout)
    const tally = await to.json<Tally>(`suppression import ${file}`)
    expect(tally).toMatchObject({ added: 1001, existing: 0, invalid: 0 })
    const kept = async (world: CallingWorld) =>
      (await listed(world, '--limit 1000')).map(({ createdAt: _, ...rest }) => rest)
    expect(await kept(to)).toEqual(await kept(from))
    expect(await listed(to, '--campaign autumn')).toMatchObject([{ reason: '=1+1, "x"' }])
  })
})

describe('Suppression import', () => {
  it('More numbers than the store takes for so many campaigns go in portions', async () => {
    const world = await seedCallingWorld(service)
    const ids = Array.from({ length: 150 }, (_, index) => `c${index}`)
    await insertCampaigns(service.db, world.company, ids).run()
    const file = join(dir, 'many.csv')
    writeFileSync(file, ['phoneNumber', ...phones(1500)].join('\n'))
    expect(await world.json<Tally>(`suppression import ${file}`)).toMatchObject({ added: 1500, existing: 0 })
  })

  it('Every row ends as added, existing, repeated, or not added with its number and why', async () => {
    const world = await seedCallingWorld(service)
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
    await world.json(`suppression add +4930123458 --company ${world.company}`)
    const { exitCode, stdout, stderr } = await world.run(`suppression import ${file}`, ...words)
    const rejects = file.replace('.csv', '.rejected.csv')
    const noCampaign = `${service.base} answered 403 Campaign not found or access denied`
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
    const reasons = (await listed(world)).map(({ reason }) => reason)
    expect(reasons.sort()).toEqual(['asked', 'list', null])
    expect(await world.claim()).toEqual([])
  })

  it.each<[words: string, cells: string[], numbers: string[]]>([
    ['', ['tel:+491711234567', 'p:+491711234568'], ['+491711234567', '+491711234568']],
    // Both are listed in all spellings.
    [
      '--country MX',
      ['+52 1 55 1234 5678', '55 1234 5679'],
      ['+5215512345678', '+5215512345679', '+525512345678', '+525512345679'],
    ],
  ])(
    'A number that says no is read however its exporter writes it, and as no other: %s',
    async (...given) => {
      const [words, cells, numbers] = given
      const world = await seedCallingWorld(service)
      const file = csvFile(dir, 'phoneNumber', ...cells, '+14155550100 5')
      const { exitCode, stderr } = await world.run(`suppression import ${file} ${words}`.trim())
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^row 4 invalid: \+14155550100 5: /m)])
      expect((await listed(world)).map(({ phoneNumber }) => phoneNumber).sort()).toEqual(numbers)
    },
  )

  it('A number behind the columns of the header is added, or not added with its number and why', async () => {
    const [world, other] = [await seedCallingWorld(service), await seedCallingWorld(service)]
    const file = csvFile(
      dir,
      'Name,phoneNumber,reason',
      'Ada,0171 1234567,asked, +49 171 1234568,10115,2026-01-31,Berlin',
      'Bob,0171 1234569,,0171 123,01.02.2026',
      'Groß, Eve,,0171 1234570',
    )
    const tried = await world.run(`suppression import ${file} --country DE --dry-run`)
    expect(tried.stdout).toBe('Dry run, nothing sent: 3 rows, 4 numbers to add, 0 repeated, 2 invalid.\n')
    const { exitCode, stdout, stderr } = await world.run(`suppression import ${file} --country DE`)
    expect([exitCode, stdout]).toEqual([
      1,
      '3 rows, 0 repeated, 2 invalid: 4 added, 0 existing; 0 leads left the queue.\n',
    ])
    expect(stderr.match(/^row .+$/gm)).toEqual([
      'row 3 invalid: 0171 123: phoneNumber is too short or too long for Germany, or not in use there',
      'row 4 invalid: Eve: phoneNumber has letters or other characters that are not part of a number',
    ])
    const added = (await listed(world)).map(({ phoneNumber, reason }) => [phoneNumber, reason])
    expect(added.sort()).toEqual([
      ['+491711234567', 'asked'],
      ['+491711234568', 'asked'],
      ['+491711234569', null],
      ['+491711234570', null],
    ])
    expect(await listed(other)).toEqual([])
  })

  it('What was not added is imported once it is corrected, and no earlier file of it is written over', async () => {
    const world = await seedCallingWorld(service)
    const { company } = world
    const file = csvFile(dir, 'phoneNumber,reason', '030 123459,asked')
    const words = ['--company', company]
    for (const name of ['rejected', 'rejected-2']) {
      const { exitCode, stderr } = await world.run(`suppression import ${file}`, ...words)
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`.${name}.csv\n`)])
    }
    const rejects = file.replace('.csv', '.rejected.csv')
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('030 123459', '+4930123459'))
    expect(await world.json(`suppression import ${rejects}`, ...words)).toMatchObject({
      rows: 1,
      added: 1,
      invalid: 0,
    })
    expect(await listed(world)).toMatchObject([{ phoneNumber: '+4930123459', reason: 'asked' }])
  })

  it('Input that can be read once is kept while the service does not answer', async () => {
    const file = csvFile(dir, 'phoneNumber', ...phones(1500))
    const options = await playService((request) => {
      // Gone, as stdin is.
      if (request === 1) rmSync(file)
      return request % 2 === 0
    })
    expect(await commandJson<Tally>(`suppression import ${file}`, ...options)).toMatchObject({
      added: 1500,
      existing: 0,
      invalid: 0,
    })
  })

  it('Numbers that a service in trouble did not take are named as not added', async () => {
    const numbers = phones(1001)
    const file = csvFile(dir, 'phoneNumber', ...numbers)
    const options = await playService((request) => request === 1 || 500)
    const { exitCode, stdout, stderr } = await command(`suppression import ${file}`, ...options)
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
    const world = await seedCallingWorld(service)
    const finished = await world.run(`suppression import ${csvFile(dir, ...lines)}`)
    expect(finished).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(message) })
    expect(await listed(world)).toEqual([])
  })
})
