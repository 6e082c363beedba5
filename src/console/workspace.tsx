// The frame around a campaign's pages: which campaign, which page, whether what is not saved may be left, whether the
// service is reached, and what is left of the key's hour.
import { useEffect, useState } from 'preact/hooks'
import { ImportPage } from './import/import-page.tsx'
import { type ImportView, useImport } from './import/run-import.ts'
import { LeadCard } from './leads/lead-card.tsx'
import { LeadsPage } from './leads/leads-page.tsx'
import { NoCampaign } from './no-campaign.tsx'
import type { Span } from './overview/funnel.ts'
import { Overview } from './overview/overview.tsx'
import { type Going, hashOf, type PageName, pages, usePlace } from './place.ts'
import type { KeyHour } from './service/api.ts'
import { describeOld } from './service/dated.ts'
import type { Rights } from './service/rights.ts'
import { useSession } from './service/session.ts'
import { useCampaign } from './service/watch-campaign.ts'
import type { Settings } from './service/wire.ts'
import { SettingsPage } from './settings/settings-page.tsx'
import { about, counted, share } from './ui/number-words.ts'
import { Question } from './ui/question.tsx'
import { isAnyUnsaved } from './ui/unsaved.ts'
import { clockTime, zoneName } from './ui/zone-time.ts'

type Props = {
  readonly campaigns: readonly Settings[]
  readonly hour: KeyHour | null
  readonly isReached: boolean
  readonly onLeave: () => void
}

const pageNames: Readonly<Record<PageName, string>> = {
  overview: 'Overview',
  leads: 'Leads',
  import: 'Import',
  settings: 'Settings',
}
/** Of the key's hour. */
const lowShare = 0.2

export function Workspace(props: Props) {
  const { campaigns, onLeave } = props
  const { place, leaving } = usePlace()
  const { campaignId, page, leadId } = place
  const chosen = campaignId === null ? campaigns[0] : campaigns.find(({ id }) => id === campaignId)
  if (chosen === undefined) {
    return <NoCampaign wantedId={campaignId} campaigns={campaigns} page={page} onLeave={onLeave} />
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
  readonly leaving: Going['leaving']
}

/** What a key may not do is not shown; a lead by its address is for every key. */
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
  const { campaigns, hour, isReached, onLeave, campaignId, leadId } = props
  const { key, rights, companyId } = useSession()
  // Here, so that it goes on while another page is looked at.
  const run = useImport({ companyId, campaignId }, key)
  /** Of another campaign, while it is asked whether the import may be left. */
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
  const { watched, problem, look } = watch
  const { named, opens } = pagesOf(rights, leadId)
  const page = opens(props.page) ? props.page : 'overview'
  const [isSigningOut, setIsSigningOut] = useState(false)
  const leaving =
    props.leaving ?? (isSigningOut ? { leave: onLeave, stay: () => setIsSigningOut(false) } : null)
  const zone = watched?.campaign.timeZone ?? 'UTC'
  const old = watched && describeOld(watched, zone)
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
            class="quiet"
            onClick={() => (isAnyUnsaved() ? setIsSigningOut(true) : onLeave())}
          >
            Sign out
          </button>
        </div>
      </header>
      <div role="status" class="notices">
        {!isReached && (
          <p class="notice warn">
            The service is not reached
            {watched === null
              ? '.'
              : `: numbers are of ${clockTime(watched.atMs, zone)} in ${zoneName(zone)}.`}{' '}
            It is tried again every half a minute.{' '}
            <button type="button" class="link" onClick={look}>
              Try now
            </button>
          </p>
        )}
        {isReached && problem !== null && (
          <p class="notice warn">
            {problem}
            {watched !== null && ` Numbers are of ${clockTime(watched.atMs, zone)} in ${zoneName(zone)}.`}
          </p>
        )}
        {isReached && problem === null && old !== null && <p class="notice warn">{old}</p>}
        {hour !== null && hour.remaining < hour.limit * lowShare && (
          <p class="notice">
            This key has {counted(hour.remaining)} of its {counted(hour.limit)} requests left; all of them
            come back in {about(hour.resetSeconds)}. Use a key of its own for the console.
          </p>
        )}
      </div>
      <main class="page">
        {leaving !== null && (
          <Question
            text="What you changed here is not saved, and is gone when you leave."
            cancel="Stay here"
            onCancel={leaving.stay}
          >
            <button type="button" class="danger" onClick={leaving.leave}>
              Leave without saving
            </button>
          </Question>
        )}
        {wantedId !== null && isSending && (
          <Question
            text="An import is being sent. It pauses when you leave this campaign, and goes on when the same file is chosen here again."
            onCancel={() => setWantedId(null)}
          >
            <button type="button" class="primary" onClick={() => go(wantedId)}>
              Pause it and change the campaign
            </button>
          </Question>
        )}
        {watched === null ? (
          <p class="card muted loading">{problem ?? 'Looking at the campaign…'}</p>
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
            hour={hour}
            round={watched}
            onCampaign={watch.setCampaign}
          />
        )}
      </main>
    </>
  )
}

const doneOf = ({ tally, check }: ImportView) => (check === null ? 0 : tally.rows / Math.max(1, check.rows))
