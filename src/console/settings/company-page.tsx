// The settings of the company, outside of campaigns: keys, people and what they did, do-not-call numbers, the record of a number,
// webhooks, and the access of the key in use.
import { companyHashOf } from '../place.ts'
import type { Quota } from '../service/pace.ts'
import { useSession } from '../service/session.ts'
import { useRound } from '../service/use-round.ts'
import { SuppressionsPanel } from './do-not-call/suppressions-panel.tsx'
import { KeysPanel } from './keys/keys-panel.tsx'
import { NumberRecord } from './number-record.tsx'
import { ActivityPanel } from './people/activity-panel.tsx'
import { PeoplePanel } from './people/people-panel.tsx'
import { Sections } from './sections.tsx'
import { WebhooksPanel } from './webhooks/webhooks-panel.tsx'
import { YourAccess } from './your-access.tsx'

type Props = {
  /** From the address. */
  readonly section: string | null
  readonly quota: Quota | null
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
