// `company`: the owners of campaigns and keys, and where each has its data. Its restore is in restore.ts.
import { type Command, InvalidArgumentError, Option } from 'commander'
import * as store from '../../access/store/administration.ts'
import { listStates } from '../../companies/store/states.ts'
import { limits } from '../../limits.ts'
import { parseId, parseName } from '../arguments/arguments.ts'
import { type PlaceOptions, storeNameOf, withPlace } from '../arguments/store-place.ts'
import { CommandFailed } from '../command-failed.ts'
import { companyMoving } from '../company-moving.ts'
import type { OnDatabase } from '../on-database.ts'
import { carryOutOrWait, pendingText } from '../store-requests.ts'
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
  onDatabase(
    company
      .command('limit')
      .description('Changes how many campaigns a company may have, archived ones included')
      .argument('<id>', 'the company'),
    limitCompany,
  ).addOption(
    new Option('--campaigns <number>', `by default ${limits.campaignsPerCompany}`)
      .argParser(parseMaxCampaigns)
      .makeOptionMandatory(),
  )
  onDatabase(company.command('list'), listCompanies)
  addRestoreCommand(company, onDatabase)
  addMoveCommand(company, onDatabase)
}

type Output = { readonly json: boolean }

type LimitOptions = Output & { readonly campaigns: number }

/** All that there are numbers for. */
const maxCampaigns = 2 ** 21 - 1

function parseMaxCampaigns(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= maxCampaigns) return number
  throw new InvalidArgumentError(`a number from 1 to ${maxCampaigns}`)
}

async function limitCompany(db: D1Database, { campaigns, json }: LimitOptions, id: string) {
  const request = { kind: 'company.limit', companyId: id, maxCampaigns: campaigns } as const
  const { kind } = await carryOutOrWait(db, request)
  if (kind === 'company_unknown') throw new CommandFailed(`unknown company: ${id}`)
  if (kind === 'company_moving') throw companyMoving(`company ${id}`)
  if (kind === 'pending') throw new CommandFailed(pendingText)
  printResult({ id, maxCampaigns: campaigns }, json, [`Company ${id} may have ${campaigns} campaigns.`])
}

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
