// Names of a lead that the API gets, and that say do-not-call (D71, D80): members, and names in its metadata. The
// judge's own cases are in no/judge.test.ts.
import { describe, expect, it } from 'vitest'
import { readChange } from '../../../src/queue/leads/change-input.ts'
import { readBulk, readCreate } from '../../../src/queue/leads/create-input.ts'
import cases from '../../support/leads/no-cases.json'

const right = { campaignId: 'spring', phoneNumber: '+15550001111' }

function create(members: object): string | null {
  const reading = readCreate(JSON.stringify({ ...right, ...members }))
  return reading.isValid ? null : reading.message
}

/** Of a bulk whose first and last item are as others are. */
function secondOfBulk(members: object): string | null {
  const lead = { phoneNumber: right.phoneNumber, metadata: { company: 'Acme', stage: 3 } }
  const leads = [lead, { ...lead, ...members }, lead]
  const reading = readBulk(JSON.stringify({ campaignId: 'spring', leads }))
  if (!reading.isValid) return reading.message
  const [first, second, third] = reading.value.items
  expect([first?.isValid, third?.isValid]).toEqual([true, true])
  return second?.isValid === false ? second.message : null
}

function change(members: object): string | null {
  const reading = readChange(JSON.stringify(members))
  return reading.isValid ? null : reading.message
}

const inAll = (members: object) => [create(members), secondOfBulk(members), change(members)]
const refusal = (sent: string) => `${sent} is not a member: suppress the number at /api/v1/suppressions`
const thrice = <Value>(value: Value) => [value, value, value]
const notOurs = (sent: string) =>
  /^[A-Za-z_]\w{0,39}$/.test(sent)
    ? `${sent} is not a field that can be changed`
    : expect.stringMatching(/^A member/)

/** A name as it is echoed. */
const short = (names: readonly string[]) => names.filter((name) => name.length <= 64)
const tps = (name: string) => /tps/i.test(name)

describe.each(short(cases.names.no))('The name %j says who must not be called', (name) => {
  it(`${name}: a yes is refused as a member and in the metadata, by the name as it was sent`, () => {
    for (const yes of [true, 'Yes', 1, 'ja', ['yes']]) {
      expect(inAll({ [name]: yes })).toEqual(thrice(refusal(name)))
      expect(inAll({ metadata: { [name]: yes } })).toEqual(thrice(refusal(name)))
    }
  })

  it(`${name}: a no, or nothing, is ignored as a member, and kept in the metadata`, () => {
    for (const no of [false, null, '', 0, 'false', 'No', ' FALSE ', 'nein', 'unknown', {}, [], '-']) {
      expect([create({ [name]: no }), secondOfBulk({ [name]: no })]).toEqual([null, null])
      expect(change({ [name]: no })).toEqual(notOurs(name))
      expect(inAll({ metadata: { [name]: no } })).toEqual(thrice(null))
    }
  })

  it(`${name}: what is neither is refused as a member, and kept in the metadata`, () => {
    const isRefused = !tps(name)
    for (const unclear of ['perhaps', 'ask Anna', -1, { value: 'maybe' }]) {
      expect([create({ [name]: unclear }), secondOfBulk({ [name]: unclear })]).toEqual(
        isRefused ? [refusal(name), refusal(name)] : [null, null],
      )
      expect(inAll({ metadata: { [name]: unclear } })).toEqual(thrice(null))
    }
  })
})

describe.each(cases.names.maybe)('The name %j may be about e-mail', (name) => {
  it(`${name}: a yes is refused as a member, and kept in the metadata`, () => {
    expect(inAll({ [name]: true })).toEqual(thrice(refusal(name)))
    expect(create({ [name]: 'perhaps' })).toBe(refusal(name))
    expect([create({ [name]: false }), secondOfBulk({ [name]: 'no' })]).toEqual([null, null])
    expect(inAll({ metadata: { [name]: 'yes' } })).toEqual(thrice(null))
  })
})

describe.each(cases.names.permission)('The name %j asks whether one may be called', (name) => {
  it(`${name}: whatever it says is kept`, () => {
    for (const value of [false, 'no', true, 'perhaps'])
      expect([create({ [name]: value }), secondOfBulk({ [name]: value })]).toEqual([null, null])
    expect(inAll({ metadata: { [name]: 'no' } })).toEqual(thrice(null))
  })
})

it.each([...cases.values.say, ...cases.values.doNot])('The value %j is kept, whatever it says', (value) => {
  expect(inAll({ metadata: { status: value, tags: [value], note: value } })).toEqual(thrice(null))
  expect([create({ status: value }), secondOfBulk({ tags: [value] })]).toEqual([null, null])
})

it('A name with "until" says it while its date lies ahead', () => {
  for (const name of ['do_not_call_until', 'Do not call until']) {
    expect(inAll({ metadata: { [name]: '2999-01-31' } })).toEqual(thrice(refusal(name)))
    expect(create({ [name]: '2999-01-31' })).toBe(refusal(name))
    expect(inAll({ metadata: { [name]: '2020-01-31' } })).toEqual(thrice(null))
    expect(create({ [name]: '2020-01-31' })).toBeNull()
  }
})

const ordinary = cases.ordinary.filter((name) => !name.endsWith('_until'))
it.each(ordinary)('The ordinary name %j is ignored as a member, and kept in the metadata', (name) => {
  if (create({ [name]: null }) === null) expect(create({ [name]: true })).toBeNull()
  expect(inAll({ metadata: { [name]: true } })).toEqual(thrice(null))
})

describe('A name in the metadata that says who must not be called', () => {
  it.each([
    [{ dnc: true }, 'dnc'],
    [{ contact: { dnc: 'yes' } }, 'dnc'],
    [{ crm: { contact: { dnc: 'yes' } } }, 'dnc'],
    [{ contacts: [{ name: 'Ada' }, { dnc: 'yes' }] }, 'dnc'],
    [{ opt_out: { phone: true } }, 'opt_out.phone'],
    [{ customFields: [{ name: 'Do not call', value: 'yes' }] }, 'Do not call'],
    [
      {
        fields: [
          { label: 'Name', value: 'Ada' },
          { label: 'Nicht anrufen', value: 'Ja' },
        ],
      },
      'Nicht anrufen',
    ],
    [{ answers: [{ type: 'boolean', boolean: true, field: { title: 'Do not call' } }] }, 'Do not call'],
    [{ dndSettings: { Call: { status: 'active' } } }, 'dndSettings'],
    [{ dnc: false, do_not_call: 'x' }, 'do_not_call'],
  ])('%j is refused by the name %s', (metadata, name) => {
    expect(inAll({ metadata })).toEqual(thrice(refusal(name)))
  })

  it.each([
    { crm: { contact: { consent: { dnc: true } } } },
    { dnc: false, contact: { dnc: 'no' } },
    { dndSettings: { Email: { status: 'active' }, Call: { status: 'inactive' } } },
    { customFields: [{ name: 'Do not call', value: 'no' }] },
    { email: { opt_out: true } },
    { note: 'dnc', name: 'Do Not Call Ltd' },
  ])('%j is kept', (metadata) => {
    expect(inAll({ metadata })).toEqual(thrice(null))
  })

  it('The name is found behind leads that have the same names but for it, and other leads are taken', () => {
    const others = Array.from({ length: 3 }, () => ({ a: 'x', b: { c: 1 }, name: 'Ada' }))
    for (const said of [
      { a: 'x', b: { c: 1 }, name: 'Ada', dnc: true },
      { dnc: true, a: 'x', b: { c: 1 }, name: 'Ada' },
      { a: 'x', b: { dnc: 1 }, name: 'Ada' },
      { a: 'x', b: { c: 1 }, name: 'dnc', value: 'yes' },
    ]) {
      const leads = [...others, said, ...others].map((metadata) => ({
        phoneNumber: right.phoneNumber,
        metadata,
      }))
      const reading = readBulk(JSON.stringify({ campaignId: 'spring', leads }))
      const valid = reading.isValid ? reading.value.items.map(({ isValid }) => isValid) : []
      expect(valid).toEqual([true, true, true, false, true, true, true])
    }
  })
})

describe('Of several problems of a lead, a do-not-call is the last', () => {
  it('A do-not-call is named behind what is wrong with any known member', () => {
    for (const said of [{ dnc: true }, { metadata: { dnc: true } }]) {
      expect(create({ ...said, priority: 101 })).toBe('priority must be an integer between 0 and 100')
      expect(create({ ...said, consents: 1 })).toBe('consents is not a member: use consent')
      expect(change({ ...said, priority: 101 })).toBe('priority must be an integer between 0 and 100')
      expect(change({ ...said, status: 'raw' })).toBe('status is not a field that can be changed')
    }
  })

  it('A member that says it is named before a name in the metadata', () => {
    expect(inAll({ optOut: true, metadata: { dnc: true } })).toEqual(thrice(refusal('optOut')))
  })
})

it('A member in capitals, with other separators or in a long name is echoed as it was sent, a long one cut', () => {
  for (const name of ['DO-NOT_CALL', 'DoNotCall', 'OPT_OUT'])
    expect(create({ [name]: true })).toBe(refusal(name))
  const long = `please_do_not_call_${'me_'.repeat(200)}`
  expect(create({ [long]: true })).toMatch(/^pleasedonotcallme.{47} is not a member: suppress the number/)
})
