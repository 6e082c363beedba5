// Finds leads in all campaigns of the key. Their times are in the reader's zone, because campaigns differ.
import { LeadFinder } from './list/lead-finder.tsx'

const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
const once = { atMs: 0, recoveries: 0 }

export const SearchPage = () => <LeadFinder campaign={null} round={once} zone={timeZone} />
