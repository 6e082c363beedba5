// A file of 5,000 leads as people have them, made from a seed, with the truth of each row: what number it holds,
// whatever way it is written. It knows nothing of the code that reads numbers.

/** The forms and their shares are those of a real file. `refused`: a number that only a guess could complete. */
const shares = [
  ['plain', 650],
  ['spaced', 561],
  ['prefixed', 1186],
  ['national', 1781],
  ['repeated', 400],
  ['refused', 100],
  ['none', 322],
] as const

export type MessyRow = {
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly row: number
  readonly cell: string
  /** Null: it holds none. */
  readonly number: string | null
  /** Whether its number can be read without a guess. */
  readonly isClear: boolean
  /** Whether a clear row above it has the number. */
  readonly isRepeated: boolean
}

export type MessyFile = { readonly csv: string; readonly rows: readonly MessyRow[] }

export const messyHeader = 'Name;Telefon;Firma'

export const messyCountries = ['DE', 'GB', 'FR'] as const
export type MessyCountry = (typeof messyCountries)[number]

/** `country`: where most numbers are from, and the national ones. */
export function messyFile(seed: number, country: MessyCountry = 'DE'): MessyFile {
  const { code: home, mobiles, areas } = countries[country]
  const chance = chanceOf(seed)
  const below = (count: number) => Math.floor(chance() * count)
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const digits = (count: number) =>
    Array.from({ length: count }, (_, index) => (index === 0 ? 2 + below(8) : below(10))).join('')

  /** Area and subscriber, without country code and zero. */
  const ofHome = (): Parts => {
    if (chance() < 0.6) {
      const [area, length] = oneOf(mobiles)
      return { code: home, area, rest: digits(length) }
    }
    const [area, length] = oneOf(areas)
    return { code: home, area, rest: digits(length ?? 10 - area.length + below(2)) }
  }
  const foreign = (): Parts => {
    const [code, area, length] = oneOf(abroad)
    return { code, area, rest: digits(length) }
  }

  const forms = shuffled(
    shares.flatMap(([form, count]) => Array.from({ length: count }, () => form)),
    below,
  )
  const clear: Parts[] = []
  const seen = new Set<string>()
  const rows = forms.map((form, index): MessyRow => {
    const row = index + 2
    if (form === 'none') {
      const cell = oneOf(withoutNumber)(digits)
      return { row, cell, number: null, isClear: false, isRepeated: false }
    }
    const isAgain = form === 'repeated' && clear.length > 0
    // A number that stands in a file twice by chance would be counted as new.
    let parts = isAgain ? oneOf(clear) : ofHome()
    if (form === 'plain' && chance() < 0.1) parts = foreign()
    while (!isAgain && seen.has(e164(parts))) parts = ofHome()
    const number = e164(parts)
    if (form === 'refused')
      return { row, cell: oneOf(unclear)(parts), number, isClear: false, isRepeated: false }
    const isHome = parts.code === home
    const again = isHome ? oneOf(['plain', 'spaced', 'prefixed', 'national'] as const) : 'spaced'
    const cell = oneOf(written[form === 'repeated' ? again : form])(parts)
    const isRepeated = seen.has(number)
    seen.add(number)
    clear.push(parts)
    return { row, cell, number, isClear: true, isRepeated }
  })
  const lines = rows.map(
    ({ row, cell }) => `Jörg Müller ${row};${quoted(cell)};"Käse; Söhne ""&"" Co. ${row}"`,
  )
  return { csv: `\uFEFF${[messyHeader, ...lines].join('\r\n')}\r\n`, rows }
}

type Parts = { readonly code: string; readonly area: string; readonly rest: string }

const e164 = ({ code, area, rest }: Parts) => `+${code}${area}${rest}`
const pairs = (text: string) => text.replace(/(\d{2})(?=\d)/g, '$1 ')
const threes = (text: string) => text.replace(/(\d{3})(?=\d)/g, '$1 ')

const written: Readonly<Record<'plain' | 'spaced' | 'prefixed' | 'national', ((parts: Parts) => string)[]>> =
  {
    plain: [e164],
    spaced: [
      ({ code, area, rest }) => `+${code} ${area} ${rest}`,
      ({ code, area, rest }) => `+${code}-${area}-${rest}`,
      ({ code, area, rest }) => `+${code} (${area}) ${threes(rest)}`,
      ({ code, area, rest }) => `+${code} ${area}/${rest}`,
      ({ code, area, rest }) => `+${code}\u00A0${area}\u00A0${pairs(rest)}`,
      ({ code, area, rest }) => ` (+${code}) ${area} \u2013 ${rest} `,
      ({ code, area, rest }) => `tel:+${code}${area}${rest}`,
    ],
    prefixed: [
      ({ code, area, rest }) => `00${code}${area}${rest}`,
      ({ code, area, rest }) => `00${code} ${area} ${rest}`,
      ({ code, area, rest }) => `0049 (0)${area} ${rest}`.replace('49', code),
      ({ code, area, rest }) => `+${code} (0) ${area} ${pairs(rest)}`,
      ({ code, area, rest }) => `+${code}(0)${area}/${rest}`,
      ({ code, area, rest }) => `(00${code}) ${area}-${rest}`,
    ],
    national: [
      ({ area, rest }) => `0${area}${rest}`,
      ({ area, rest }) => `0${area} ${rest}`,
      ({ area, rest }) => `0${area}/${rest}`,
      ({ area, rest }) => `0${area} / ${threes(rest)}`,
      ({ area, rest }) => `(0${area}) ${rest}`,
      ({ area, rest }) => `0${area}-${pairs(rest)}`,
      ({ area, rest }) => `'0${area}${rest}`,
    ],
  }

const unclear: readonly ((parts: Parts) => string)[] = [
  ({ code, area, rest }) => `${code}${area}${rest}`,
  ({ code, area, rest }) => `${code} ${area} ${rest}`,
  ({ area, rest }) => `${area}${rest}`,
  ({ area, rest }) => `${area} ${rest}`,
  ({ area, rest }) => `0${area} ${rest} ext. 12`,
  ({ area, rest }) => `0${area} ${rest} Durchwahl 3`,
  ({ area, rest }) => `0${area} ${rest} / 0${area} ${[...rest].reverse().join('').replace(/^0/, '7')}`,
  ({ code, area, rest }) => `+${code}${area}${rest}, +49 30 2345678`,
  ({ area, rest }) => `0${area} ${rest} oder 030 2345678`,
  ({ area, rest }) => `0${area} ${rest} (Frau Groß)`,
]

const withoutNumber: readonly ((digits: (count: number) => string) => string)[] = [
  () => '',
  () => '-',
  () => 'k. A.',
  () => 'unbekannt',
  () => 'siehe Notiz',
  () => '4.91711E+12',
  () => '4,9E+12',
  () => 'info@example.com',
  () => '110',
  (digits) => `0171 ${digits(4)}`,
  (digits) => `+49 171 ${digits(10)}`,
  (digits) => `0171 ${digits(11)}`,
  (digits) => `+999 ${digits(8)}`,
  (digits) => `+49 ${digits(2)}`,
  (digits) => `0171-KATZE-${digits(2)}`,
  (digits) => digits(5),
]

/** Area and how many digits follow; undefined: those of a German landline. All of these ranges are in use. */
type Range = readonly [area: string, length?: number]

type Country = {
  readonly code: string
  readonly mobiles: readonly (readonly [area: string, length: number])[]
  readonly areas: readonly Range[]
}

const germanMobiles = [
  ['151', 8],
  ['152', 8],
  ['157', 8],
  ['160', 7],
  ['170', 7],
  ['171', 7],
  ['172', 7],
  ['175', 7],
  ['176', 8],
] as const

const germanAreas = ['30', '40', '69', '89', '211', '221', '341', '351', '511', '711', '4131', '4921', '7071']

const countries: Readonly<Record<MessyCountry, Country>> = {
  DE: { code: '49', mobiles: germanMobiles, areas: germanAreas.map((area) => [area]) },
  GB: {
    code: '44',
    mobiles: [
      ['7400', 6],
      ['7912', 6],
      ['7836', 6],
    ],
    areas: [
      ['207', 7],
      ['208', 7],
      ['289', 7],
      ['292', 7],
    ],
  },
  FR: {
    code: '33',
    mobiles: [
      ['61', 7],
      ['62', 7],
      ['76', 7],
    ],
    areas: [
      ['14', 7],
      ['47', 7],
      ['55', 7],
    ],
  },
}

/** Country code, area and how many digits follow. */
const abroad = [
  ['43', '664', 7],
  ['41', '79', 7],
  ['44', '7400', 6],
  ['33', '612', 6],
  ['31', '612', 6],
] as const

const quoted = (cell: string) => (/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

function shuffled<Item>(items: readonly Item[], below: (count: number) => number): readonly Item[] {
  const all = [...items]
  for (let last = all.length - 1; last > 0; last--) {
    const other = below(last + 1)
    const [one, two] = [all[last] as Item, all[other] as Item]
    all[last] = two
    all[other] = one
  }
  return all
}

/** Mulberry32: the same numbers for the same seed, from 0 to below 1. */
function chanceOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
