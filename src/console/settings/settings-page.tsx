// The settings of a campaign, and what else concerns it: do-not-call numbers, webhooks and keys.
import type { Campaign } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { campaignPath } from '../service/answer.ts'
import type { Quota } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import type { Round } from '../service/use-reading.ts'
import { CallingSettings } from './calling-settings.tsx'
import { SuppressionsPanel } from './do-not-call/suppressions-panel.tsx'
import { HoursEditor } from './hours/hours-editor.tsx'
import { KeysPanel } from './keys/keys-panel.tsx'
import { OutcomesEditor } from './outcomes-editor.tsx'
import { type Section, Sections, sectionsOf } from './sections.tsx'
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
  const { ask, rights } = useSession()

  /** Null: saved. */
  const save = async (change: object): Promise<string | null> => {
    const { data, error } = await ask<Campaign>('PATCH', campaignPath(campaign.id), { body: change })
    if (data !== null) onCampaign(data)
    return error
  }

  const form = { campaign, canChange: rights.manage, onSave: save }
  const sections = sectionsOf(
    'hours',
    'limits',
    'outcomes',
    rights.read && 'do-not-call',
    rights.manage && 'webhooks',
    rights.manage && 'keys',
    // A key of the whole company has it there.
    !rights.company && 'access',
  )
  const isForm = (section: Section) => ['hours', 'limits', 'outcomes'].includes(section)
  return (
    <Sections
      title="Settings"
      sections={sections}
      wanted={wanted}
      hashOf={(section) => hashOf(campaign.id, 'settings', section)}
    >
      {(section) => (
        <>
          {!rights.manage && isForm(section) && (
            <p class="notice">Your key can view settings. Changing them takes scope manage.</p>
          )}
          {section === 'hours' ? (
            <HoursEditor {...form} />
          ) : section === 'limits' ? (
            <CallingSettings {...form} />
          ) : section === 'outcomes' ? (
            <OutcomesEditor {...form} />
          ) : section === 'do-not-call' ? (
            <SuppressionsPanel campaign={campaign} round={round} />
          ) : section === 'webhooks' ? (
            <WebhooksPanel campaign={campaign} round={round} />
          ) : section === 'keys' ? (
            <KeysPanel campaign={campaign} round={round} />
          ) : (
            <YourAccess quota={quota} />
          )}
        </>
      )}
    </Sections>
  )
}
