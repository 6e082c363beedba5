// Finds leads in all campaigns of the key.
import { Card } from '../ui/card.tsx'

export function SearchPage() {
  return (
    <Card isMain title="Find leads">
      <p />
    </Card>
  )
}
