// The access of the key in use: what it may do, and what is left of its request quota.
import type { Quota } from '../service/pace.ts'
import { useSession } from '../service/session.ts'
import { Card, Facts } from '../ui/card.tsx'
import { counted, minutes } from '../ui/words/number-words.ts'

type Props = { readonly quota: Quota | null }

export function YourAccess({ quota }: Props) {
  const { rights, keyId, campaignId } = useSession()
  const permissions = rights.manage
    ? 'Full access'
    : [
        rights.read && 'list leads',
        rights.write && 'change leads and do-not-call numbers',
        rights.agent && 'make calls',
      ]
        .filter((word) => word !== false)
        .join(', ')
  const used = quota && counted(quota.limit - quota.remaining)
  return (
    <Card title="Your access">
      <Facts
        kind="fields"
        facts={[
          ['Permissions', `${permissions}, ${rights.company ? 'all campaigns' : 'one campaign'}`],
          campaignId !== null && ['Campaign', campaignId],
          ['Key', keyId],
          quota !== null && [
            'Request quota',
            `${used} of ${counted(quota.limit)}, resets in ${minutes(quota.resetSeconds)}`,
          ],
        ]}
      />
    </Card>
  )
}
