// One cell as a phone number: which forms are taken, with which change, and which are errors, by country chosen.
import { expect, it } from 'vitest'
import {
  asHeldBack,
  describeCause,
  type NumberCause,
  type NumberChange,
} from '../../../src/queue/leads/file/cells/number-reading.ts'
import {
  type CountryCode,
  countryOf,
  isCostlyNumber,
  isUsualNumber,
  numberReader,
} from '../../../src/queue/leads/file/cells/phone-cell.ts'
import { openReaders } from '../../../src/queue/leads/file/readers.ts'

const read = (country: CountryCode | null, cell: string) => {
  const reading = numberReader(country)(cell)
  return reading.kind === 'ok' ? [reading.number, reading.changed] : reading.cause
}

it.each<[what: string, costly: string, ...usual: string[]]>([
  [
    'the exchange 976 of an area of North America',
    '+12129761234',
    '+12129751234',
    '+12125559761',
    '+19762125555',
  ],
  ['the exchange 976 of Canada', '+14169761234', '+14167961234'],
  ["Canada's 600", '+16005551234', '+16015551234', '+16475551234'],
  ["Canada's 622", '+16225551234', '+16235551234'],
  ['a satellite phone of Australia', '+61147123456', '+61412345678', '+61247123456'],
  ['Inmarsat', '+870773111632', '+8613812345678'],
  ['Iridium', '+881612345678', '+886912345678'],
  ['Thuraya', '+882161234567', '+8801812345678'],
  ['a premium number of Germany', '+499001234567', '+493012345678'],
  ['a premium number of the United States', '+19005551234', '+19015551234'],
  ['an international premium number', '+979123456789', '+972501234567'],
])('A call can be expensive to %s, %s, and not to numbers like it', (_, costly, ...usual) => {
  expect([costly, isCostlyNumber(costly), isUsualNumber(costly)]).toEqual([costly, true, false])
  for (const number of usual) expect([number, isCostlyNumber(number)]).toEqual([number, false])
  // It is read all the same: whose file it is decides.
  expect(numberReader(null)(costly)).toMatchObject({ kind: 'ok', number: costly })
})

it('A call is not expensive for being free, shared or personal', () => {
  for (const number of ['+18005551212', '+498001234567', '+611300123456', '+447024123456'])
    expect([number, isCostlyNumber(number), isUsualNumber(number)]).toEqual([number, false, false])
})

const mobile = '+491711234567'
const berlin = '+49301234567'

it.each<[cell: string, number: string, change: NumberChange | undefined]>([
  [mobile, mobile, undefined],
  [' +491711234567 ', mobile, 'punctuation'],
  ['+49 171 1234567', mobile, 'punctuation'],
  ['+49 (171) 123-45.67', mobile, 'punctuation'],
  ['(+49) 171/1234567', mobile, 'punctuation'],
  ['+49 171/1234567', mobile, 'punctuation'],
  ['＋４９１７１１２３４５６７', mobile, 'digits'],
  ['\u202A+49\u00A0171\u20131234567\u202C', mobile, 'punctuation'],
  ['+49 (0)171 1234567', mobile, 'zero'],
  ['+49(0) 30/1234567', berlin, 'zero'],
  ['+39 (0)6 1234 5678', '+390612345678', 'punctuation'],
  ['+39 (0) 347 1234567', '+393471234567', 'zero'],
  ['+1 (415) 555-2671', '+14155552671', 'punctuation'],
  // Facebook's lead files, and links
  ['p:+491711234567', mobile, 'punctuation'],
  ['tel:+49-171-1234567', mobile, 'punctuation'],
  ['TEL: +49 171 1234567', mobile, 'punctuation'],
])(
  'A cell that holds one number is taken without a country, when it has its country code: %s',
  (cell, number, change) => {
    for (const country of [null, 'DE', 'US'] as const) expect(read(country, cell)).toEqual([number, change])
  },
)

it.each<[country: CountryCode, cell: string, number: string, change: NumberChange]>([
  ['DE', '0049 171 1234567', mobile, 'international_prefix'],
  ['DE', '00 49 (0)30 1234567', berlin, 'international_prefix'],
  ['DE', '(0049) 171 1234567', mobile, 'international_prefix'],
  ['DE', '0044 20 7946 0958', '+442079460958', 'international_prefix'],
  ['DE', '0171 1234567', mobile, 'national'],
  ['DE', '٠١٧١١٢٣٤٥٦٧', mobile, 'national'],
  ['DE', '०१७११२३४५६७', mobile, 'national'],
  ['DE', '𝟎𝟏𝟕𝟏 𝟭𝟮𝟯𝟰𝟱𝟲𝟳', mobile, 'national'],
  ['DE', '0171ー123ｰ4567', mobile, 'national'],
  ['DE', '01\u00AD71\u180E 123\u2800\uFE0F4567\u3164', mobile, 'national'],
  ['DE', "'0171-123 45 67", mobile, 'national'],
  ['DE', 'tel:0171 1234567', mobile, 'national'],
  ['DE', '(030) 1234567', berlin, 'national'],
  ['DE', '030/123456-7', berlin, 'national'],
  ['DE', '030 / 1234567', berlin, 'national'],
  ['DE', '069 / 263 350 878', '+4969263350878', 'national'],
  // 049 is an area code's beginning as well as the country code behind one zero.
  ['DE', '04921 123456', '+494921123456', 'national'],
  ['CH', '041 210 12 34', '+41412101234', 'national'],
  ['AT', '0664 1234567', '+436641234567', 'national'],
  ['GB', '020 7946 0958', '+442079460958', 'national'],
  // Countries that write no national prefix.
  ['ES', '612 345 678', '+34612345678', 'national'],
  ['IT', '06 1234 5678', '+390612345678', 'national'],
  ['IT', '347 1234567', '+393471234567', 'national'],
  ['US', '(415) 555-2671', '+14155552671', 'national'],
  ['US', '1-415-555-2671', '+14155552671', 'national'],
  // Countries that also write it without, or never dial theirs within the country.
  ['IN', '98765 43210', '+919876543210', 'national'],
  ['KZ', '771 000 9998', '+77710009998', 'national'],
  ['LT', '612 34567', '+37061234567', 'national'],
  ['RU', '912 345-67-89', '+79123456789', 'national'],
  ['SY', '944 567 890', '+963944567890', 'national'],
  ['TR', '501 234 56 78', '+905012345678', 'national'],
  ['VN', '912 345 678', '+84912345678', 'national'],
  ['BO', '71234567', '+59171234567', 'national'],
  ['GI', '57123456', '+35057123456', 'national'],
  ['FK', '51234', '+50051234', 'national'],
  ['SH', '51234', '+29051234', 'national'],
])('A cell that holds one number is taken as one of %s: %s', (country, cell, number, change) => {
  expect(read(country, cell)).toEqual([number, change])
})

it.each<[country: CountryCode | null, cell: string, cause: NumberCause]>([
  ['DE', '', 'missing'],
  ['DE', ' - ', 'missing'],
  ['DE', 'k. A.', 'letters'],
  ['DE', '0171 CALLME', 'letters'],
  ['DE', '1 '.repeat(5_000_000), 'letters'],
  ['DE', '0171 1234567 Meier', 'letters'],
  ['DE', 'p:Meier', 'letters'],
  ['DE', 'http:+491711234567', 'letters'],
  ['DE', '49+1711234567', 'letters'],
  ['DE', '4.9E+12', 'rounded'],
  ['DE', '4,91711E+12', 'rounded'],
  ['DE', '+493012345678.0', 'rounded'],
  ['DE', '030 1234567 ext. 12', 'extension'],
  ['DE', '030 1234567x12', 'extension'],
  ['DE', '030 1234567 (Durchwahl 12)', 'extension'],
  ['CA', '604-555-0123 Local 212', 'extension'],
  ['CA', '604-555-0123 ext 212', 'extension'],
  ['CA', '604-555-0123*227', 'extension'],
  ['CA', '604-555-0123,,212', 'extension'],
  ['CA', 'tel:+1-604-555-0123;ext=212', 'extension'],
  ['DE', '0171 1234567, 030 1234567', 'several'],
  ['DE', '0171 1234567 oder 030 1234567', 'several'],
  ['DE', '0171 1234567 / 030 1234567', 'several'],
  ['DE', '0171 1234567/030 1234567', 'several'],
  ['DE', '0171 1234567 030 1234567', 'several'],
  ['DE', '030 1234567/68', 'several'],
  ['DE', '030 1234 0 5678901', 'several'],
  ['DE', '+49 171 1234567 +49 30 1234567', 'several'],
  ['DE', '030 1234567\n0171 1234567', 'several'],
  ['DE', '491711234567', 'no_prefix'],
  ['DE', '49 30 1234567', 'no_prefix'],
  // What a spreadsheet leaves of 0171 1234567.
  ['DE', '1711234567', 'lost_zero'],
  ['DE', '30 1234567', 'lost_zero'],
  ['DE', '337481', 'lost_zero'],
  ['GB', '7911123456', 'lost_zero'],
  ['IT', '612345678', 'lost_zero'],
  ['FR', '612345678', 'lost_zero'],
  ['GB', '2079460958', 'lost_zero'],
  ['ES', '34612345678', 'no_prefix'],
  ['IT', '393471234567', 'no_prefix'],
  ['DE', '049 171 1234567', 'ambiguous'],
  ['DE', '0491711234567', 'ambiguous'],
  ['DE', '049 211 1234567', 'ambiguous'],
  ['DE', '0171 12345', 'invalid'],
  ['DE', '+49 171 12345', 'invalid'],
  ['DE', '+49 171 1234567890', 'invalid'],
  ['DE', '+0171 1234567', 'invalid'],
  ['DE', '+999 1234567', 'invalid'],
  // 00 is no international prefix there.
  ['US', '0049 171 1234567', 'invalid'],
  ['AU', '0049 171 1234567', 'invalid'],
  [null, '0049 171 1234567', 'no_country'],
  [null, '0171 1234567', 'no_country'],
  [null, '491711234567', 'no_country'],
])('A cell that holds anything else is an error, in %s: %j', (country, cell, cause) => {
  expect(read(country, cell)).toBe(cause)
  expect(describeCause({ cause })).toMatch(/^phoneNumber /)
})

it.each<[country: CountryCode | null, cell: string, number: string | null]>([
  ['DE', '491724500002', '+491724500002'],
  ['IN', '919876543210', '+919876543210'],
  ['ES', '34612345678', '+34612345678'],
  // With another country's code, with marks, or without a country: nobody has chosen that.
  ['DE', '34612345678', null],
  ['DE', '49 172 4500002', null],
  [null, '491724500002', null],
  // A number as it stands.
  ['US', '14155552671', '+14155552671'],
  ['US', '4752345678', '+14752345678'],
])('A plus is added where somebody asks for it, in %s: %s', (country, cell, number) => {
  const reading = numberReader(country, new Set(), true)(cell)
  expect(reading.kind === 'ok' ? reading.number : null).toBe(number)
  const offered = numberReader(country)(cell)
  const isAsItIs = offered.kind === 'ok'
  expect(isAsItIs ? null : (offered.withPlus ?? null)).toBe(isAsItIs ? null : number)
})

it('A cell that holds one number is an error where its change is turned off', () => {
  const reader = numberReader('DE', new Set(['national']))
  expect(reader('0171 1234567')).toEqual({ kind: 'error', cause: 'turned_off' })
  expect(reader('+49 171 1234567')).toMatchObject({ kind: 'ok', number: mobile })
  expect(numberReader('DE', new Set(['punctuation']))(mobile)).toMatchObject({ kind: 'ok', number: mobile })
})

it.each<[cell: string, country: CountryCode | null, number: string]>([
  // Mobiles as they were written in Mexico and Brazil, which the service takes and calls.
  ['+5215512345678', null, '+5215512345678'],
  ['+52 1 55 1234 5678', null, '+5215512345678'],
  ['tel:+52-1-55-1234-5678', 'MX', '+5215512345678'],
  ['＋５２１５５１２３４５６７８', null, '+5215512345678'],
  ['+55 (11) 8765-4321', null, '+551187654321'],
  ['0052 1 55 1234 5678', 'DE', '+5215512345678'],
  ['+999 1234567', 'DE', '+9991234567'],
])(
  'A cell with a number that no country has is held back as it is written, and not called: %s',
  (...given) => {
    const [cell, country, number] = given
    const reading = numberReader(country)(cell)
    expect(reading).toMatchObject({ kind: 'error', cause: 'invalid' })
    expect(asHeldBack(reading)).toEqual({ kind: 'ok', number, country: null, changed: 'unknown' })
    const valid = numberReader('DE')('0171 1234567')
    expect(asHeldBack(valid)).toBe(valid)
  },
)

it.each<[cell: string, cause: NumberCause]>([
  ['049 171 1234567', 'ambiguous'],
  ['4,91718E+11', 'rounded'],
  ['+52 1 55 1234 5678 / +49 171 1234567', 'several'],
  ['+49 171 1234567 x5', 'extension'],
  // A whole number with more digits behind it.
  ['+14155550100 5', 'invalid'],
  ['+49 30 1234567 / 12', 'several'],
  ['0171 12345', 'invalid'],
  ['+52 1', 'invalid'],
])(
  'A cell of which another number may be meant is held back no more than it is called: %s',
  (cell, cause) => {
    const reading = numberReader('DE')(cell)
    expect(reading).toMatchObject({ kind: 'error', cause })
    expect(asHeldBack(reading)).toBe(reading)
  },
)

it('A cell with a number that no country has is held back only where that is not turned off', () => {
  const reader = numberReader(null, new Set(['unknown']))
  expect(asHeldBack(reader('+5215512345678'))).toEqual({ kind: 'error', cause: 'invalid' })
  expect(asHeldBack(reader(mobile))).toMatchObject({ kind: 'ok', number: mobile })
})

it('A country is guessed from the complete numbers alone', () => {
  expect(guessCountry(['+49 171 1234567', '+14155552671', '+49 30 1234567', '0664 1234567'])).toBe('DE')
  expect(guessCountry(['0171 1234567', '', 'Ada'])).toBeNull()
})

it('A country is known by its two letters', () => {
  expect([' de ', 'DE', 'EN', 'Germany', ''].map(countryOf)).toEqual(['DE', 'DE', null, null, null])
})

function guessCountry(cells: readonly string[]): string | null {
  const { readers, found } = openReaders({ country: null, turnedOff: [], dates: null, timeZone: 'UTC' })
  for (const cell of cells) readers.number?.(cell)
  return found().guess
}
