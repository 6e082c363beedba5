// `lead erase`: whose number a name is, and the erasure of that person in all campaigns of the company.
import { asOperator } from '../access/store/named.ts'
import { readErasure } from '../erasure/input.ts'
import { findNamedLeads } from '../leads/store/overview.ts'
import { hashesOf, type OfPlace, pepperMissing } from './deploy/pepper.ts'
import { CommandFailed } from './deploy/wrangler.ts'
import { eraseForCompany } from './operator-store.ts'
import { printResult } from './text/print.ts'

type Options = OfPlace & { readonly company?: string; readonly suppress: boolean; readonly json: boolean }

export async function erasePerson(db: D1Database, options: Options, name: string): Promise<void> {
  const { companyId, phoneNumber } = await findPerson(db, options.company ?? null, name)
  const { suppress, json } = options
  const who = { companyId, ...asOperator() }
  const outcome = await eraseForCompany(db, who, { phoneNumber, suppress }, hashesOf(options, companyId))
  if (outcome.kind === 'pepper_lost') throw pepperMissing(options)
  if (outcome.kind !== 'erased') throw new CommandFailed(`unknown company: ${companyId}`)
  const { leadsErased, suppressed } = outcome
  const leads = leadsErased === 1 ? '1 lead' : `${leadsErased} leads`
  printResult({ leadsErased, suppressed }, json, [
    `${leads} erased; the number ${suppressed ? 'is suppressed' : 'may come in again'}.`,
  ])
}

/** By any name of a lead; a company's number need not be known. Throws CommandFailed when it is not one person. */
async function findPerson(db: D1Database, company: string | null, name: string) {
  const found = await findNamedLeads(db, { name, campaignId: null, companyId: company })
  const people = new Map(
    found.map(({ companyId, phoneNumber }) => [`${companyId} ${phoneNumber}`, { companyId, phoneNumber }]),
  )
  if (people.size > 1)
    throw new CommandFailed(`several people are ${name}: add --company, or name one by its lead's id`)
  const [person] = people.values()
  if (person !== undefined) return person
  const isNumber = readErasure(JSON.stringify({ phoneNumber: name })).isValid
  if (!isNumber || company === null) throw new CommandFailed(`no such lead: ${name}`)
  return { companyId: company, phoneNumber: name }
}
