// `company`: the owners of campaigns and keys, and where each has its data. Its restore is in restore.ts.
import { type Command, Option } from 'commander'
import * as store from '../../access/store/administration.ts'
import { listStates } from '../../companies/store/states.ts'
import { parseId, parseName } from '../arguments/arguments.ts'
import { type PlaceOptions, storeNameOf, withPlace } from '../arguments/store-place.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import type { OnDatabase } from '../on-database.ts'
import { printList, printResult, timestamp } from '../text/print.ts'
import { addMoveCommand } from './move.ts'
import { addRestoreCommand } from './restore.ts'

export function addCompanyCommands(admin: Command, onDatabase: OnDatabase): void {
  const company = admin.command('company').description('The owners of campaigns and keys')
  withPlace(onDatabase(company.command('create'), createCompany, { mayCreate: true }))
    .requiredOption('--id <id>', 'unique among companies', parseId)
    .requiredOption('--name <name>', 'for people', parseName)
    .addOption(
      new Option('--store <store>', 'where its data is: the shared database, or a store of its own')
        .choices(['shared', 'own'])
        .default('shared'),
    )
  onDatabase(company.command('list'), listCompanies)
  addRestoreCommand(company, onDatabase)
  addMoveCommand(company, onDatabase)
}

type Output = { readonly json: boolean }

type CreateOptions = Output &
  PlaceOptions & { readonly id: string; readonly name: string; readonly store: 'shared' | 'own' }

async function createCompany(db: D1Database, options: CreateOptions) {
  const { id, name, json } = options
  const company = { id, name, createdAtMs: Date.now() }
  const storeName = storeNameOf(id, options.store === 'own', 'a company with --store own', options)
  const { kind } = await store.createCompany(db, company, storeName)
  if (kind === 'id_taken') throw new CommandFailed(`company id is taken: ${id}`)
  const isOwn = storeName !== null
  const created = { id, name, createdAt: timestamp(company.createdAtMs), ...(isOwn && { store: 'own' }) }
  printResult(created, json, [`Company ${id} created${isOwn ? ', with a store of its own' : ''}.`])
}

const nothingKnown = { sizeBytes: null, leads: null, lastMigration: null }

async function listCompanies(db: D1Database, { json }: Output) {
  const [companies, states] = [await store.listCompanies(db), await listStates(db)]
  const own = new Map(states.map(({ companyId, ...state }) => [companyId, state]))
  const rows = companies.map(({ id, name, createdAtMs }) => ({
    id,
    name,
    createdAt: timestamp(createdAtMs),
    store: own.has(id) ? 'own' : 'shared',
    ...(own.get(id) ?? nothingKnown),
  }))
  printList(rows, json, 'No companies yet.')
}
