// What follows from the table of a lead's fields, for each of them. What is stored and answered is in ../../spec/leads.
import { expect, it } from 'vitest'
import { lineOf, partsOf } from '../../../src/console/leads/list/read-csv.ts'
import { exampleFields, fields } from '../../../src/docs/fields/lead-fields.ts'
import { readChange } from '../../../src/queue/leads/change-input.ts'
import { readCreate } from '../../../src/queue/leads/create-input.ts'
import { leadCsvHeader } from '../../../src/queue/leads/csv.ts'
import { changeableNames, leadFieldNames, leadFieldTable } from '../../../src/queue/leads/field-table.ts'
import { guessMeanings } from '../../../src/queue/leads/file/guess-columns.ts'
import { unusableFieldOf } from '../../../src/queue/leads/file/unusable.ts'

it('Each field of a lead has one column in the CSV of the API', () => {
  const columns = leadCsvHeader.trim().split(',')
  for (const name of leadFieldNames) expect(columns.filter((column) => column === name)).toEqual([name])
})

it("The console's export has each field of a lead, and of metadata each member", async () => {
  const lead = { ...exampleFields, metadata: '{"company":"Acme"}', _creationTime: 0 }
  const [header = '', line = ''] = await partsOf([lineOf(lead)])
  const cells = line.trim().split(',')
  const exported = Object.fromEntries(
    header
      .trim()
      .split(',')
      .map((name, at) => [name, cells[at]]),
  )
  const { metadata: _, ...plain } = exampleFields
  expect(exported).toMatchObject({ ...plain, priority: '10', company: 'Acme' })
})

it.each(leadFieldNames)('A column that is named %s is that field, and its example is usable', (name) => {
  expect(guessMeanings([name])).toEqual([name])
  expect(guessMeanings([leadFieldTable[name].label])).toEqual([name])
  const { phoneNumber } = exampleFields
  expect(unusableFieldOf({ phoneNumber, [name]: exampleFields[name] })).toBe(null)
  expect(unusableFieldOf({ phoneNumber, [name]: '\u{1F600}'.repeat(300) })).toBe(name)
})

it.each(leadFieldNames)(
  'A create takes %s, a change takes it unless it is fixed, and both describe it',
  (name) => {
    expect(fields[name]).toMatchObject({ description: expect.any(String), examples: [exampleFields[name]] })
    const create = { campaignId: 'spring', ...exampleFields }
    expect(readCreate(JSON.stringify(create))).toMatchObject({ isValid: true })
    expect(readCreate(JSON.stringify({ ...create, [name]: [] }))).toMatchObject({
      isValid: false,
      message: expect.stringMatching(new RegExp(`^${name} must be `)),
    })
    const isChangeable = changeableNames.some((changeable) => changeable === name)
    expect(readChange(JSON.stringify({ [name]: exampleFields[name] }))).toMatchObject({
      isValid: isChangeable,
    })
  },
)
