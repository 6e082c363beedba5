// Five steps from an empty company to a first call, loaded where they are shown: most campaigns never show them.
import type { Campaign, CampaignOverview } from '../../sdk/src/models.ts'
import { lazy } from '../ui/lazy.tsx'

type Props = {
  /** Null: the company has none. */
  readonly campaign: Campaign | null
  readonly dialer: CampaignOverview['dialer']
  /** Shows the overview, offered once there is a lead. */
  readonly onDone?: () => void
  /** A step was ticked. */
  readonly onTick?: () => void
}

export const FirstSteps = lazy<Props>(async () => (await import('./steps.tsx')).Steps)
