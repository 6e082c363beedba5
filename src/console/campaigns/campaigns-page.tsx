// The campaigns of the company, page by page, refreshed by one request a round; archived ones behind a switch. A company
// without campaigns sees its first steps.
import { useRef, useState } from 'preact/hooks'
import type { CampaignList } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { usePolling } from '../service/clocks.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Card } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure, Result } from '../ui/feedback.tsx'
import { CampaignRow } from './campaign-row.tsx'
import { CreateCampaign } from './create-campaign.tsx'
import { FirstSteps } from './first-steps.tsx'

const [everyMs, retryMs] = [60_000, 5_000]
/** As many as the API gives with overviews. */
const perPage = 25

type Shown = { readonly about: string; readonly atMs: number } & Pick<
  CampaignList,
  'campaigns' | 'nextCursor'
>

export function CampaignsPage() {
  const { ask, rights } = useSession()
  const [isArchived, setIsArchived] = useState(false)
  /** Of the pages up to this one; the first has none. */
  const [cursors, setCursors] = useState<readonly string[]>([])
  const [shown, setShown] = useState<Shown | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const [isCreating, setIsCreating] = useState(false)
  const cursor = cursors.at(-1)
  const about = `${isArchived} ${cursor ?? ''}`
  const latest = useRef(about)
  latest.current = about

  const refresh = usePolling(async () => {
    const query = { include: 'overview', limit: perPage, archived: isArchived, cursor }
    const { data, error, retryAfterMs } = await ask<CampaignList>('GET', '/campaigns', { query })
    if (latest.current !== about) return null
    setFailure(error)
    if (data === null) return Math.max(retryMs, retryAfterMs ?? 0)
    setShown({ ...data, about, atMs: serviceNow() })
    // Its last campaign was archived, or restored.
    if (data.campaigns.length === 0 && cursor !== undefined) setCursors(cursors.slice(0, -1))
    return everyMs
  }, about)

  const turnTo = (archived: boolean, pages: readonly string[]) => {
    setIsArchived(archived)
    setCursors(pages)
    setDone(null)
  }
  const onArchived = (words: string) => {
    setDone(words)
    refresh()
  }
  const page = shown?.about === about ? shown : null
  const nextCursor = page?.nextCursor ?? null
  const isEmpty = page !== null && page.campaigns.length === 0 && cursor === undefined
  const isFirst = isEmpty && !isArchived
  const mayCreate = rights.manage && rights.company && !isArchived && !isFirst

  return (
    <div class="campaigns">
      <div class="campaigns-head">
        <h1>Campaigns</h1>
        <div class="line">
          {/* Elsewhere, the form would be lost. */}
          <div class="switch" hidden={isCreating}>
            {[false, true].map((archived) => (
              <button
                key={String(archived)}
                type="button"
                aria-pressed={isArchived === archived}
                onClick={() => turnTo(archived, [])}
              >
                {archived ? 'Archived' : 'Current'}
              </button>
            ))}
          </div>
          {page !== null && !isFirst && <Button onClick={refresh}>Refresh</Button>}
          {mayCreate && !isCreating && (
            <Button class="primary" onClick={() => setIsCreating(true)}>
              Create a campaign
            </Button>
          )}
        </div>
      </div>
      <Failure>{failure && `${failure} Trying again.`}</Failure>
      <Result>{done}</Result>
      {mayCreate && isCreating && (
        <Card title="Create a campaign">
          <CreateCampaign onCancel={() => setIsCreating(false)} />
        </Card>
      )}
      {page === null ? (
        failure === null && <p class="card muted loading">Loading…</p>
      ) : isFirst ? (
        <FirstSteps campaign={null} />
      ) : isEmpty ? (
        <p class="card empty muted">No campaign is archived.</p>
      ) : (
        <ul class="card campaign-list" aria-label={isArchived ? 'Archived campaigns' : 'Current campaigns'}>
          {page.campaigns.map((campaign) => (
            <CampaignRow key={campaign.id} campaign={campaign} atMs={page.atMs} onArchived={onArchived} />
          ))}
        </ul>
      )}
      {page !== null && (cursor !== undefined || nextCursor !== null) && (
        <div class="campaigns-head">
          <nav class="line" aria-label="Pages of campaigns">
            <Button isOff={cursor === undefined} onClick={() => turnTo(isArchived, cursors.slice(0, -1))}>
              Previous
            </Button>
            <span class="muted">Page {cursors.length + 1}</span>
            <Button
              isOff={nextCursor === null}
              onClick={() => nextCursor !== null && turnTo(isArchived, [...cursors, nextCursor])}
            >
              Next
            </Button>
          </nav>
          <OpenById />
        </div>
      )}
    </div>
  )
}

/** So that nobody turns a thousand pages. */
function OpenById() {
  const open = (event: SubmitEvent) => {
    event.preventDefault()
    const id = String(new FormData(event.currentTarget as HTMLFormElement).get('id')).trim()
    if (id !== '') location.hash = hashOf(id, 'overview')
  }
  return (
    <form class="line" aria-label="Open a campaign by its id" onSubmit={open}>
      <label class="line">
        Campaign id
        <input name="id" autocomplete="off" autocapitalize="none" spellcheck={false} />
      </label>
      <Button type="submit">Open</Button>
    </form>
  )
}
