// The settings of the company, outside of campaigns: keys, do-not-call numbers, webhooks, and the access of the key in use.
import { companyHashOf } from '../place.ts'
import type { Quota } from '../service/client.ts'
import { useSession } from '../service/session.ts'
import { useRound } from '../service/use-round.ts'
import { SuppressionsPanel } from './do-not-call/suppressions-panel.tsx'
import { KeysPanel } from './keys/keys-panel.tsx'
import { Sections, sectionsOf } from './sections.tsx'
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
  const sections = sectionsOf(
    rights.manage && 'keys',
    rights.read && 'do-not-call',
    rights.manage && 'webhooks',
    'access',
  )
  return (
    <Sections
      title={company.name}
      sections={sections}
      wanted={wanted}
      hashOf={(section) => companyHashOf('company', section)}
    >
      {(section) =>
        section === 'keys' ? (
          <KeysPanel campaign={null} round={round} />
        ) : section === 'do-not-call' ? (
          <SuppressionsPanel campaign={null} round={round} />
        ) : section === 'webhooks' ? (
          <WebhooksPanel campaign={null} round={round} />
        ) : (
          <YourAccess quota={quota} />
        )
      }
    </Sections>
  )
}
