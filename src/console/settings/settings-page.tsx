// The settings of the campaign and of its company, each in its own section.

import type { Campaign } from '../../sdk/src/models.ts'
import { campaignPath } from '../service/answer.ts'
import type { Quota } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import type { Round } from '../service/use-reading.ts'
import { CallingSettings } from './calling-settings.tsx'
import { CompanyKeys } from './company-keys.tsx'
import { SuppressionsPanel } from './do-not-call/suppressions-panel.tsx'
import { HoursEditor } from './hours/hours-editor.tsx'
import { KeyPanel } from './key-panel.tsx'
import { OutcomesEditor } from './outcomes-editor.tsx'
import { WebhooksPanel } from './webhooks/webhooks-panel.tsx'

type Props = {
  readonly campaign: Campaign
  /** From the address. */
  readonly section: string | null
  readonly quota: Quota | null
  readonly round: Round
  readonly onCampaign: (campaign: Campaign) => void
}

export function SettingsPage({ campaign, quota, round, onCampaign }: Props) {
  const { ask, rights } = useSession()

  /** Null: saved. */
  const save = async (change: object): Promise<string | null> => {
    const { data, error } = await ask<Campaign>('PATCH', campaignPath(campaign.id), { body: change })
    if (data !== null) onCampaign(data)
    return error
  }

  const form = { campaign, canChange: rights.manage, onSave: save }
  return (
    <div class="settings">
      <h1>Settings</h1>
      {!rights.manage && <p class="notice">Your key can view settings. Changing them takes scope manage.</p>}
      <HoursEditor {...form} />
      <CallingSettings {...form} />
      <OutcomesEditor {...form} />
      {rights.read && <SuppressionsPanel campaign={campaign} round={round} />}
      {rights.manage && <WebhooksPanel campaign={campaign} round={round} />}
      {rights.manage && <CompanyKeys campaign={campaign} round={round} />}
      <KeyPanel quota={quota} campaign={campaign} />
    </div>
  )
}
