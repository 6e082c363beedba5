// Lead files without a service: columns as meanings and rows as leads, as command line and console share them; and the
// console's own checks.
import { describe, expect, it } from 'vitest'
import { invalidRowsFile } from '../../../src/console/import/file/invalid-rows-file.ts'
import { openJudge } from '../../../src/console/import/file/judge-rows.ts'
import { survey } from '../../../src/console/import/file/survey.ts'
import { readCreate } from '../../../src/queue/leads/create-input.ts'
import type { LeadFieldName } from '../../../src/queue/leads/field-table.ts'
import {
  columnsOf,
  consentFields,
  type Meaning,
  problemOfMeanings,
} from '../../../src/queue/leads/file/columns.ts'
import { readFormat } from '../../../src/queue/leads/file/csv-rows.ts'
import { guessMeanings } from '../../../src/queue/leads/file/guess-columns.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'
import { unusableFieldOf } from '../../../src/queue/leads/file/unusable.ts'
import { all, pieces, rowsOf } from '../../support/leads/lead-file.ts'

it.each<[header: string, meaning: Meaning]>([
  ['Phone Number', 'phoneNumber'],
  ['mobile_phone', 'phoneNumber'],
  ['phoneNumber', 'phoneNumber'],
  ['CRM ID', 'externalId'],
  ['scheduledFor', 'scheduledFor'],
  ['Time zone', 'timeZone'],
  ['Company', 'keep'],
  ['importReason', 'ignore'],
  // German, French, Spanish, Italian, Dutch, Portuguese, Polish
  ['Priorität', 'priority'],
  ['Zeitzone', 'timeZone'],
  ['Kunden-Nr.', 'externalId'],
  ['Rückruf am', 'scheduledFor'],
  ['N° de téléphone', 'phoneNumber'],
  ['Priorité', 'priority'],
  ['Fuseau horaire', 'timeZone'],
  ['Teléfono móvil', 'phoneNumber'],
  ['Zona horaria', 'timeZone'],
  ['Codice cliente', 'externalId'],
  ['Priorità', 'priority'],
  ['Tijdzone', 'timeZone'],
  ['Klantnummer', 'externalId'],
  ['Telemóvel', 'phoneNumber'],
  ['Ligar em', 'scheduledFor'],
  ['Numer telefonu', 'phoneNumber'],
  ['Strefa czasowa', 'timeZone'],
  // HubSpot, Salesforce, Pipedrive, Zoho, Google
  ['Record ID', 'externalId'],
  ['MobilePhone', 'phoneNumber'],
  ['Person - Phone - Work', 'phoneNumber'],
  ['Lead Id', 'externalId'],
  ['Phone 1 - Value', 'phoneNumber'],
  ['Phone 1 - Type', 'keep'],
  ['', 'ignore'],
  // A consent
  ['Opt-in date', 'consentGivenAt'],
  ['consent_given_at', 'consentGivenAt'],
])('The column %j is guessed to be %s', (header, meaning) => {
  expect(guessMeanings([header])).toEqual([meaning])
})

it.each([
  '\u00A0Phone\u00A0Number',
  'Phone\u200B Number',
  '\uFEFFPhone\u202FNumber\u2060',
  'Phone\u200BNumber',
])('No-break and zero-width spaces in a header count as spaces: %j', (header) => {
  expect(guessMeanings([header])).toEqual(['phoneNumber'])
  expect(columnsOf([header], ['keep'])[0]?.name).toMatch(/^Phone {1,2}Number$/)
})

it('A header that is the own name of a field is that field, whatever else looks like it', () => {
  expect(guessMeanings(['Phone', 'PhoneNumber', 'phonenumber'])).toEqual(['keep', 'phoneNumber', 'keep'])
})

it('A field is guessed once, and what the service adds to a list is ignored', () => {
  expect(guessMeanings(['phone', 'mobile'])).toEqual(['phoneNumber', 'keep'])
  expect(guessMeanings(['Name', 'Phone 1', 'Phone 2'])).toEqual(['keep', 'phoneNumber', 'keep'])
  expect(guessMeanings(['Phone 1', 'Phone'])).toEqual(['keep', 'phoneNumber'])
  expect(guessMeanings(['Client ID 1', 'Phone 1 Type'])).toEqual(['keep', 'keep'])
  expect(guessMeanings(['ID', 'Home Phone', 'Mobile Phone', 'External ID'])).toEqual([
    'keep',
    'keep',
    'phoneNumber',
    'externalId',
  ])
  expect(guessMeanings(['_id', '_creationTime', 'phoneNumber', 'status'])).toEqual([
    'ignore',
    'ignore',
    'phoneNumber',
    'ignore',
  ])
})

it('Columns of a consent are guessed beside the one of its time, and are kept without it', () => {
  const others = consentFields.filter((field) => field !== 'consentGivenAt')
  expect(guessMeanings(['phone', ...consentFields])).toEqual(['phoneNumber', ...consentFields])
  expect(guessMeanings(['phone', ...others])).toEqual(['phoneNumber', ...others.map(() => 'keep')])
  expect(
    guessMeanings(['xxTrustedFormCertUrl', 'Opt-in IP', 'Consent Text SHA-256', 'Consent date']),
  ).toEqual(['consentCertificateUrl', 'consentIp', 'consentTextSha256', 'consentGivenAt'])
  for (const field of others)
    expect(problemOfMeanings(['a', 'b'], ['phoneNumber', field])).toMatch(/time of the consent/)
  expect(problemOfMeanings(['a', 'b'], ['phoneNumber', 'consentGivenAt'])).toBeNull()
  const twice: Meaning[] = ['phoneNumber', 'consentGivenAt', 'consentIp', 'consentIp']
  expect(problemOfMeanings(['a', 'b', 'c', 'd'], twice)).toMatch(/Two columns are Consent IP/)
})

it('Columns cannot be used without a phone number, or when two mean the same', () => {
  expect(problemOfMeanings(['a'], ['keep'])).toMatch(/phone number/)
  expect(problemOfMeanings(['a', 'b'], ['phoneNumber', 'phoneNumber'])).toMatch(/Two columns/)
  expect(problemOfMeanings(['a', 'b', 'b'], ['phoneNumber', 'keep', 'keep'])).toMatch(/header b/)
  expect(problemOfMeanings(['a', 'b'], ['phoneNumber', 'keep'])).toBeNull()
})

describe('A row', () => {
  const headers = ['phone', 'id', 'prio', 'at', 'meta', 'Name']
  const meanings: Meaning[] = ['phoneNumber', 'externalId', 'priority', 'scheduledFor', 'metadata', 'keep']
  const judge = openJudge(columnsOf(headers, meanings))
  const judged = (...cells: string[]) => judge({ row: 2, cells })

  it('A row becomes a lead, with the digits of its metadata and the columns that are kept', () => {
    const one = judged(
      '+14155550100',
      '=7',
      '10',
      '2027-01-15T09:30:00+01:00',
      '{"n": 12345678901234567890}',
      'Ada',
    )
    expect(one).toEqual({
      row: 2,
      changes: [],
      phoneNumber: '+14155550100',
      json:
        '{"phoneNumber":"+14155550100","externalId":"=7","priority":10,' +
        '"scheduledFor":"2027-01-15T09:30:00+01:00","metadata":{"n": 12345678901234567890,"Name":"Ada"}}',
    })
  })

  it.each<[problem: RegExp, cells: string[]]>([
    [/missing/, ['', '', '', '', '', '']],
    [/digits only/, ['(415) 555-0100', '', '', '', '', '']],
    [/rounded/, ['4.91E+11', '', '', '', '', '']],
    [/0 to 100/, ['+14155550100', '', '101', '', '', '']],
    [/0 to 100/, ['+14155550100', '', 'high', '', '', '']],
    [/ISO 8601/, ['+14155550100', '', '', 'tomorrow', '', '']],
    [/JSON object/, ['+14155550100', '', '', '', '[1]', '']],
    [/255/, ['+14155550100', 'x'.repeat(256), '', '', '', '']],
    [/64 KiB/, ['+14155550100', '', '', '', '', 'x'.repeat(10_000_000)]],
    [/5 columns/, ['+14155550100', '', '', '', '']],
  ])('A row has its problem named: %s', (problem, cells) => {
    expect(judged(...cells)).toMatchObject({ row: 2, problem: expect.stringMatching(problem) })
    expect(judged(...cells)).not.toHaveProperty('json')
  })

  it.each<[field: LeadFieldName, cells: string[], without: object]>([
    ['priority', ['a', 'high', '', '{"n":1}', 'Ada'], { externalId: 'a', metadata: { n: 1, Name: 'Ada' } }],
    ['externalId', ['x'.repeat(256), '7', '', '', ''], { priority: 7 }],
    ['scheduledFor', ['', '7', '2027-02-30T00:00:00Z', '', ''], { priority: 7 }],
    ['metadata', ['', '7', '', '[1]', 'Ada'], { priority: 7, metadata: { Name: 'Ada' } }],
    [
      'metadata',
      ['', '7', '', `{"a":"${'x'.repeat(17_000)}"}`, 'Ada'],
      { priority: 7, metadata: { Name: 'Ada' } },
    ],
    ['metadata', ['', '7', '', '', 'x'.repeat(100_000)], { priority: 7 }],
  ])(
    'A row loses an unusable %s, and not its lead, where a person says so',
    async (field, cells, without) => {
      const row = { row: 2, cells: ['+14155550100', ...cells] }
      const asked = await survey(all(row), judge, (text) => text)
      expect(asked).toMatchObject({ valid: 0, unusable: [{ name: field, count: 1 }] })
      const lenient = openJudge(columnsOf(headers, meanings), {}, { unusable: { [field]: 'ignore' } })
      expect(await survey(all(row), lenient, (text) => text)).toMatchObject({
        valid: 1,
        unusable: [{ name: field, count: 1 }],
      })
      const judged = lenient(row)
      expect('json' in judged && JSON.parse(judged.json)).toEqual({ phoneNumber: '+14155550100', ...without })
      // Two are decided one by one, and a row without a number is not asked about.
      const other = field === 'priority' ? 'externalId' : 'priority'
      expect(lenient({ row: 2, cells: row.cells.with(0, '') }).unusable).toBeUndefined()
      const both = row.cells.with(other === 'priority' ? 2 : 1, 'x'.repeat(300))
      expect(lenient({ row: 2, cells: both })).toMatchObject({
        problem: expect.any(String),
        unusable: [{ field: other }],
      })
    },
  )

  it.each<[field: LeadFieldName, usable: unknown[], unusable: unknown[]]>([
    ['phoneNumber', ['+1415555', '+123456789012345'], ['', '+141555', '+1234567890123456', '+0415555', '٤٩']],
    ['externalId', ['x', '🙂'.repeat(255)], ['x'.repeat(256), '🙂'.repeat(256), 'x'.repeat(9999)]],
    ['metadata', [{}, { a: 'é'.repeat(8_188) }], ['{', [1], { a: 'é'.repeat(8_189) }]],
    ['scheduledFor', ['2028-02-29T23:59Z', '2027-01-15T09:30:00+0100'], ['2027-02-29T00:00:00Z', '1.1.2027']],
    ['priority', [0, 100], [-1, 101, 1.5, '7', 'high']],
    ['timeZone', ['UTC', 'Europe/Kyiv'], ['europe/berlin', 'Europe/Atlantis', 'CET+1']],
  ])('A row has an unusable %s where the service refuses it, and nowhere else', (field, usable, unusable) => {
    for (const value of [...usable, ...unusable]) {
      const lead = { phoneNumber: '+14155550100', [field]: value }
      const isRead = readCreate(JSON.stringify({ campaignId: 'demo', ...lead })).isValid
      expect([value, isRead]).toEqual([value, usable.includes(value)])
      expect([value, unusableFieldOf(lead)]).toEqual([value, isRead ? null : field])
    }
  })

  it('A number is read from another column where its own is empty, and only there', () => {
    const columns = columnsOf(['Telefon', 'Mobil'], ['phoneNumber', 'keep'])
    const numbersOf = (insteadPlace?: number) => {
      const judge = openJudge(columns, {}, { insteadPlace })
      const rows = [
        ['+14155550100', '+14155550109'],
        [' - ', '+14155550101'],
        ['0171', '+14155550102'],
        ['', ''],
      ].map((cells, index) => ({ row: index + 2, cells }))
      return rows.map(judge).map((one) => ('json' in one ? one.phoneNumber : null))
    }
    expect(numbersOf()).toEqual(['+14155550100', null, null, null])
    expect(numbersOf(1)).toEqual(['+14155550100', '+14155550101', null, null])
  })

  it('A row that is invalid is downloaded with its own cells, the reason, and nothing that a spreadsheet runs', async () => {
    const rows = [
      { row: 2, cells: ['=cmd()', 'a', '', '', '', '<script>'] },
      { row: 3, cells: ['+14155550100', '', '', '', '', ''] },
      { row: 4, cells: ['+14155550101', '', '', '', '', ''] },
    ]
    const fromService = new Map([[4, 'metadata is too large']])
    const file = await invalidRowsFile(headers, all(...rows), judge, fromService, {
      delimiter: ',',
      newline: '\r\n',
    })
    // Blob.text() removes the byte order mark.
    const lines = (await file.text()).replace('\uFEFF', '').split('\r\n')
    expect(lines).toEqual([
      'phone,id,prio,at,meta,Name,importRow,importReason',
      expect.stringMatching(/^'=cmd\(\),a,,,,<script>,2,/),
      '+14155550101,,,,,,4,metadata is too large',
      '',
    ])
  })

  it.each([
    ['semicolons', 'phone;name\r\nx;"Acme; Inc, Ltd"\r\n', 'x;"Acme; Inc, Ltd";2;no number\r\n'],
    ['tabs', 'phone\tname\nx\tAcme\n', 'x\tAcme\t2\tno number\n'],
    ['commas', 'phone,name\rx,Acme', 'x,Acme,2,no number\r'],
  ])('A row is downloaded in the format of its file: %s', async (_, text, wanted) => {
    const format = await readFormat(pieces(text))
    const [header, ...rows] = await rowsOf(text)
    const isWrong = ({ row }: { row: number }) => ({ row, phoneNumber: '', problem: 'no number' })
    const file = await invalidRowsFile(header?.cells ?? [], all(...rows), isWrong, new Map(), format)
    const given = (await file.text()).replace('\uFEFF', '')
    expect(given.endsWith(wanted)).toBe(true)
    expect((await rowsOf(given)).map(({ cells }) => cells.length)).toEqual([4, 4])
  })

  it('A row is counted before anything is sent, and so is a repeated number', async () => {
    const cells = (phone: string) => [phone, '', '', '', '', '']
    const rows = ['+14155550100', 'x', '+14155550100'].map((phone, index) => ({
      row: index + 2,
      cells: cells(phone),
    }))
    const found = await survey(all(...rows), judge, (text) => text)
    expect(found).toMatchObject({ rows: 3, valid: 2, invalid: 1, repeated: 1 })
    expect(found.problems.map(({ row }) => row)).toEqual([3])
  })

  it('A row is grouped by its problem before anything is sent, with count, value and first rows', async () => {
    const phones = ['0171', '4.9E+12', '0172', '+14155550100', '0173', '0174']
    const rows = phones.map((phone, index) => ({ row: index + 2, cells: [phone, '', '', '', '', ''] }))
    const short = { row: 9, cells: ['+14155550101'] }
    const { causes, invalid } = await survey(all(...rows, short), judge, (text) => text)
    expect(causes.map(({ name, count, first }) => [name.slice(0, 12), count, first])).toEqual([
      ['Phone number', 4, [2, 4, 6].map((row) => ({ row, value: phones[row - 2] }))],
      ['Phone number', 1, [{ row: 3, value: '4.9E+12' }]],
      ['Not a data r', 1, [{ row: 9, value: '+14155550101' }]],
    ])
    expect(causes.reduce((sum, { count }) => sum + count, 0)).toBe(invalid)
  })
})

describe('A file whose cells are read', () => {
  const headers = ['Telefon', 'Termin']
  const columns = columnsOf(headers, ['phoneNumber', 'scheduledFor'])
  const said = { country: 'DE', turnedOff: [], dates: 'day-first', timeZone: 'Europe/Berlin' } as const
  const phones = ['0171 1234567', '+49 171 1234568', '0171 1234569', '0171 1234567', '171 1234567']
  const rows = phones.map((phone, index) => ({ row: index + 2, cells: [phone, '24.12.2026 10:00'] }))

  it('A file whose cells are read shows each kind of change with count, before and after, and decides repeats after it', async () => {
    const { readers } = await openReaders(said)
    const found = await survey(all(...rows), openJudge(columns, readers), (text) => text)
    expect(found).toMatchObject({ rows: 5, valid: 4, invalid: 1, repeated: 1 })
    const first = { row: 2, value: '0171 1234567', number: '+491711234567' }
    expect(found.changes.map(({ name, count, first }) => [name, count, first[0]])).toEqual([
      ['date', 4, { row: 2, value: '24.12.2026 10:00', number: '2026-12-24T10:00:00+01:00' }],
      ['national', 3, first],
      ['punctuation', 1, { row: 3, value: '+49 171 1234568', number: '+491711234568' }],
    ])
    expect(found.causes).toMatchObject([{ count: 1, first: [{ row: 6, value: '171 1234567' }] }])
  })

  it('A file whose cells are read shows which numbers are premium-rate or satellite, and keeps their rows', async () => {
    const { readers } = await openReaders({ ...said, country: 'AU' })
    const phones = ['0412 345 678', '0147 123 456', '+1 212 976 1234', '+12129751234']
    const rows = phones.map((phone, index) => ({ row: index + 2, cells: [phone, ''] }))
    const found = await survey(all(...rows), openJudge(columns, readers), (text) => text)
    expect(found).toMatchObject({ rows: 4, valid: 4, invalid: 0 })
    expect(found.changes.find(({ name }) => name === 'costly')).toEqual({
      name: 'costly',
      count: 2,
      first: [
        { row: 3, value: '0147 123 456', number: '+61147123456' },
        { row: 4, value: '+1 212 976 1234', number: '+12129761234' },
      ],
    })
  })

  it('A file’s errors are what is turned off, and dates without a confirmed order, each with its own cell', async () => {
    const { readers } = await openReaders({ ...said, turnedOff: ['national'], dates: null })
    const found = await survey(all(...rows), openJudge(columns, readers), (text) => text)
    expect(found.changes).toEqual([])
    expect(found.causes.map(({ name, count, first }) => [name, count, first[0]?.value])).toEqual([
      [expect.stringMatching(/^Phone number .+turned off\.$/), 3, '0171 1234567'],
      [expect.stringMatching(/^Scheduled for .+not confirmed\.$/), 1, '24.12.2026 10:00'],
      [expect.stringMatching(/^Phone number has lost its leading zero/), 1, '171 1234567'],
    ])
  })
})
