// `campaign`: what leads are called for. A campaign's id is unique within its company (D39).
import type { Command } from 'commander'
import * as store from '../../access/store/administration.ts'
import { parseId, parseName } from '../arguments.ts'
import type { OnDatabase } from '../on-database.ts'
import { printList, printResult, timestamp } from '../print.ts'
import { CommandFailed } from '../wrangler.ts'

export function addCampaignCommands(admin: Command, onDatabase: OnDatabase): void {
  const campaign = admin.command('campaign').description('what leads are called for')
  onDatabase(campaign.command('create'), createCampaign)
    .requiredOption('--company <id>', 'its owner')
    .requiredOption('--id <id>', 'unique within the company', parseId)
    .requiredOption('--name <name>', 'for people', parseName)
  onDatabase(campaign.command('list'), listCampaigns).option('--company <id>', "this company's only")
}

type Output = { readonly json: boolean }

async function createCampaign(
  db: D1Database,
  { company, id, name, json }: { company: string; id: string; name: string } & Output,
) {
  const campaign = { id, companyId: company, name, createdAtMs: Date.now() }
  const { kind } = await store.createCampaign(db, campaign)
  if (kind === 'company_unknown') throw new CommandFailed(`unknown company: ${company}`)
  if (kind === 'id_taken') throw new CommandFailed(`campaign id is taken: ${id}`)
  const value = { id, companyId: company, name, createdAt: timestamp(campaign.createdAtMs) }
  printResult(value, json, [`Campaign ${id} created for company ${company}.`])
}

async function listCampaigns(db: D1Database, { company, json }: { company?: string } & Output) {
  const found = await store.listCampaigns(db, company ?? null)
  if (found.kind === 'company_unknown') throw new CommandFailed(`unknown company: ${company}`)
  const rows = found.campaigns.map(({ id, companyId, name, createdAtMs }) => ({
    id,
    companyId,
    name,
    createdAt: timestamp(createdAtMs),
  }))
  printList(rows, json, 'No campaigns yet.')
}
