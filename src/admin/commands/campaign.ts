// `campaign show`, `pause` and `resume`: a campaign in words. All other commands of campaigns come from the API
// description.
import type { Command } from 'commander'
import type { CampaignSettings } from '../../queue/campaigns/store/settings-row.ts'
import type { Campaign } from '../../sdk/src/lead-intake.ts'
import { type OpenService, onService } from '../on-service.ts'
import { describeCampaign } from '../text/campaign-words.ts'
import { printResult } from '../text/print.ts'

type Read = (client: OpenService['client'], id: string) => Promise<Campaign>

export function addCampaignCommands(admin: Command): void {
  const campaign = admin.command('campaign').description('Settings, calling hours and queue of campaigns')
  const ofOne = (name: string, does: string, read: Read) =>
    onService(
      campaign.command(name).description(does).argument('<campaign>', 'its id'),
      async (service, { json }: { json: boolean }, id) =>
        print(service, json, await read(service.client, id)),
    )
  ofOne('show', 'Shows settings, next opening and queue', (client, id) => client.campaigns.get(id))
  ofOne('pause', 'Stops claims; running calls can still be reported', (client, id) =>
    client.campaigns.update(id, { paused: true }),
  )
  ofOne('resume', 'Allows claims again', (client, id) => client.campaigns.update(id, { paused: false }))
}

/** With --json as the API answers it. */
function print({ companyId }: OpenService, json: boolean, campaign: Campaign): void {
  const { queue, ...settings } = campaign
  printResult(
    campaign,
    json,
    describeCampaign(settings as object as CampaignSettings, queue, companyId, Date.now()),
  )
}
