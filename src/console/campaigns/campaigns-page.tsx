// The campaigns of the company, page by page, refreshed by one request a round, and filtered by name and state. A
// company without campaigns sees its first steps.
import { useState } from 'preact/hooks'
import type { CampaignList, ListedCampaign } from '../../sdk/src/models.ts'
import { settle } from '../service/answer.ts'
import { retryWait, usePolling } from '../service/clocks.ts'
import { useCampaigns } from '../service/names.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Card } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure, Result } from '../ui/feedback.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Pager } from '../ui/pager.tsx'
import { countOf } from '../ui/words/number-words.ts'
import { ArchiveCampaign } from './archive-campaign.tsx'
import { CampaignTable, type Row, rowOf } from './campaign-table.tsx'
import { CompareCampaigns } from './compare-campaigns.tsx'
import { CreateCampaign } from './create-campaign.tsx'
import { FirstSteps } from './first-steps.tsx'

type Shown = { readonly about: string; readonly atMs: number } & Pick<
  CampaignList,
  'campaigns' | 'nextCursor'
>

/** By the tone of the state, in words. What needs somebody is amber or red. */
const states = [
  ['', 'All states'],
  ['good', 'Calling'],
  ['act', 'Needs attention'],
  ['calm', 'Closed or waiting'],
  ['archived', 'Archived'],
] as const

/** Found by name elsewhere than on this page. */
const mostFound = 25

/** One page, asked for again and again. `onGone`: its last campaign was archived, or restored. */
function useCampaignPage(isArchived: boolean, cursor: string | undefined, onGone: () => void) {
  const { client } = useSession()
  const [shown, setShown] = useState<Shown | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const about = `${isArchived} ${cursor ?? ''}`
  const refresh = usePolling(async (isCurrent) => {
    const query = { include: 'overview', archived: isArchived } as const
    const { data, error, retryAfterMs } = await settle(
      client.campaigns.pages({ ...query, ...(cursor && { cursor }) }).page(),
    )
    if (!isCurrent()) return null
    setFailure(error)
    if (data === null) return retryWait(retryAfterMs)
    setShown({ ...data, about, atMs: serviceNow() })
    if (data.campaigns.length === 0 && cursor !== undefined) onGone()
    return null
  }, about)
  return { page: shown?.about === about ? shown : null, failure, refresh }
}

const named =
  (text: string) =>
  ({ name, id }: ListedCampaign) =>
    `${name}\n${id}`.toLowerCase().includes(text.trim().toLowerCase())

type FilterProps = { readonly text: string; readonly onText: (text: string) => void }

const NameFilter = ({ text, onText }: FilterProps) => (
  <input
    type="search"
    aria-label="Filter by name or id"
    placeholder="Filter by name or id"
    autocomplete="off"
    spellcheck={false}
    value={text}
    onInput={({ currentTarget }) => onText(currentTarget.value)}
  />
)

export function CampaignsPage() {
  const { rights } = useSession()
  const [state, setState] = useState('')
  const [text, setText] = useState('')
  /** How the pages up to this one begin; the first has no cursor. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [done, setDone] = useState<string | null>(null)
  const [isCreating, setIsCreating] = useState(false)
  const [isCompared, setIsCompared] = useState(false)
  const [asked, setAsked] = useState<ListedCampaign | null>(null)
  const isArchived = state === 'archived'
  const cursor = cursors.at(-1)
  const { page, failure, refresh } = useCampaignPage(isArchived, cursor, () =>
    setCursors(cursors.slice(0, -1)),
  )

  const turnTo = (wanted: string, pages: readonly string[]) => {
    setState(wanted)
    setCursors(pages)
    setDone(null)
    setAsked(null)
  }
  const onChanged = (words: string) => {
    setDone(words)
    setAsked(null)
    refresh()
  }
  const nextCursor = page?.nextCursor ?? null
  const hasPages = cursor !== undefined || nextCursor !== null
  const isEmpty = page !== null && page.campaigns.length === 0 && cursor === undefined
  const isFirst = isEmpty && !isArchived
  const mayCreate = rights.manage && rights.company && !isArchived && !isFirst
  const isNamed = named(text)
  const isSearched = hasPages && text !== '' && state === ''
  const all = useCampaigns(isSearched)
  const rows = page?.campaigns
    .filter(isNamed)
    .map((campaign) => rowOf(campaign, page.atMs))
    .filter(
      ({ state: its }) => state === '' || isArchived || (its?.tone === 'wait' ? 'act' : its?.tone) === state,
    )
  const elsewhere = all
    .filter((one) => isSearched && isNamed(one) && !page?.campaigns.some(({ id }) => id === one.id))
    .slice(0, mostFound)
    .map((campaign): Row => ({ campaign, state: null }))

  return (
    <div class="stack">
      <div class="card-head">
        <h1>Campaigns</h1>
        <div class="line filters">
          {page !== null && !isFirst && (
            <>
              <span role="status" class="muted small">
                {rows && rows.length < page.campaigns.length && `${rows.length} of `}
                {countOf(page.campaigns.length, 'campaign')}
                {hasPages && ' on this page'}
              </span>
              <NameFilter text={text} onText={setText} />
            </>
          )}
          {/* Elsewhere, the form would be lost. */}
          {!isCreating && (
            <Select aria-label="State" value={state} options={states} onChoose={(name) => turnTo(name, [])} />
          )}
          {page !== null && !isFirst && (
            <>
              <Button onClick={refresh}>Refresh</Button>
              {rights.read && <Button onClick={() => setIsCompared(true)}>Compare</Button>}
            </>
          )}
          {mayCreate && !isCreating && (
            <Button class="primary" onClick={() => setIsCreating(true)}>
              Create a campaign
            </Button>
          )}
        </div>
      </div>
      <Failure>{failure && `${failure} Trying again.`}</Failure>
      <Result>{done}</Result>
      {asked !== null && (
        <ArchiveCampaign key={asked.id} campaign={asked} onDone={onChanged} onCancel={() => setAsked(null)} />
      )}
      {mayCreate && isCreating && (
        <Card title="Create a campaign">
          <CreateCampaign onCancel={() => setIsCreating(false)} />
        </Card>
      )}
      {rows === undefined ? (
        failure === null && <p class="card muted loading">Loading…</p>
      ) : isFirst ? (
        <FirstSteps campaign={null} dialer={null} />
      ) : rows.length + elsewhere.length === 0 ? (
        <p class="card empty muted">
          {isEmpty ? 'No campaign is archived.' : 'No campaign with this filter.'}
        </p>
      ) : (
        <>
          <CampaignTable
            name={isArchived ? 'Archived campaigns' : 'Current campaigns'}
            rows={[...rows, ...elsewhere]}
            onArchive={setAsked}
            onChanged={onChanged}
          />
          {isCompared && <CompareCampaigns rows={rows} onClose={() => setIsCompared(false)} />}
        </>
      )}
      {hasPages && (
        <Pager
          name="Pages of campaigns"
          onPrevious={cursor === undefined ? null : () => turnTo(state, cursors.slice(0, -1))}
          onNext={nextCursor === null ? null : () => turnTo(state, [...cursors, nextCursor])}
        >
          <span class="muted">Page {cursors.length + 1}</span>
        </Pager>
      )}
    </div>
  )
}
