// Which entries of a post are numbers of its person, by their names and by what stands around them.
import { expect, it } from 'vitest'
import { flatten } from '../../../src/channels/sources/flatten.ts'
import { candidatesOf } from '../../../src/channels/sources/whose/candidates.ts'

const number = '+4917112345678'
const namesIn = (root: object) =>
  candidatesOf(flatten(root as Record<string, unknown>).entries).map(({ name }) => name)

it.each([
  ...['your-phone', 'tel-647', 'No Label phone', 'et_pb_contact_phone_0', 'billing_phone', 'mobile_no'],
  ...['telephone1', 'Phone (with country code)', 'homePhone', 'cellphone', 'Mobilnummer', 'téléphone 2'],
  ...['WhatsApp', '联系电话', 'numero', 'handy', 'Phone 1'],
])('A number under %s is the person’s', (name) => {
  expect(namesIn({ [name]: number, note: number })).toEqual([name])
})

it.each([
  ...[
    'phone_type',
    'phone consent',
    'phone_opt',
    'mobile dnc',
    'phone label',
    'phone_id',
    'Phone ext',
    'phone_fax',
  ],
  ...['telefax', 'telegram', 'note', 'order number', 'order', 'headphones'],
])('What stands under %s is no number', (name) => {
  expect(namesIn({ [name]: number })).toEqual([])
})

it.each<[what: string, root: object, names: readonly string[]]>([
  ['in a list of phones', { phones: [{ label: 'work', value: number }] }, ['phones.work']],
  [
    'in an object of a phone',
    { phone: { country: 'DE', full: number, created_at: '2026-11-20 09:00' } },
    ['phone.full'],
  ],
  ['by its type', { f: [{ label: 'A', type: 'phone_number', value: number }] }, ['f.A']],
  [
    'by a title and a type beside it',
    { f: { p: { title: 'Phone', type: 'tel', value: number }, q: {} } },
    ['f.p'],
  ],
  ['as a number of JSON', { phone: 4917112345678 }, ['phone']],
  ['with seven digits, not with six', { phone: '123 456', mobile: '123 45 67' }, ['mobile']],
])('A number is found %s', (_, root, names) => {
  expect(namesIn(root)).toEqual(names)
})

it.each([
  ...[{ old: { phone: number } }, { old_phone: number }, { previous: { phone: number } }],
  ...[{ owner: { mobile: number } }, { 'Owner 1 Phone': number }, { agent_phone: number }],
  ...[
    { assignedUser: { phone: number } },
    { salesperson: { phone: number } },
    { emergency_contact_phone: number },
  ],
  ...[{ organizer: { phone: number } }, { referrer: { phone: number } }, { reference: { phone: number } }],
  ...[{ advisor_phone: number }, { sales_rep: { mobile: number } }, { consultant: { phone: number } }],
  ...[{ next_of_kin_phone: number }, { spouse: { phone: number } }, { employer_phone: number }],
  ...[
    { landlord: { phone: number } },
    { 'Doctor Phone': number },
    { lawyer_phone: number },
    { friend_phone: number },
  ],
])('Somebody else’s number is never the person’s: %j', (root) => {
  expect(namesIn({ ...root, phone: '+491711111111' })).toEqual(['phone'])
  expect(namesIn(root)).toEqual([])
})

it.each([
  ...['user', 'company', 'account', 'location', 'agency', 'associated-company', 'from', 'listing'],
  ...['vendor', 'provider', 'dealer', 'store', 'support', 'created_by'],
])('The number of a %s is the person’s only where nobody else is named', (step) => {
  const root = { [step]: { name: 'Acme', phone: number } }
  expect(namesIn(root)).toEqual([`${step}.phone`])
  expect(namesIn({ ...root, form: { name: 'Offer' } })).toEqual([`${step}.phone`])
  for (const person of [{ first_name: 'Ada' }, { reply_to: 'ada@example.com' }, { contact_id: 'c1' }])
    expect(namesIn({ ...root, ...person })).toEqual([])
  expect(namesIn({ ...root, contact: { name: 'Ada', phone: '+491711111111' } })).toEqual(['contact.phone'])
})

it('A name that only holds such a word is no such step: Google’s user_column_data', () => {
  const root = { lead_id: 'T1', user_column_data: [{ column_id: 'PHONE_NUMBER', string_value: number }] }
  expect(namesIn(root)).toEqual(['user_column_data.PHONE_NUMBER'])
})
