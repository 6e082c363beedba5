// Chooses what is shown after sign-in: a campaign, a page of the company, or, at home, what fits the campaigns that
// exist.
import { useState } from 'preact/hooks'
import { CampaignFrame } from './campaign-frame.tsx'
import { CampaignsPage } from './campaigns/campaigns-page.tsx'
import { Frame, type FrameProps } from './frame.tsx'
import { type CompanyPage, hashOf, usePlace } from './place.ts'
import { settle } from './service/answer.ts'
import { retryWait, usePolling } from './service/clocks.ts'
import { useSession } from './service/session.ts'
import { lazy } from './ui/lazy.tsx'

const CompanyPageOf = lazy(async () => (await import('./settings/settings-pages.ts')).CompanyPage)
const SearchPage = lazy(async () => (await import('./leads/leads-pages.ts')).SearchPage)

export function Workspace(props: Omit<FrameProps, 'leaving'>) {
  const { place, leaving } = usePlace()
  const { campaignId } = useSession()
  const framed = { ...props, leaving }
  if (place.kind === 'home') return <Home {...framed} />
  // A key of one campaign has no pages of the company but its search.
  if (place.kind === 'company')
    return campaignId === null || place.page === 'search' ? (
      <CompanyFrame {...framed} page={place.page} part={place.part} />
    ) : (
      <Home {...framed} />
    )
  return <CampaignFrame key={place.campaignId} {...framed} {...place} />
}

/** The campaign where there is one only; otherwise the list, which begins with the first steps where there is none. */
function Home(props: FrameProps) {
  const { client, campaignId } = useSession()
  const [isMany, setIsMany] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  usePolling(async (isCurrent) => {
    if (campaignId !== null) {
      location.replace(hashOf(campaignId, 'overview'))
      return Infinity
    }
    const { data, error, retryAfterMs } = await settle(client.campaigns.pages({ limit: 2 }).page())
    if (!isCurrent()) return null
    setProblem(error)
    if (data === null) return retryWait(retryAfterMs)
    const [only, another] = data.campaigns
    if (only !== undefined && another === undefined) location.replace(hashOf(only.id, 'overview'))
    else setIsMany(true)
    return Infinity
  }, '')
  return isMany ? (
    <CompanyFrame {...props} page="campaigns" part={null} />
  ) : (
    <Frame {...props} page={null}>
      <p role="status" class={problem === null ? 'card muted loading' : 'card'}>
        {problem === null ? 'Loading…' : `${problem} Trying again.`}
      </p>
    </Frame>
  )
}

type CompanyProps = FrameProps & { readonly page: CompanyPage; readonly part: string | null }

function CompanyFrame(props: CompanyProps) {
  const { page, part, quota } = props
  return (
    <Frame {...props}>
      {page === 'campaigns' ? (
        <CampaignsPage />
      ) : page === 'search' ? (
        <SearchPage />
      ) : (
        <CompanyPageOf section={part} quota={quota} />
      )}
    </Frame>
  )
}
