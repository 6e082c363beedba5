// The frame around a campaign's pages: campaign, page, the question about unsaved changes, and notices about the service
// and the key's quota.
import { useEffect, useState } from 'preact/hooks'
import type { CampaignSettings } from '../sdk/src/models.ts'
import { ImportPage } from './import/import-page.tsx'
import { type ImportView, useImport } from './import/run-import.ts'
import { LeadCard } from './leads/lead-card.tsx'
import { LeadsPage } from './leads/leads-page.tsx'
import { NoCampaign } from './no-campaign.tsx'
import type { Span } from './overview/funnel.ts'
import { Overview } from './overview/overview.tsx'
import { hashOf, type Navigation, type PageName, pages, usePlace } from './place.ts'
import type { Quota } from './service/api.ts'
import { describeOld } from './service/dated.ts'
import type { Rights } from './service/rights.ts'
import { useSession } from './service/session.ts'
import { useCampaign } from './service/watch-campaign.ts'
import { SettingsPage } from './settings/settings-page.tsx'
import { about, counted, share } from './ui/number-words.ts'
import { Question } from './ui/question.tsx'
import { isAnyUnsaved } from './ui/unsaved.ts'
import { clockTime, zoneName } from './ui/zone-time.ts'

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
/** The share of the quota below which a notice is shown. */
const lowShare = 0.2

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
  const { watched, problem, refresh } = watch
  const { named, opens } = pagesOf(rights, leadId)
  const page = opens(props.page) ? props.page : 'overview'
  const [isSigningOut, setIsSigningOut] = useState(false)
  const leaving =
    props.leaving ?? (isSigningOut ? { leave: onSignOut, stay: () => setIsSigningOut(false) } : null)
  const zone = watched?.campaign.timeZone ?? 'UTC'
  const old = watched && describeOld(watched, zone)
  const lastUpdate = watched && ` Last update at ${clockTime(watched.atMs, zone)} in ${zoneName(zone)}.`
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
          <button
            type="button"
            class="subtle"
            onClick={() => (isAnyUnsaved() ? setIsSigningOut(true) : onSignOut())}
          >
            Sign out
          </button>
        </div>
      </header>
      <div role="status" class="notices">
        {!isReached && (
          <p class="notice warn">
            Cannot reach the service.{lastUpdate} Retrying every 30 seconds.{' '}
            <button type="button" class="link" onClick={refresh}>
              Try now
            </button>
          </p>
        )}
        {isReached && problem !== null && (
          <p class="notice warn">
            {problem}
            {lastUpdate}
          </p>
        )}
        {isReached && problem === null && old !== null && <p class="notice warn">{old}</p>}
        {quota !== null && quota.remaining < quota.limit * lowShare && (
          <p class="notice">
            {counted(quota.remaining)} of {counted(quota.limit)} requests left, resets in{' '}
            {about(quota.resetSeconds)}. Use a separate key for the console.
          </p>
        )}
      </div>
      <main class="page">
        {leaving !== null && (
          <Question text="You have unsaved changes." cancel="Stay" onCancel={leaving.stay}>
            <button type="button" class="danger" onClick={leaving.leave}>
              Discard
            </button>
          </Question>
        )}
        {wantedId !== null && isSending && (
          <Question
            text="Switching campaigns pauses the import. Choose the same file here to resume it."
            onCancel={() => setWantedId(null)}
          >
            <button type="button" class="primary" onClick={() => go(wantedId)}>
              Pause and switch
            </button>
          </Question>
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
