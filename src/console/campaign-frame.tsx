// The frame around a campaign's pages: its name and links, the rounds in which it is read, and its import.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Frame, type FrameProps } from './frame.tsx'
import type { ImportView } from './import/import-messages.ts'
import { useImport } from './import/run-import.ts'
import { sentenceCase } from './leads/lead-words.ts'
import { Notices } from './notices.tsx'
import type { Span } from './overview/funnel.ts'
import { Overview } from './overview/overview.tsx'
import { type CampaignPage, campaignPages, companyHashOf, hashOf, readPlace } from './place.ts'
import type { Rights } from './service/rights.ts'
import { useSession } from './service/session.ts'
import { useCampaign } from './service/watch-campaign.ts'
import { Card } from './ui/card.tsx'
import { lazy } from './ui/lazy.tsx'
import { useGuard } from './ui/unsaved.ts'
import { share } from './ui/words/number-words.ts'

const CallingPage = lazy(async () => (await import('./settings/settings-pages.ts')).CallingPage)
const ConnectPage = lazy(async () => (await import('./settings/settings-pages.ts')).ConnectPage)
const CallsPage = lazy(async () => (await import('./leads/leads-pages.ts')).CallsPage)
const ImportPage = lazy(async () => (await import('./settings/settings-pages.ts')).ImportPage)
const LeadsPage = lazy(async () => (await import('./leads/leads-pages.ts')).LeadsPage)
const SourcesPage = lazy(async () => (await import('./settings/settings-pages.ts')).SourcesPage)
const SettingsPage = lazy(async () => (await import('./settings/settings-pages.ts')).SettingsPage)

type Props = FrameProps & {
  readonly campaignId: string
  readonly page: CampaignPage
  readonly part: string | null
}

/** What a key may not do is not shown; every key may open a lead by its address. */
function pagesOf({ read, write, manage }: Rights, part: string | null) {
  const isForKey: Readonly<Record<CampaignPage, boolean>> = {
    overview: true,
    leads: read,
    calls: read,
    import: write,
    sources: manage,
    connect: manage || write,
    calling: manage,
    settings: true,
  }
  const opens = (page: CampaignPage) => isForKey[page] || (page === 'leads' && part !== null)
  return { named: campaignPages.filter((page) => isForKey[page]), opens }
}

export function CampaignFrame(props: Props) {
  const { quota, isReached, campaignId, part } = props
  const { key, rights, company } = useSession()
  // Here, so that an import continues while another page of the campaign is open.
  const run = useImport({ companyId: company.id, campaignId, isOfCompany: rights.company }, key)
  const { isSending } = run.view
  const guard = useCallback(
    (hash: string) => {
      const next = readPlace(hash)
      return next.kind === 'campaign' && next.campaignId === campaignId ? null : 'import'
    },
    [campaignId],
  )
  useGuard(isSending ? guard : null)
  const [span, setSpan] = useState<Span>('24h')
  const watch = useCampaign(campaignId, span)
  const { watched, problem, isMissing } = watch
  const { named, opens } = pagesOf(rights, part)
  const page = opens(props.page) ? props.page : 'overview'
  const tabs = useRef<HTMLElement>(null)
  // A narrow window does not show all of them.
  useEffect(() => tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [page])
  const head = (
    <>
      <section class="campaign-bar" aria-label="Campaign">
        <nav aria-label="Pages" ref={tabs}>
          {named.map((name) => (
            <a key={name} href={hashOf(campaignId, name)} aria-current={page === name ? 'page' : undefined}>
              {sentenceCase(name)}
              {name === 'import' && isSending && ` ${share(doneOf(run.view), 1)}`}
            </a>
          ))}
        </nav>
        {/* The overview has it as its title. */}
        {page !== 'overview' && <p class="cut">{watched?.campaign.name ?? campaignId}</p>}
      </section>
      <Notices watch={watch} isOverview={page === 'overview'} quota={quota} isReached={isReached} />
    </>
  )
  if (watched === null && isMissing)
    return (
      <Frame {...props} page={null}>
        <NoCampaign campaignId={campaignId} />
      </Frame>
    )
  return (
    <Frame {...props} page={null} head={head}>
      {watched === null ? (
        <p class="card muted loading">{problem ?? 'Loading…'}</p>
      ) : page === 'overview' ? (
        <Overview watch={watch} watched={watched} span={span} onSpan={setSpan} />
      ) : page === 'leads' ? (
        <LeadsPage campaign={watched.campaign} leadId={part} round={watched} />
      ) : page === 'calls' ? (
        <CallsPage campaign={watched.campaign} />
      ) : page === 'import' ? (
        <ImportPage campaign={watched.campaign} run={run} />
      ) : page === 'sources' ? (
        <SourcesPage campaign={watched.campaign} round={watched} />
      ) : page === 'connect' ? (
        <ConnectPage campaign={watched.campaign} round={watched} />
      ) : page === 'calling' ? (
        <CallingPage campaign={watched.campaign} round={watched} />
      ) : (
        <SettingsPage
          campaign={watched.campaign}
          section={part}
          quota={quota}
          round={watched}
          onCampaign={watch.setCampaign}
        />
      )}
    </Frame>
  )
}

/** It does not exist, or who is signed in has no access to it. */
function NoCampaign({ campaignId }: { readonly campaignId: string }) {
  const { rights } = useSession()
  return (
    <Card isMain title="Campaign not found">
      <p role="status">
        <strong class="cut">{campaignId}</strong> does not exist, or you have no access to it.
      </p>
      <p>
        {rights.company ? (
          <a href={companyHashOf('campaigns')}>All campaigns</a>
        ) : (
          <a href="#/">Your campaign</a>
        )}
      </p>
    </Card>
  )
}

const doneOf = ({ tally, check }: ImportView) => (check === null ? 0 : tally.rows / Math.max(1, check.rows))
