// The cells of a lead file that are a consent, as command line and console share them, and what the console asks about
// those that cannot be used.
import { expect, it } from 'vitest'
import { openJudge } from '../../../src/console/import/file/judge-rows.ts'
import { survey } from '../../../src/console/import/file/survey.ts'
import type { Unusable } from '../../../src/console/import/import-messages.ts'
import { readCreate } from '../../../src/queue/leads/create-input.ts'
import { consentReader } from '../../../src/queue/leads/file/cells/consent-cells.ts'
import {
  type ConsentField,
  columnsOf,
  consentFields,
  type Meaning,
} from '../../../src/queue/leads/file/columns.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'
import { itemOf, type Readers } from '../../../src/queue/leads/file/row-item.ts'
import { all } from '../../support/leads/lead-file.ts'

const phoneNumber = '+14155550100'
const givenAt = '2026-01-15T09:30:00+01:00'
const hash = 'aB'.repeat(32)

type Cells = { readonly [field in Meaning]?: string }

const fileOf = (cells: Cells) => {
  const meanings = ['phoneNumber', 'keep', ...consentFields] as const
  return { columns: columnsOf(meanings, meanings), row: meanings.map((one) => cells[one] ?? '') }
}

/** The consent that is sent, or the problem. */
const sent = (cells: Cells, readers: Readers = { consent: consentReader({}) }) => {
  const { columns, row } = fileOf({ phoneNumber, ...cells })
  const item = itemOf(columns, row, readers)
  return 'problem' in item ? [item.problem, item.field] : JSON.parse(item.json).consent
}

it('A consent of a row has a member for each of its cells, and none for an empty one', () => {
  const cells: Cells = {
    consentGivenAt: givenAt,
    consentPurpose: 'sales-calls',
    consentExpiresAt: '2028-01-15T00:00Z',
    consentText: ' I agree, 12345678901234567890. ',
    consentUrl: 'https://example.com/form?a=1',
    consentIp: '203.0.113.7',
    consentUserAgent: 'Mozilla/5.0',
    consentCertificateUrl: 'https://cert.example/1',
    consentReference: '=r1',
  }
  expect(sent(cells)).toEqual({
    purpose: 'sales-calls',
    givenAt,
    expiresAt: '2028-01-15T00:00Z',
    text: ' I agree, 12345678901234567890. ',
    source: { url: 'https://example.com/form?a=1', ip: '203.0.113.7', userAgent: 'Mozilla/5.0' },
    certificateUrl: 'https://cert.example/1',
    reference: '=r1',
  })
})

it('A row has no consent where its cells are empty, and must say when one was given where another is not', () => {
  const consent = consentReader({ purpose: 'p', text: 't' })
  const readers: Readers = { consent, date: () => ({ problem: 'is unclear' }) }
  expect(sent({ keep: 'Ada' }, readers)).toBeUndefined()
  for (const field of consentFields.filter((each) => each !== 'consentGivenAt'))
    expect(sent({ [field]: 'x' }, readers)).toEqual([`consentGivenAt is empty, and ${field} is not`, field])
})

it.each<[ofFile: Parameters<typeof consentReader>[0], cells: Cells, consent: object | null]>([
  [{}, { consentPurpose: 'own' }, { purpose: 'own' }],
  [{ purpose: 'p' }, {}, { purpose: 'p' }],
  [{ purpose: 'p' }, { consentPurpose: 'own' }, { purpose: 'own' }],
  [{ purpose: 'p', text: 't' }, {}, { purpose: 'p', text: 't' }],
  [{ purpose: 'p', text: 't' }, { consentText: 'own' }, { purpose: 'p', text: 'own' }],
  // The service takes a text or its hash.
  [{ purpose: 'p', text: 't' }, { consentTextSha256: hash }, { purpose: 'p', textSha256: hash }],
  [{ text: 't' }, {}, null],
  [{}, {}, null],
])('A consent of a row takes from %j what its cells %j do not have', (ofFile, cells, wanted) => {
  expect(sent({ consentGivenAt: givenAt, ...cells }, { consent: consentReader(ofFile) })).toEqual(
    wanted === null
      ? ['consentPurpose is empty, and the file has no purpose', 'consentGivenAt']
      : { givenAt, ...wanted },
  )
})

const memberOf: Readonly<Record<ConsentField, (value: string) => object>> = {
  consentGivenAt: (givenAt) => ({ givenAt }),
  consentPurpose: (purpose) => ({ purpose }),
  consentExpiresAt: (expiresAt) => ({ expiresAt }),
  consentText: (text) => ({ text }),
  consentTextSha256: (textSha256) => ({ textSha256 }),
  consentUrl: (url) => ({ source: { url } }),
  consentIp: (ip) => ({ source: { ip } }),
  consentUserAgent: (userAgent) => ({ source: { userAgent } }),
  consentCertificateUrl: (certificateUrl) => ({ certificateUrl }),
  consentReference: (reference) => ({ reference }),
}

const long = (chars: number) => `https://a.example/${'x'.repeat(chars - 18)}`

it.each<[field: ConsentField, usable: string[], unusable: string[]]>([
  [
    'consentGivenAt',
    [givenAt, '2026-01-15T09:30Z'],
    ['2026-01-15', '15.1.2026 9:30', '2026-02-30T00:00Z', 'x'],
  ],
  ['consentPurpose', ['A.b_c-9', 'x'.repeat(64)], ['x'.repeat(65), 'two words', 'ä', ' p']],
  ['consentExpiresAt', ['2126-01-15T09:30Z'], ['2126-01-15', 'never']],
  ['consentText', ['=1', '🙂'.repeat(4000)], ['x'.repeat(4001), '🙂'.repeat(4001), 'x'.repeat(9000)]],
  ['consentTextSha256', [hash], [hash.slice(1), `${hash}0`, hash.replace('a', 'g')]],
  [
    'consentUrl',
    ['http://a.example', long(2048)],
    ['a.example', 'tel:+14155550100', long(2049), 'https://u@a.example', 'https://:p@a.example'],
  ],
  [
    'consentIp',
    '1.2.3.255 :: ::ffff:203.0.113.9 ::1 2001:DB8::1 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8'.split(
      ' ',
    ),
    '1.2.3 1.2.3.256 01.2.3.4 1.2.3.4. 7 localhost 1::2::3 1:2:3:4:5:6:7:8:9 12345:: [::1]'.split(' '),
  ],
  ['consentUserAgent', ['x'.repeat(1024)], ['x'.repeat(1025)]],
  ['consentCertificateUrl', ['https://a.example/1'], ['http://a.example/1', 'a', 'https://u@a.example']],
  ['consentReference', ['x'.repeat(255)], ['x'.repeat(256)]],
])(
  'A consent has an unusable %s where the service refuses it, and nowhere else',
  (field, usable, unusable) => {
    for (const value of [...usable, ...unusable]) {
      const read = consentReader({})({ consentGivenAt: givenAt, consentPurpose: 'p', [field]: value })
      const consent = { givenAt, purpose: 'p', ...memberOf[field](value) }
      const { isValid } = readCreate(JSON.stringify({ campaignId: 'demo', phoneNumber, consent }))
      expect([value, isValid]).toEqual([value, usable.includes(value)])
      const problem = { problem: expect.stringMatching(new RegExp(`^${field} must be `)), field }
      expect([value, read]).toEqual([
        value,
        isValid ? { consent: expect.objectContaining(consent) } : problem,
      ])
    }
  },
)

it('A consent has a text or its hash', () => {
  const cells = { consentGivenAt: givenAt, consentPurpose: 'p', consentText: 't', consentTextSha256: hash }
  expect(sent(cells)).toEqual([
    expect.stringMatching(/^consentTextSha256 must be empty/),
    'consentTextSha256',
  ])
})

const said = { country: null, turnedOff: [], dates: 'day-first', timeZone: 'Europe/Berlin' } as const

it('The times of a consent are read as other dates are, and shown', async () => {
  const { readers } = openReaders({ ...said, consentPurpose: 'p', consentText: 't' })
  const cells = { phoneNumber, consentGivenAt: '1.7.2026 10:00', consentExpiresAt: '24.12.2026' }
  const [read, expires] = ['2026-07-01T10:00:00+02:00', '2026-12-24T00:00:00+01:00']
  expect(sent(cells, readers)).toEqual({ purpose: 'p', text: 't', givenAt: read, expiresAt: expires })
  const { columns, row } = fileOf(cells)
  const { changes } = await survey(all({ row: 2, cells: row }), openJudge(columns, readers), (text) => text)
  expect(changes).toMatchObject([
    { name: 'date', count: 2, first: [{ number: read }, { row: 2, value: '24.12.2026', number: expires }] },
  ])
})

it.each<[cells: Cells, value: string, problem: RegExp]>([
  [{ consentGivenAt: '1.7.2026' }, '1.7.2026', /^Consent given at has no UTC offset, .+ not confirmed\.$/],
  [{ consentGivenAt: givenAt, consentExpiresAt: '1.7.26' }, '1.7.26', /^Consent expires at must be an ISO/],
  [{ consentGivenAt: givenAt, consentIp: 'home' }, 'home', /^Consent IP address must be an IPv4 or IPv6/],
  [{ consentGivenAt: givenAt, consentPurpose: '' }, givenAt, /^Consent purpose is empty, .+ no purpose\.$/],
])('A consent that cannot be used is asked about as a whole: %j', async (wrong, value, problem) => {
  const cells = { phoneNumber, keep: 'Ada', consentPurpose: 'p', consentText: 't', ...wrong }
  const { columns, row } = fileOf(cells)
  const { readers } = openReaders({ ...said, dates: null })
  const surveyed = (unusable: Unusable) =>
    survey(all({ row: 2, cells: row }), openJudge(columns, readers, { unusable }), (text) => text)
  const unusable = [{ name: 'consent', count: 1, first: [{ row: 2, value }] }]
  for (const choice of [{}, { consent: 'leave_out' }] as const)
    expect(await surveyed(choice)).toMatchObject({
      valid: 0,
      unusable,
      problems: [{ value, problem: expect.stringMatching(problem) }],
    })
  expect(await surveyed({ consent: 'ignore' })).toMatchObject({ valid: 1, unusable })
  const judged = openJudge(columns, readers, { unusable: { consent: 'ignore' } })({ row: 2, cells: row })
  expect('json' in judged && JSON.parse(judged.json)).toEqual({ phoneNumber, metadata: { keep: 'Ada' } })
})
