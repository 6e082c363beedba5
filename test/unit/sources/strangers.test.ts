// Over all countries, and in six spellings of a number each: a source calls the person who posted it, or nobody.
import examples from 'libphonenumber-js/examples.mobile.json'
import { getCountryCallingCode, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { expect, it } from 'vitest'
import { flatten } from '../../../src/channels/sources/flatten.ts'
import type { SourceSettings } from '../../../src/channels/sources/source-settings.ts'
import { readNumber } from '../../../src/channels/sources/whose/read-number.ts'
import { allCountries, type CountryCode } from '../../../src/queue/leads/file/cells/phone-cell.ts'

const settings: SourceSettings = {
  ...{ name: 'Form', countries: ['DE'], nationalCountry: 'DE', timeZones: {}, fields: {}, ignored: [] },
  ...{ notDoNotCall: [], permissions: 'keep', consent: null, onExisting: 'keep' },
  ...{ redirectUrl: null, enabled: true },
}

/** The same for the same seed. */
function randomOf(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Numbers of a country: its example, and others that differ from it in some digits. */
function numbersOf(country: CountryCode, count: number, random: (below: number) => number) {
  const example = getExampleNumber(country, examples)
  if (example === undefined) throw new Error(`no example of ${country}`)
  const found = [example]
  for (let tries = 0; found.length < count && tries < 200; tries++) {
    const digits = [...example.nationalNumber]
    for (let changes = 0; changes < 3; changes++) digits[random(digits.length)] = `${random(10)}`
    const number = parsePhoneNumberFromString(`+${example.countryCallingCode}${digits.join('')}`)
    if (number?.isValid() && number.country === country) found.push(number)
  }
  return found
}

const bare = (text: string) => text.replace(/\D/g, '')
const spellingsOf = (number: NonNullable<ReturnType<typeof parsePhoneNumberFromString>>) => [
  number.number,
  `00${bare(number.number)}`,
  number.formatNational(),
  bare(number.formatNational()),
  number.nationalNumber,
  bare(number.number),
]

const dialled = (body: Record<string, unknown>, source: Partial<SourceSettings>) => {
  const { value, problem } = readNumber({ ...settings, ...source }, flatten(body).entries, false)
  return problem === null ? value : null
}

type Source = Pick<SourceSettings, 'countries' | 'nationalCountry'>
type Case = { readonly what: string; readonly source: Source; readonly stated: readonly string[] }

/** Of which the person's country is one, unless `what` says so. */
function casesOf(country: CountryCode, others: readonly CountryCode[]): readonly Case[] {
  const [first = 'DE', second = 'US'] = others
  const code = `+${getCountryCallingCode(country)}`
  const names = perCountry > 1 ? [country, code] : [country.charCodeAt(1) % 2 === 0 ? country : code]
  const own = { countries: [country], nationalCountry: country }
  return [
    { what: 'one country', source: own, stated: [''] },
    { what: 'one country, stated', source: own, stated: names },
    {
      what: 'three countries',
      source: { countries: [first, country, second], nationalCountry: null },
      stated: [''],
    },
    {
      what: 'three countries, stated',
      source: { countries: [first, country, second], nationalCountry: first },
      stated: names,
    },
    {
      what: 'two others, stated',
      source: { countries: [first, second], nationalCountry: first },
      stated: [country],
    },
  ]
}

/** More, by the environment: STRANGERS=30. */
const perCountry = Number(process.env.STRANGERS ?? 1)

it('No stranger is dialled, in whichever country, spelling and source', () => {
  const random = randomOf(57)
  const strangers: string[] = []
  const calls = new Map<string, number>()
  for (const country of allCountries)
    for (const number of numbersOf(country, perCountry, random)) {
      const others = Array.from(
        { length: 2 },
        () => allCountries[random(allCountries.length)] ?? 'DE',
      ).filter((code) => code !== country)
      for (const { what, source, stated } of casesOf(country, others))
        for (const said of stated)
          for (const [place, phone] of spellingsOf(number).entries()) {
            const called = dialled({ phone, ...(said !== '' && { country: said }) }, source)
            if (called !== null && called !== number.number)
              strangers.push(
                `${what} ${source.countries} ${said}: ${phone} of ${number.number} calls ${called}`,
              )
            if (called !== null) calls.set(`${what} ${place}`, (calls.get(`${what} ${place}`) ?? 0) + 1)
          }
    }
  expect(strangers).toEqual([])
  // In full, each person of a country that is called is.
  const all = allCountries.length * perCountry
  for (const what of ['one country', 'three countries'])
    expect(calls.get(`${what} 0`)).toBeGreaterThan(all * 0.9)
  expect(calls.get('two others, stated 2') ?? 0).toBe(0)
})
