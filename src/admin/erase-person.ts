// `lead erase`: finds the person by a name of a lead, and erases them in all campaigns of the company.
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
  const result = await eraseForCompany(db, who, { phoneNumber, suppress }, hashesOf(options, companyId))
  if (result.kind === 'pepper_lost') throw pepperMissing(options)
  if (result.kind !== 'erased') throw new CommandFailed(`unknown company: ${companyId}`)
  const { leadsErased, suppressed } = result
  const leads = leadsErased === 1 ? '1 lead' : `${leadsErased} leads`
  printResult({ leadsErased, suppressed }, json, [
    `${leads} erased; the number ${suppressed ? 'is suppressed' : 'may be created again'}.`,
  ])
}

/** By any name of a lead; with a company also by a number of no lead. Throws CommandFailed unless it is one person. */
async function findPerson(db: D1Database, company: string | null, name: string) {
  const found = await findNamedLeads(db, { name, campaignId: null, companyId: company })
  const people = new Map(
    found.map(({ companyId, phoneNumber }) => [`${companyId} ${phoneNumber}`, { companyId, phoneNumber }]),
  )
  if (people.size > 1)
    throw new CommandFailed(`several people match ${name}: add --company, or use the id of a lead`)
  const [person] = people.values()
  if (person !== undefined) return person
  const isNumber = readErasure(JSON.stringify({ phoneNumber: name })).isValid
  if (!isNumber || company === null) throw new CommandFailed(`no such lead: ${name}`)
  return { companyId: company, phoneNumber: name }
}
