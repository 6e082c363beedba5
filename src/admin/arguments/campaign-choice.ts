// Finds the campaign of a command: the options that name it, and the error when they match none or several.
import type { Command } from 'commander'
import {
  asOperator,
  type CampaignChoice,
  type CampaignNotOne,
  findCampaign,
  type NamedCampaign,
} from '../../access/store/named.ts'
import { CommandFailed } from '../deploy/wrangler.ts'

export type CampaignOptions = { readonly campaign: string; readonly company?: string }

export function ofCampaign(command: Command): Command {
  return ofOwner(command.requiredOption('--campaign <id>', 'whose leads'))
}

/** For a command that names its campaign in another way. */
export function ofOwner(command: Command): Command {
  return command.option('--company <id>', "the campaign's owner, if several companies have one with that id")
}

export const choiceOf = ({ campaign, company }: CampaignOptions): CampaignChoice => ({
  campaignId: campaign,
  companyId: company ?? null,
})

/** Throws CommandFailed. */
export async function chooseCampaign(db: D1Database, options: CampaignOptions): Promise<NamedCampaign> {
  const found = await findCampaign(db, choiceOf(options), asOperator())
  if (found.kind !== 'found') throw refusalOf(found, options)
  return found.campaign
}

export function refusalOf(result: CampaignNotOne, { campaign, company }: CampaignOptions): CommandFailed {
  if (result.kind === 'campaign_ambiguous') {
    const owners = result.companyIds.join(', ')
    return new CommandFailed(`several companies have a campaign ${campaign}: add --company, one of ${owners}`)
  }
  return new CommandFailed(
    company === undefined
      ? `unknown campaign: ${campaign}`
      : `unknown campaign of company ${company}: ${campaign}`,
  )
}
