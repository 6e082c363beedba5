// A lead as the store takes it, and the fields that a client may set and change.
import { exampleFields } from '../../../src/docs/fields/lead-fields.ts'
import { changeableNames } from '../../../src/queue/leads/field-table.ts'
import { type NewLead, storedFields } from '../../../src/queue/leads/fields.ts'

/** With nothing but its number, unless more is given. */
export const newLead = (lead: Pick<NewLead, 'phoneNumber'> & Partial<NewLead>): NewLead => ({
  ...storedFields({}),
  ...lead,
})

const { phoneNumber: _, ...setFields } = exampleFields

export { setFields }
export const clearedFields = Object.fromEntries(changeableNames.map((name) => [name, null]))
