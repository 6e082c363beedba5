// The settings of a campaign, and those of the company, outside of campaigns: sections, each with an address of its
// own, and the links between them.
import type { ComponentChildren } from 'preact'
import type { Campaign } from '../../sdk/src/models.ts'
import { companyHashOf, hashOf } from '../place.ts'
import type { Quota } from '../service/pace.ts'
import { useSession } from '../service/session.ts'
import { type Round, useRound } from '../service/use-reading.ts'
import { CallingSettings } from './calling-settings.tsx'
import { SuppressionsPanel } from './do-not-call/suppressions-panel.tsx'
import { GatePanel } from './gate-panel.tsx'
import { HoursEditor } from './hours/hours-editor.tsx'
import { KeysPanel } from './keys/keys-panel.tsx'
import { NumberRecord } from './number-record.tsx'
import { OutcomesEditor } from './outcomes-editor.tsx'
import { ActivityPanel } from './people/activity-panel.tsx'
import { PeoplePanel } from './people/people-panel.tsx'
import { WebhooksPanel } from './webhooks/webhooks-panel.tsx'
import { YourAccess } from './your-access.tsx'

const sectionNames = {
  hours: 'Hours',
  limits: 'Limits',
  outcomes: 'Outcomes',
  gate: 'Gate',
  'do-not-call': 'Do-not-call',
  record: 'Number record',
  webhooks: 'Webhooks',
  people: 'People',
  activity: 'Activity',
  keys: 'Keys',
  access: 'Your access',
} as const
type Section = keyof typeof sectionNames

type Props = {
  /** From the address. */
  readonly section: string | null
  readonly quota: Quota | null
}

type CampaignProps = Props & {
  readonly campaign: Campaign
  readonly round: Round
  readonly onCampaign: (campaign: Campaign) => void
}

export function SettingsPage({ campaign, section: wanted, quota, round, onCampaign }: CampaignProps) {
  const { client, rights } = useSession()

  const save = async (change: object) => onCampaign(await client.campaigns.update(campaign.id, change))
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
        gate: rights.manage && <GatePanel {...panel} />,
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

export function CompanyPage({ section: wanted, quota }: Props) {
  const { company, rights } = useSession()
  const round = useRound()
  const panel = { campaign: null, round }
  return (
    <Sections
      title={company.name}
      wanted={wanted}
      hashOf={(section) => companyHashOf('company', section)}
      sections={{
        keys: rights.manage && <KeysPanel {...panel} />,
        people: rights.manage && <PeoplePanel {...panel} />,
        activity: rights.manage && <ActivityPanel />,
        'do-not-call': rights.read && <SuppressionsPanel {...panel} />,
        record: rights.manage && <NumberRecord />,
        webhooks: rights.manage && <WebhooksPanel {...panel} />,
        access: <YourAccess quota={quota} />,
      }}
    />
  )
}

type SectionsProps = {
  readonly title: string
  /** The first is shown where the address names none. False: the key in use may not open it. */
  readonly sections: { readonly [name in Section]?: ComponentChildren }
  /** From the address. */
  readonly wanted: string | null
  readonly hashOf: (section: Section) => string
}

function Sections({ title, sections, wanted, hashOf }: SectionsProps) {
  const names = (Object.keys(sections) as Section[]).filter((name) => sections[name] !== false)
  const current = names.find((name) => name === wanted) ?? names[0]
  return (
    <div class="settings">
      <h1>{title}</h1>
      <nav class="sections" aria-label="Sections">
        {names.map((name) => (
          <a key={name} href={hashOf(name)} aria-current={name === current ? 'page' : undefined}>
            {sectionNames[name]}
          </a>
        ))}
      </nav>
      <div class="stack" key={current}>
        {current !== undefined && sections[current]}
      </div>
    </div>
  )
}
