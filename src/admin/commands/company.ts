// `company`: the owners of campaigns and keys.
import type { Command } from 'commander'
import * as store from '../../access/store/administration.ts'
import { parseId, parseName } from '../arguments/arguments.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import type { OnDatabase } from '../on-database.ts'
import { printList, printResult, timestamp } from '../text/print.ts'
import { addMoveCommand } from './move.ts'

export function addCompanyCommands(admin: Command, onDatabase: OnDatabase): void {
  const company = admin.command('company').description('The owners of campaigns and keys')
  onDatabase(company.command('create'), createCompany, { mayCreate: true })
    .requiredOption('--id <id>', 'unique among companies', parseId)
    .requiredOption('--name <name>', 'for people', parseName)
  onDatabase(company.command('list'), listCompanies)
  addMoveCommand(company, onDatabase)
}

type Output = { readonly json: boolean }

async function createCompany(db: D1Database, { id, name, json }: { id: string; name: string } & Output) {
  const company = { id, name, createdAtMs: Date.now() }
  const { kind } = await store.createCompany(db, company)
  if (kind === 'id_taken') throw new CommandFailed(`company id is taken: ${id}`)
  printResult({ id, name, createdAt: timestamp(company.createdAtMs) }, json, [`Company ${id} created.`])
}

async function listCompanies(db: D1Database, { json }: Output) {
  const companies = await store.listCompanies(db)
  const rows = companies.map(({ id, name, createdAtMs }) => ({ id, name, createdAt: timestamp(createdAtMs) }))
  printList(rows, json, 'No companies yet.')
}
