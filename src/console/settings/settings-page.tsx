// The settings of a campaign, and what else concerns it: do-not-call numbers, webhooks and keys.
import type { Campaign } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { settle } from '../service/answer.ts'
import type { Quota } from '../service/pace.ts'
import { useSession } from '../service/session.ts'
import type { Round } from '../service/use-reading.ts'
import { CallingSettings } from './calling-settings.tsx'
import { SuppressionsPanel } from './do-not-call/suppressions-panel.tsx'
import { HoursEditor } from './hours/hours-editor.tsx'
import { KeysPanel } from './keys/keys-panel.tsx'
import { OutcomesEditor } from './outcomes-editor.tsx'
import { ActivityPanel } from './people/activity-panel.tsx'
import { PeoplePanel } from './people/people-panel.tsx'
import { Sections } from './sections.tsx'
import { WebhooksPanel } from './webhooks/webhooks-panel.tsx'
import { YourAccess } from './your-access.tsx'

type Props = {
  readonly campaign: Campaign
  /** From the address. */
  readonly section: string | null
  readonly quota: Quota | null
  readonly round: Round
  readonly onCampaign: (campaign: Campaign) => void
}

export function SettingsPage({ campaign, section: wanted, quota, round, onCampaign }: Props) {
  const { client, rights } = useSession()

  /** Null: saved. */
  const save = async (change: object): Promise<string | null> => {
    const { data, error } = await settle(client.campaigns.update(campaign.id, change))
    if (data !== null) onCampaign(data)
    return error
  }

  const form = { campaign, canChange: rights.manage, onSave: save }
  const panel = { campaign, round }
  const readOnly = !rights.manage && (
    <p class="notice">You can view settings. Changing them takes the right to manage.</p>
  )
  return (
    <Sections
      title="Settings"
      wanted={wanted}
      hashOf={(section) => hashOf(campaign.id, 'settings', section)}
      sections={{
        hours: [readOnly, <HoursEditor key="hours" {...form} />],
        limits: [readOnly, <CallingSettings key="limits" {...form} />],
        outcomes: [readOnly, <OutcomesEditor key="outcomes" {...form} />],
        'do-not-call': rights.read && <SuppressionsPanel {...panel} />,
        webhooks: rights.manage && <WebhooksPanel {...panel} />,
        keys: rights.manage && <KeysPanel {...panel} />,
        // Company-wide keys see this on the company page.
        people: !rights.company && rights.manage && <PeoplePanel {...panel} />,
        activity: !rights.company && rights.manage && <ActivityPanel />,
        access: !rights.company && <YourAccess quota={quota} />,
      }}
    />
  )
}
