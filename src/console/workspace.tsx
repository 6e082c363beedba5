// The frame around a campaign's pages: campaign, page, and the questions about unsaved changes and a running import.
import { useEffect, useState } from 'preact/hooks'
import type { CampaignSettings } from '../sdk/src/models.ts'
import { ImportPage } from './import/import-page.tsx'
import { type ImportView, useImport } from './import/run-import.ts'
import { LeadCard } from './leads/lead-card.tsx'
import { LeadsPage } from './leads/leads-page.tsx'
import { NoCampaign } from './no-campaign.tsx'
import { Notices } from './notices.tsx'
import type { Span } from './overview/funnel.ts'
import { Overview } from './overview/overview.tsx'
import { hashOf, type Navigation, type PageName, pages, usePlace } from './place.ts'
import type { Quota } from './service/client.ts'
import type { Rights } from './service/rights.ts'
import { useSession } from './service/session.ts'
import { useCampaign } from './service/watch-campaign.ts'
import { SettingsPage } from './settings/settings-page.tsx'
import { Button } from './ui/controls.tsx'
import { share } from './ui/number-words.ts'
import { Question } from './ui/question.tsx'
import { isAnyUnsaved } from './ui/unsaved.ts'

type Props = {
  readonly campaigns: readonly CampaignSettings[]
  readonly quota: Quota | null
  readonly isReached: boolean
  readonly onSignOut: () => void
}

const pageNames: Readonly<Record<PageName, string>> = {
  overview: 'Overview',
  leads: 'Leads',
  import: 'Import',
  settings: 'Settings',
}

export function Workspace(props: Props) {
  const { campaigns, onSignOut } = props
  const { place, leaving } = usePlace()
  const { campaignId, page, leadId } = place
  const chosen = campaignId === null ? campaigns[0] : campaigns.find(({ id }) => id === campaignId)
  if (chosen === undefined) {
    return <NoCampaign wantedId={campaignId} campaigns={campaigns} page={page} onSignOut={onSignOut} />
  }
  return (
    <CampaignFrame
      key={chosen.id}
      {...props}
      campaignId={chosen.id}
      page={page}
      leadId={leadId}
      leaving={leaving}
    />
  )
}

type FrameProps = Props & {
  readonly campaignId: string
  readonly page: PageName
  readonly leadId: string | null
  readonly leaving: Navigation['leaving']
}

/** What a key may not do is not shown; every key may open a lead by its address. */
function pagesOf({ read, write }: Rights, leadId: string | null) {
  const isForKey: Readonly<Record<PageName, boolean>> = {
    overview: true,
    leads: read,
    import: write,
    settings: true,
  }
  const opens = (page: PageName) => isForKey[page] || (page === 'leads' && leadId !== null)
  return { named: pages.filter((page) => isForKey[page]), opens }
}

function CampaignFrame(props: FrameProps) {
  const { campaigns, quota, isReached, onSignOut, campaignId, leadId } = props
  const { key, rights, companyId } = useSession()
  // Here, so that an import continues while another page is open.
  const run = useImport({ companyId, campaignId }, key)
  /** Another campaign, while the person is asked whether to pause the import. */
  const [wantedId, setWantedId] = useState<string | null>(null)
  const { isSending } = run.view
  useEffect(() => {
    if (!isSending) setWantedId(null)
  }, [isSending])
  const go = (id: string) => {
    location.hash = hashOf(id, props.page)
  }
  const [span, setSpan] = useState<Span>('24h')
  const watch = useCampaign(campaignId, span)
  const { watched, problem } = watch
  const { named, opens } = pagesOf(rights, leadId)
  const page = opens(props.page) ? props.page : 'overview'
  const [isSigningOut, setIsSigningOut] = useState(false)
  const leaving =
    props.leaving ?? (isSigningOut ? { leave: onSignOut, stay: () => setIsSigningOut(false) } : null)
  return (
    <>
      <header class="bar">
        <div class="bar-in">
          <a class="brand" href={hashOf(campaignId, 'overview')}>
            <img src="/docs/icon.svg" alt="" width="20" height="20" />
            <span>Lead intake</span>
          </a>
          {campaigns.length > 1 && (
            <select
              aria-label="Campaign"
              value={campaignId}
              onChange={({ currentTarget }) => {
                const wanted = currentTarget.value
                if (!isSending) return go(wanted)
                currentTarget.value = campaignId
                setWantedId(wanted)
              }}
            >
              {campaigns.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
          <nav aria-label="Pages">
            {named.map((name) => (
              <a key={name} href={hashOf(campaignId, name)} aria-current={page === name ? 'page' : undefined}>
                {pageNames[name]}
                {name === 'import' && isSending && ` ${share(doneOf(run.view), 1)}`}
              </a>
            ))}
          </nav>
          <Button class="subtle" onClick={() => (isAnyUnsaved() ? setIsSigningOut(true) : onSignOut())}>
            Sign out
          </Button>
        </div>
      </header>
      <Notices watch={watch} quota={quota} isReached={isReached} />
      <main class="page">
        {leaving !== null && (
          <Question
            text="You have unsaved changes."
            yes="Discard"
            isDangerous
            onYes={leaving.leave}
            cancel="Stay"
            onCancel={leaving.stay}
          />
        )}
        {wantedId !== null && isSending && (
          <Question
            text="Switching campaigns pauses the import. Choose the same file here to resume it."
            yes="Pause and switch"
            onYes={() => go(wantedId)}
            onCancel={() => setWantedId(null)}
          />
        )}
        {watched === null ? (
          <p class="card muted loading">{problem ?? 'Loading…'}</p>
        ) : page === 'overview' ? (
          <Overview watch={watch} watched={watched} span={span} onSpan={setSpan} />
        ) : page === 'leads' ? (
          rights.read ? (
            <LeadsPage campaign={watched.campaign} leadId={leadId} round={watched} />
          ) : (
            <div class="alone">
              <h1 class="unseen">Lead</h1>
              <LeadCard key={leadId} leadId={leadId ?? ''} campaign={watched.campaign} round={watched} />
            </div>
          )
        ) : page === 'import' ? (
          <ImportPage campaign={watched.campaign} run={run} />
        ) : (
          <SettingsPage
            campaign={watched.campaign}
            quota={quota}
            round={watched}
            onCampaign={watch.setCampaign}
          />
        )}
      </main>
    </>
  )
}

const doneOf = ({ tally, check }: ImportView) => (check === null ? 0 : tally.rows / Math.max(1, check.rows))
