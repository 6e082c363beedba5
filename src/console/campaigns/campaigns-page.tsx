// The campaigns of the company, page by page, refreshed by one request a round; archived ones behind a switch. A company
// without campaigns sees its first steps.
import { useRef, useState } from 'preact/hooks'
import type { CampaignList } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { settle } from '../service/answer.ts'
import { retryWait, usePolling } from '../service/clocks.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Card } from '../ui/card.tsx'
import { Button, Switch } from '../ui/controls.tsx'
import { Failure, Result } from '../ui/feedback.tsx'
import { Pager } from '../ui/pager.tsx'
import { CampaignRow } from './campaign-row.tsx'
import { CreateCampaign } from './create-campaign.tsx'
import { FirstSteps } from './first-steps.tsx'

type Shown = { readonly about: string; readonly atMs: number } & Pick<
  CampaignList,
  'campaigns' | 'nextCursor'
>

export function CampaignsPage() {
  const { client, rights } = useSession()
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
    const query = { include: 'overview', archived: isArchived } as const
    const { data, error, retryAfterMs } = await settle(
      client.campaigns.pages({ ...query, ...(cursor && { cursor }) }).page(),
    )
    if (latest.current !== about) return null
    setFailure(error)
    if (data === null) return retryWait(retryAfterMs)
    setShown({ ...data, about, atMs: serviceNow() })
    // Its last campaign was archived, or restored.
    if (data.campaigns.length === 0 && cursor !== undefined) setCursors(cursors.slice(0, -1))
    return null
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
    <div class="stack">
      <div class="card-head">
        <h1>Campaigns</h1>
        <div class="line">
          {/* Elsewhere, the form would be lost. */}
          {!isCreating && (
            <Switch
              name="Campaigns shown"
              options={[
                ['current', 'Current'],
                ['archived', 'Archived'],
              ]}
              chosen={isArchived ? 'archived' : 'current'}
              onChoose={(name) => turnTo(name === 'archived', [])}
            />
          )}
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
        <div class="card-head">
          <Pager
            name="Pages of campaigns"
            onPrevious={cursor === undefined ? null : () => turnTo(isArchived, cursors.slice(0, -1))}
            onNext={nextCursor === null ? null : () => turnTo(isArchived, [...cursors, nextCursor])}
          >
            <span class="muted">Page {cursors.length + 1}</span>
          </Pager>
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
