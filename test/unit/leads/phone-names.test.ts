// Which columns and fields hold a phone number by their name.
import { describe, expect, it } from 'vitest'
import { isOtherPersons, isPhoneName } from '../../../src/queue/leads/file/names/phone-names.ts'

const phones = `your-phone, tel-647, No Label phone, et_pb_contact_phone_0, billing_phone, mobile_no, telephone1,
  Phone (with country code), Phone 1, Phone2, phoneNumber, PHONE_NUMBER, HomePhone, homephone, Work Phone,
  Mobile, MobilePhone,
  Cell, Cell Phone 2, cellphone, WhatsApp, WhatsApp Number, whatsapp, gsm, Tel., Tel. 2, Rufnummer,
  Handynummer, Telefonnummer,
  mobilnummer, Geschäftstelefon, Telefon (privat), Festnetz, Téléphone, Numéro de téléphone, Móvil, Celular,
  Teléfono, Cellulare,
  Telefoon, Mobiel nummer, Telemóvel, Numer telefonu, numero, 电话, 联系电话, 電話番号`
const others = `Phone Type, phone_type_2, Phone 1 Type, Phone consent, phone_opt, Phone DNC, Phone label,
  phone_id, phone ext,
  phone fax, Telefax, Telegram phone, microphone, Automobile, mobility, Name, Fax, Email, Notes, Number, Order number,
  Phonetic name, Excellent, handyman, hotel, (555), 电`
const list = (names: string) => names.split(',').map((name) => name.trim())

describe('The name of a phone', () => {
  it.each(list(phones))('%s is the name of a phone', (name) => expect(isPhoneName(name)).toBe(true))

  it.each(list(others))('%s is not the name of a phone', (name) => expect(isPhoneName(name)).toBe(false))
})

it.each([
  ...['Owner 1 Phone', 'agent_phone', 'Company phone', 'OfficePhone', 'employer tel', 'Spouse Mobile'],
  'Emergency contact phone',
])('%s is the phone of somebody else', (name) => {
  expect([isPhoneName(name), isOtherPersons(name)]).toEqual([true, true])
})

it.each(['Phone 2', 'Home phone', 'Mobile', 'Customer phone'])('%s may be the phone of the lead', (name) => {
  expect([isPhoneName(name), isOtherPersons(name)]).toEqual([true, false])
})
