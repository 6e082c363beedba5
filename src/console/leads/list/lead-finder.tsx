// Finds leads by any form of a number, an external id, or the start of a word in metadata, and lists them by pages: of
// one campaign, whose newest are listed without a search, or of all campaigns of the key.
import { useRef, useState } from 'preact/hooks'
import type { Campaign, Statistics } from '../../../sdk/src/models.ts'
import { hashOf } from '../../place.ts'
import type { Feedback } from '../../service/answer.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { type Round, useReading } from '../../service/use-reading.ts'
import { Card } from '../../ui/card.tsx'
import { Button } from '../../ui/controls.tsx'
import { Failure, Result } from '../../ui/feedback.tsx'
import { Pager } from '../../ui/pager.tsx'
import { clockTime, zoneName } from '../../ui/words/zone-time.ts'
import { ExportLeads } from './export-leads.tsx'
import { LeadFilters, SearchForm } from './lead-filters.tsx'
import { LeadTable } from './lead-table.tsx'
import { firstPage, type ListState, useList } from './list-memory.ts'
import { describePage, isExactly } from './page-words.ts'
import { type Filter, readPage } from './read-leads.ts'
import { SelectionActions } from './selection-actions.tsx'

type Props = {
  /** Null: all campaigns of the key. */
  readonly campaign: Campaign | null
  readonly round: Round
  readonly zone: string
  /** Leads of the campaign by state. */
  readonly counts?: Statistics['status']
}

type Wanted = Pick<ListState, 'filter' | 'starts'>

const none: ReadonlySet<string> = new Set()

export function LeadFinder({ campaign, round, zone, counts }: Props) {
  const { client, rights } = useSession()
  const campaignId = campaign?.id ?? null
  const { state, change } = useList(campaignId)
  const { typed, filter, starts, page } = state
  const [selected, setSelected] = useState(none)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [feedback, setFeedback] = useState<Feedback | null>(null)

  /** The newest request: late answers to earlier ones are dropped. */
  const turn = useRef(0)
  /** What it wanted: the filters show that at once, and where it fails, that is tried again. */
  const latest = useRef<Wanted>({ filter, starts })
  const load = async (wanted: Wanted) => {
    const own = ++turn.current
    latest.current = wanted
    const atMs = serviceNow()
    setIsBusy(true)
    const cursor = wanted.starts.at(-1)?.cursor ?? null
    const { data, error } = await readPage(client, campaignId, wanted.filter, cursor)
    if (own !== turn.current) return null
    setIsBusy(false)
    setFailure(error)
    if (data === null) return null
    setSelected(none)
    change({ ...wanted, page: { ...data, atMs } })
    return data
  }
  useReading(async () => {
    const isNothing = campaignId === null && latest.current.filter.q === ''
    return isNothing || (await load(latest.current)) !== null
  }, round)

  const find = async (part: Partial<Filter>, mayOpen = false) => {
    const wanted = { ...latest.current.filter, q: typed.trim(), ...part }
    setFeedback(null)
    if (campaignId === null && wanted.q === '') {
      turn.current++
      latest.current = { filter: wanted, starts: firstPage }
      setIsBusy(false)
      return change({ filter: wanted, starts: firstPage, page: null })
    }
    const found = await load({ filter: wanted, starts: firstPage })
    const [only, another] = found?.leads ?? []
    // A whole number or external id names one lead.
    if (!mayOpen || only === undefined || another !== undefined || !isExactly(wanted.q, only)) return
    change({ openedId: only._id })
    location.hash = hashOf(only.campaignId, 'leads', only._id)
  }

  const after = starts.at(-1)?.after ?? 0
  const leads = page?.leads ?? []
  const next = page?.nextCursor ?? null
  const turnTo = (pages: ListState['starts']) => {
    setFeedback(null)
    void load({ filter, starts: pages })
  }
  const title = campaign === null ? 'Find leads' : 'Leads'
  return (
    <Card
      isMain
      title={title}
      side={leads.length > 0 && <ExportLeads campaignId={campaignId} filter={filter} />}
    >
      <SearchForm typed={typed} onType={(typed) => change({ typed })} onFind={() => find({}, true)} />
      <LeadFilters campaignId={campaignId} filter={latest.current.filter} onFilter={find} />
      <div class="selection group">
        {selected.size === 0 ? (
          <Result>
            {isBusy && page === null ? 'Loading…' : describePage(campaignId, filter, after, page, counts)}
          </Result>
        ) : (
          <SelectionActions
            leads={leads.filter(({ _id }) => selected.has(_id))}
            campaign={campaign}
            onClear={() => setSelected(none)}
            onDone={async (done) => {
              await load({ filter, starts })
              setFeedback(done)
            }}
          />
        )}
      </div>
      <Result isFailure={feedback?.isFailure}>{feedback?.text}</Result>
      {failure !== null && (
        <div class="line">
          <Failure>{failure}</Failure>
          <Button onClick={() => load(latest.current)}>Try again</Button>
        </div>
      )}
      {page !== null && leads.length > 0 && (
        <LeadTable
          name={title}
          leads={leads}
          zone={zone}
          atMs={page.atMs}
          campaign={campaign}
          selected={selected}
          onSelect={rights.write ? setSelected : null}
          onOpen={(openedId) => change({ openedId })}
          openedId={state.openedId}
        />
      )}
      {(next !== null || starts.length > 1) && (
        <Pager
          name="Pages of leads"
          onPrevious={starts.length === 1 ? null : () => turnTo(starts.slice(0, -1))}
          onNext={
            next === null ? null : () => turnTo([...starts, { after: after + leads.length, cursor: next }])
          }
        />
      )}
      {page !== null && leads.length > 0 && <AsOf atMs={page.atMs} zone={zone} />}
    </Card>
  )
}

const AsOf = ({ atMs, zone }: { readonly atMs: number; readonly zone: string }) => (
  <p class="muted small">
    As of {clockTime(atMs, zone)}, times in {zoneName(zone)}. Limits may put the next call off.
  </p>
)
