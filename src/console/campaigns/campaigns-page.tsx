// The campaigns of the company: status, queue, agents that wait, and today's activity.
import { Card } from '../ui/card.tsx'
import { FirstSteps } from './first-steps.tsx'

export function CampaignsPage() {
  return (
    <Card isMain title="Campaigns">
      <FirstSteps campaign={null} />
    </Card>
  )
}
