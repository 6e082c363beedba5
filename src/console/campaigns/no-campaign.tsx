// Shown in place of a campaign: it does not exist, or who is signed in has no access to it.
import { companyHashOf } from '../place.ts'
import { useSession } from '../service/session.ts'
import { Card } from '../ui/card.tsx'

export function NoCampaign({ campaignId }: { readonly campaignId: string }) {
  const { rights } = useSession()
  return (
    <Card isMain title="Campaign not found">
      <p role="status">
        <strong class="cut">{campaignId}</strong> does not exist, or you have no access to it.
      </p>
      <p>
        {rights.company ? (
          <a href={companyHashOf('campaigns')}>All campaigns</a>
        ) : (
          <a href="#/">Your campaign</a>
        )}
      </p>
    </Card>
  )
}
