// Finds leads in all campaigns of the key. Their times are in the reader's zone, because campaigns differ.

import { useSession } from '../service/session.ts'
import { useRound } from '../service/use-reading.ts'
import { Card } from '../ui/card.tsx'
import { browserZone } from '../ui/words/zone-time.ts'
import { LeadFinder } from './list/lead-finder.tsx'

export function SearchPage() {
  const { rights } = useSession()
  const round = useRound()
  if (rights.read) return <LeadFinder campaign={null} round={round} zone={browserZone()} />
  return (
    <Card isMain title="Find leads">
      <p>Your key may not list leads. It opens a single lead by its address.</p>
    </Card>
  )
}
