// Finds leads in all campaigns of the key. Their times are in the reader's zone, because campaigns differ.
import { useRound } from '../service/use-round.ts'
import { browserZone } from '../ui/words/zone-time.ts'
import { LeadFinder } from './list/lead-finder.tsx'

export function SearchPage() {
  const round = useRound()
  return <LeadFinder campaign={null} round={round} zone={browserZone()} />
}
