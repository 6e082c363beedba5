// Do-not-call numbers in the console: each number of a text is valid, or invalid with the reason, and each one that is
// sent is added, already there, or left.
import { describe, expect, it } from 'vitest'
import { clientOf } from '../../../src/console/service/client.ts'
import { type NumbersInText, readNumbers } from '../../../src/console/settings/do-not-call/numbers-in-text.ts'
import { addNumbers } from '../../../src/console/settings/do-not-call/suppressed-numbers.ts'
import { readOne } from '../../../src/console/settings/number-rules.ts'
import { type CountryCode, numberReader } from '../../../src/queue/leads/file/cells/phone-cell.ts'
import { readText } from '../../../src/queue/leads/file/open/read-text.ts'
import { LeadIntakeError } from '../../../src/sdk/src/errors.ts'
import type { Send } from '../../../src/sdk/src/send.ts'
import { workbook } from '../../support/leads/workbook.ts'

const read = (text: string, country: CountryCode | null = null) => readNumbers(text, numberReader(country))
const valid = ({ valid }: NumbersInText) => valid.map(({ number }) => number)
const invalid = ({ invalid }: NumbersInText) => invalid.map(({ row, value }) => [row, value])

it.each<[name: string, text: string, numbers: string[]]>([
  ['on lines', '+14155550100\n\r\n+14155550101', ['+14155550100', '+14155550101']],
  ['beside each other', '+14155550100; +14155550101, +14155550102 +14155550103', [0, 1, 2, 3].map(number)],
  ['in words', 'Never call +14155550100 again', ['+14155550100']],
  ['twice', '+14155550100\n+14155550100', ['+14155550100']],
  ['quoted', '"+14155550100"|"a ""b"""', ['+14155550100']],
  ['escaped for a spreadsheet', "phone,name\n'+14155550100,x", ['+14155550100']],
  [
    'in an export',
    'phoneNumber,campaignId,reason,createdAt\r\n+14155550100,,,2026-01-01T00:00:00.000Z\r\n',
    [number(0)],
  ],
  ['beside dates', '+14155550100;2026-01-01;2026-01-01T00:00:00Z', ['+14155550100']],
  [
    'in two columns',
    'Name;Telefon;Mobil\nAda;+14155550100;+14155550101\nBob;;+14155550102',
    [0, 1, 2].map(number),
  ],
  ['in a column that no header names', 'Telefon;Notiz\n+14155550100;+14155550101', [0, 1].map(number)],
  ['with spaces', '+49 171 1234567', ['+491711234567']],
  ['in Arabic digits, on the first line', '+٤٩١٧١١٢٣٤٥٦٧\n+14155550100', ['+491711234567', number(0)]],
  ['in Persian digits', '+۴۹ ۱۷۱ ۱۲۳۴۵۶۷', ['+491711234567']],
  [
    'in full-width digits, on the first line',
    '＋４９（１７１）１２３４５６７\n+14155550100',
    ['+491711234567', number(0)],
  ],
  ['two in full-width digits', '＋１４１５５５５０１００ ＋１４１５５５５０１０１', [0, 1].map(number)],
  ['with spaces in odd places', '+1415555 0100', ['+14155550100']],
  // The service takes and calls them, though no country has them.
  [
    'as they were written in Mexico and Brazil, and in no country',
    '+5215512345678\n+52 1 55 1234 5679\n+55 11 8765-4321\n+999 1234567',
    ['+5215512345678', '+5215512345679', '+551187654321', '+9991234567'],
  ],
  ['of two kinds, with commas between', '"+49 171 1234567, +14155550100"', ['+491711234567', '+14155550100']],
])('Numbers in a text are found once each: %s', async (_, text, numbers) => {
  const found = await read(text)
  expect(valid(found)).toEqual(numbers)
  expect(invalid(found)).toEqual([])
})

it('Numbers in a text are read as those of a country once it is chosen, before and after shown by kind', async () => {
  const text = 'Telefon;Name\n0171 1234567;Ada\n0049 30 1234567;Bob\n030/1234567;Eve\n+491711234567;Max'
  const without = await read(text)
  expect(valid(without)).toEqual(['+491711234567'])
  const found = await read(text, 'DE')
  expect(valid(found)).toEqual(['+491711234567', '+49301234567'])
  expect([found.repeated, found.invalid]).toEqual([2, []])
  expect(found.changes.map(({ name, count, first }) => [name, count, first[0]])).toEqual([
    ['national', 2, { row: 2, value: '0171 1234567', number: '+491711234567' }],
    ['international_prefix', 1, { row: 3, value: '0049 30 1234567', number: '+49301234567' }],
  ])
})

it.each<[text: string, country: CountryCode, columns: string[], numbers: string[]]>([
  [
    'Nombre,Teléfono,Móvil\nAna,912345678,612345678',
    'ES',
    ['Teléfono', 'Móvil'],
    ['+34912345678', '+34612345678'],
  ],
  [
    'Name;Mobil;Festnetz\nAda;0171 1234567;030 1234567',
    'DE',
    ['Mobil', 'Festnetz'],
    ['+491711234567', '+49301234567'],
  ],
  ['Nom;Téléphone;Portable 2\nAda;;06 12 34 56 78', 'FR', ['Téléphone', 'Portable 2'], ['+33612345678']],
  [
    'Imię;Telefon komórkowy;Komórka\nAda;512 345 678;512 345 679',
    'PL',
    ['Telefon komórkowy', 'Komórka'],
    ['+48512345678', '+48512345679'],
  ],
  ['Name;Telefon\nAda;0171 1234567;030 1234567', 'DE', ['Telefon'], ['+491711234567', '+49301234567']],
  // Orders, customers and flags are no phones, though their headers have such words.
  [
    'Móvil,Número de pedido,Número de cliente,Do not phone\n612345678,912345678,912345679,1',
    'ES',
    ['Móvil'],
    ['+34612345678'],
  ],
])(
  'Numbers in a text are read in each column that is of phones by its header, and behind the last: %j',
  async (...given) => {
    const [text, country, columns, numbers] = given
    const found = await read(text, country)
    expect([found.columns, valid(found), found.invalid]).toEqual([columns, numbers, []])
  },
)

it.each(['p:+491711234568', '(+49) 171 1234568', '\u202A+49 171 1234568\u202C'])(
  'A number with a plus is read in a column that no header names: %j',
  async (cell) => {
    const found = await read(`Telefon;Privat\n0171 1234567;${cell}`, 'DE')
    expect([valid(found), found.invalid]).toEqual([['+491711234567', '+491711234568'], []])
  },
)

it.each([
  '0049 171 1234568',
  '0049-171-1234568',
  '00491711234568',
  'tel:0171 1234568',
  '0171 1234568',
  '01711234568',
  '(0171) 1234568',
  '(415) 555-0100',
  '415-555-0100',
])(
  'A number in a column that no header names is listed as not added where it is plainly one: %s',
  async (cell) => {
    const found = await read(`Telefon;Privat\n0171 1234567;${cell}\n;${cell}`, 'DE')
    expect(valid(found)).toEqual(['+491711234567'])
    expect(found.invalid).toEqual([
      { row: 2, value: cell, problem: 'In a column that is not one of phone numbers by its header' },
      { row: 3, value: `;${cell}`, problem: 'No phone number in this row' },
    ])
  },
)

it.each([
  ...[
    'Ada',
    'Haus 5',
    '01067',
    '00118',
    '10115-1234',
    '2026-01-01',
    '01.02.2026',
    '01.02.2026 10:30',
    '00:15:00',
  ],
  ...['1.234,50', '1234567.00', '0,99', '12345678', '0012/2026', '0010012345', '0000012345', '123-45-6789'],
])('What is no number is not listed in a column that no header names: %s', async (cell) => {
  const found = await read(`Telefon;X;Kundennummer\n0171 1234567;${cell};0171234567`, 'DE')
  expect([valid(found), found.invalid]).toEqual([['+491711234567'], []])
})

it('A row with more cells than the header is listed whole where what is behind may be a part of a number', async () => {
  const text = 'Telefon\n0171,1234567\n+49171,1234567\n+521551234,567\n+491711234567,2026-01-01,'
  const found = await read(text, 'DE')
  expect(valid(found)).toEqual(['+491711234567'])
  expect(invalid(found)).toEqual([
    [2, '0171,1234567'],
    [3, '+49171,1234567'],
    [4, '+521551234,567'],
  ])
})

it('Numbers in a text that no country has are added, and shown as such', async () => {
  const { changes } = await read('+491711234567\n+49171\n+9991234567')
  expect(changes.map(({ name, first }) => [name, first.map(({ number }) => number)])).toEqual([
    ['unknown', ['+9991234567']],
  ])
})

it.each([
  '0171 1234567; 030 1234567',
  '0171 1234567;030 1234567',
  'Telefon,Name\n0171 1234567; 030 1234567,Ada',
  'Ada, 0171 1234567; 030 1234567',
  '4,91718E+11; 0171 1234567; 030 1234567',
])('Numbers in a text may have a semicolon and a blank between them: %j', async (text) => {
  const found = await read(text, 'DE')
  expect(valid(found)).toEqual(['+491711234567', '+49301234567'])
  expect(found.invalid.map(({ value, problem }) => [value, problem])).toEqual(
    text.startsWith('4') ? [['4,91718E+11', 'A decimal, as spreadsheets write long numbers']] : [],
  )
})

it.each<[string, CountryCode | null, string]>([
  ['0171 / 1234567', 'DE', '+491711234567'],
  ['+49 (0) 171 1234567', null, '+491711234567'],
  ['0049 171 1234567', 'DE', '+491711234567'],
  ['（415） 555-0123', 'US', '+14155550123'],
  ['+1 (415) 555-0123', 'DE', '+14155550123'],
  // No country has them, and the service takes them.
  ['+999 1234567', 'DE', '+9991234567'],
  ['+52 1 55 1234 5678', 'MX', '+5215512345678'],
])('A number that is looked up is read as it is written: %s', (text, country, number) => {
  expect(readOne(text, numberReader(country))).toEqual({ number })
})

it.each<[string, CountryCode | null, RegExp]>([
  ['0171 1234567', null, /no country is chosen/],
  ['4,91718E+11', 'DE', /^A decimal, as spreadsheets write/],
  ['', 'DE', /^Missing\.$/i],
  ['+14155550100 5', 'DE', /^Not a valid number\.$/i],
  ['Ada', 'DE', /\.$/],
])('A number that is looked up and cannot be read says why: %j', (text, country, problem) => {
  expect(readOne(text, numberReader(country))).toEqual({ problem: expect.stringMatching(problem) })
})

it('Numbers in a text that are invalid are grouped by cause, with value and first rows', async () => {
  const { causes } = await read('0171 1\n0171 1234567\n491711234567\n4.9E+12', 'DE')
  expect(causes.map(({ name, count, first }) => [name, count, first])).toEqual([
    ['Too short or too long for Germany, or not in use there', 1, [{ row: 1, value: '0171 1' }]],
    [expect.stringMatching(/^Starts with neither/), 1, [{ row: 3, value: '491711234567' }]],
    [expect.stringMatching(/decimal/), 1, [{ row: 4, value: '4.9E+12' }]],
  ])
})

it.each<[name: string, text: string, left: [number, string][]]>([
  ['national', '+14155550100\n0171 1234567', [[2, '0171 1234567']]],
  ['with an extension', '+14155550100 ext 5', [[1, '+14155550100 ext 5']]],
  [
    'two beside each other, with spaces',
    '+49 171 1234567 +49 30 1234567',
    [[1, '+49 171 1234567 +49 30 1234567']],
  ],
  ['with a digit behind it', '+14155550100 5', [[1, '+14155550100 5']]],
  ['of no country, cut by a comma', '+521551234,567', [[1, '+521551234,567']]],
  ['with brackets', '+14155550160; +14155550161\n(415) 555-0162', [[2, '(415) 555-0162']]],
  ['with 00', '+14155550100,0049301234567', [[1, '0049301234567']]],
  ['rounded', 'x;4,91713E+12;y', [[1, '4,91713E+12']]],
  [
    'rounded, on the first line',
    '4,91718E+11\n4,91719E+11',
    [1, 2].map((row) => [row, `4,9171${row + 7}E+11`]),
  ],
  ['cut by a comma', '0171,1234567\n+14155550100', [[1, '0171,1234567']]],
  ['rounded, between commas', 'phone,name\n4,91718E+11,Ada', [[2, '4,91718E+11']]],
  ['rounded, beside a number', '+49 171 1234567; 4,91718E+11', [[1, '4,91718E+11']]],
  ['rounded, before a number', '4,91718E+11, +49 171 1234567', [[1, '4,91718E+11']]],
  [
    'rounded, two of them',
    '4,91718E+11;4,91719e+11',
    [7, 8].map((digit) => [1, `4,9171${digit + 1}${digit === 7 ? 'E' : 'e'}+11`]),
  ],
  ['rounded, with a plus', '+4,91718E+11', [[1, '+4,91718E+11']]],
  ['in Devanagari', '+९१९८७६५४३२१०\n+14155550100,०९८७६५४३२१०', [[2, '०९८७६५४३२१०']]],
  ['a first line that is neither a number nor a header', 'Ada\n+14155550100', [[1, 'Ada']]],
  ['a first line of few digits', '110 or 112', [[1, '110 or 112']]],
  ['two, one of them wrong', '+14155550100 030123456', [[1, '+14155550100 030123456']]],
  ['in the column of numbers alone', 'phone,zip\n030,10115\n+14155550100,10115', [[2, '030']]],
  ['none', 'phone,name\n,Ada\n+14155550100,Bob', [[2, ',Ada']]],
  ['none, without a header', '+14155550100\nAda', [[2, 'Ada']]],
  ['behind an open quote', '"030 123456\n+14155550100', [[1, '"030 123456']]],
])('Numbers in a text that are invalid have row and reason: %s', async (_, text, left) => {
  const found = await read(text)
  expect(invalid(found)).toEqual(left)
  expect(found.invalid.every(({ problem }) => problem !== '')).toBe(true)
})

it('Numbers in a text are all accounted for, however they are mixed', async () => {
  const wrong = Array.from({ length: 100 }, (_, index) => `0${1_700_000_000 + index}`)
  const good = Array.from({ length: 100 }, (_, index) => number(index))
  const lines = good.flatMap((one, index) => [one, wrong[index], one])
  const found = await read(lines.join('\n'))
  expect(found.valid.map((one) => one.number)).toEqual(good)
  expect(found.invalid.map(({ value }) => value)).toEqual(wrong)
  expect(found.repeated).toBe(100)
  // What is left of a paste gives the same result.
  expect(invalid(await read(wrong.join('\n'))).map(([, value]) => value)).toEqual(wrong)
})

function number(index: number): string {
  return `+1415555${String(100 + index).padStart(4, '0')}`
}

describe('Numbers that are sent', () => {
  /** A service that fails at some request, or accepts only so many numbers at once. */
  const service = (refuses: (sent: readonly string[], request: number) => number) => {
    const stored = new Set<string>()
    let requests = 0
    const send = (async ({ body }: { body: { phoneNumbers: string[] } }) => {
      const { phoneNumbers } = body
      const status = refuses(phoneNumbers, ++requests)
      if (status !== 200)
        throw new LeadIntakeError(`refused with ${status}`, { status, code: 'refused', requestId: 'r' })
      const fresh = phoneNumbers.filter((one) => !stored.has(one))
      for (const one of fresh) stored.add(one)
      return { data: { added: fresh.length, existing: phoneNumbers.length - fresh.length } }
    }) as unknown as Send
    return { client: clientOf(send), stored }
  }
  const numbers = Array.from({ length: 2500 }, (_, index) => `+1415555${1000 + index}`)

  it('Numbers that are sent are left from the first failed request on, and are added when they are sent again', async () => {
    const { client, stored } = service((_, request) => (request === 2 ? 503 : 200))
    const first = await addNumbers(client, numbers, {})
    expect(first).toEqual({ added: 1000, existing: 0, left: numbers.slice(1000), error: 'refused with 503' })
    const second = await addNumbers(client, first.left, {})
    expect(second).toEqual({ added: 1500, existing: 0, left: [], error: null })
    expect([...stored]).toEqual(numbers)
  })

  it('Numbers that are sent are sent in smaller requests where a company has many campaigns', async () => {
    const { client, stored } = service((sent) => (sent.length > 300 ? 400 : 200))
    expect(await addNumbers(client, numbers, {})).toEqual({ added: 2500, existing: 0, left: [], error: null })
    expect(stored.size).toBe(2500)
  })

  it('Numbers that are sent are all left where none can be sent', async () => {
    const { client } = service(() => 400)
    const { left, error } = await addNumbers(client, numbers, {})
    expect([left, error]).toEqual([numbers, 'refused with 400'])
  })
})

it('A file of numbers is read in UTF-8, UTF-16 and Windows-1252, and refused when it is not text', async () => {
  const latin = new Uint8Array([0xe4, 0x0a, ...new TextEncoder().encode('+14155550100')])
  expect(await readText(new Blob([latin]))).toBe('ä\n+14155550100')
  expect(await readText(new Blob(['\uFEFFä\n']))).toBe('ä\n')
  expect(await readText(new Blob([new Uint8Array([0xff, 0xfe, 0xe4, 0, 0x0a, 0])]))).toBe('ä\n')
  await expect(readText(new Blob(['a\0b']))).rejects.toThrow(/not text/)
  await expect(readText(new Blob([new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])]))).rejects.toThrow(
    /not an Excel workbook/,
  )
  await expect(readText(new Blob([new Uint8Array([0xd0, 0xcf, 0x11, 0xe0])]))).rejects.toThrow(/before 2007/)
  await expect(readText(new Blob([new Uint8Array(20_000_001)]))).rejects.toThrow(/20 MB/)
})

it('A file of numbers that is a workbook is read as text, after a question which of its sheets', async () => {
  const rows = [
    ['phone', 'name'],
    ['+491711234567', 'Ada, Köln'],
  ]
  const one = new Blob([await workbook([{ name: 'a', rows }])])
  expect(await readText(one)).toBe('sep=,\r\nphone,name\r\n+491711234567,"Ada, Köln"\r\n'.replace('+', "'+"))
  const two = new Blob([
    await workbook([
      { name: 'a', rows },
      { name: 'b', rows: [['+491711234568']] },
    ]),
  ])
  expect(await readText(two)).toEqual({ kind: 'sheet', names: ['a', 'b'] })
  const { valid, columns } = await readNumbers(String(await readText(two, 'b')), numberReader(null))
  expect([valid, columns]).toEqual([[{ row: 1, number: '+491711234568' }], []])
  const named = await readNumbers(String(await readText(one)), numberReader(null))
  expect([named.valid, named.columns]).toEqual([[{ row: 2, number: '+491711234567' }], ['phone']])
})
