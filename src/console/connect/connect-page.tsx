// What to paste where, so that a CRM sends leads and an agent calls them.
import type { Campaign } from '../../sdk/src/models.ts'
import type { Round } from '../service/use-reading.ts'
import { Card } from '../ui/card.tsx'

type Props = { readonly campaign: Campaign; readonly round: Round }

export function ConnectPage({ campaign }: Props) {
  return (
    <Card isMain title="Connect">
      <p>{campaign.name}</p>
    </Card>
  )
}
