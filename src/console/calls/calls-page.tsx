// The calls of a campaign as a table, newest first, with filters, a card for each, and an export.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign, CampaignCall, PastCall } from '../../sdk/src/models.ts'
import { describeOutcome } from '../leads/lead-words.ts'
import { readPastCalls } from '../leads/past-calls.ts'
import { hashOf } from '../place.ts'
import { type Feedback, settle } from '../service/answer.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Card, Facts } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { Pager } from '../ui/pager.tsx'
import { saveFile } from '../ui/save-file.ts'
import { DataTable } from '../ui/tables/data-table.tsx'
import { csvName } from '../ui/text-file.ts'
import { clock, counted, countOf } from '../ui/words/number-words.ts'
import { fullTime, shortTime, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { CallDetails, costText } from './call-details.tsx'
import { CallFilters } from './call-filters.tsx'
import { describeOrigin } from './origin-words.ts'
import { type CallFilter, type CallPage, noFilter, queryOf, readCalls, readCallsCsv } from './read-calls.ts'

export function CallsPage({ campaign }: { readonly campaign: Campaign }) {
  const { client, key } = useSession()
  const zone = zoneOf(campaign)
  const [filter, setFilter] = useState<CallFilter>(noFilter)
  /** How the pages up to this one begin. */
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null])
  const [page, setPage] = useState<CallPage | null>(null)
  const [opened, setOpened] = useState<CampaignCall | null>(null)
  const [saved, setSaved] = useState<number | null>(null)
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  /** The newest request: late answers to earlier ones are dropped. */
  const turn = useRef(0)
  const load = async (wanted: CallFilter, starts: readonly (string | null)[]) => {
    const own = ++turn.current
    setFilter(wanted)
    const query = queryOf(wanted, zone)
    const { data, error } = await settle(readCalls(client, campaign.id, query, starts.at(-1) ?? null))
    if (own !== turn.current) return
    setFeedback(error === null ? null : { text: error, isFailure: true })
    if (data === null) return
    setCursors(starts)
    setPage(data)
    setOpened(null)
  }
  useEffect(() => void load(filter, cursors), [])
  const change = (part: Partial<CallFilter>) => load({ ...filter, ...part }, [null])
  const save = async () => {
    setSaved(0)
    const csv = await readCallsCsv(key, campaign.id, queryOf(filter, zone), setSaved)
    setSaved(null)
    if (typeof csv === 'string') return setFeedback({ text: `${csv} No file was saved.`, isFailure: true })
    saveFile(csv.file, csvName('calls', campaign.id))
    setFeedback({ text: `${countOf(csv.lines, 'call')} saved.`, isFailure: false })
  }
  const calls = page?.calls ?? []
  const next = page?.nextCursor ?? null
  return (
    <Card
      isMain
      title="Calls"
      side={
        calls.length > 0 && (
          <Button isOff={saved !== null} onClick={save}>
            {saved === null ? 'Export CSV' : `Saving… ${counted(saved)} so far`}
          </Button>
        )
      }
    >
      <CallFilters
        campaign={campaign}
        filter={filter}
        agents={calls.map(({ agent }) => agent)}
        onFilter={change}
      />
      <FeedbackLine feedback={feedback} />
      {page === null ? (
        feedback === null && <p class="muted loading">Loading…</p>
      ) : calls.length === 0 ? (
        <p class="empty muted">
          {next === null ? 'No calls with this filter.' : 'None found yet: look at the next page.'}
        </p>
      ) : (
        <DataTable
          name="Calls of the campaign"
          class="calls"
          isNamed
          columns={[
            ['Time'],
            ['Number'],
            ['Outcome'],
            ['Length', 'number extra'],
            ['Agent', 'extra'],
            ['Cost', 'number extra'],
            ['Summary'],
          ]}
          rows={calls.map((call) => ({
            key: call.callId,
            cells: [
              <Button
                class="link"
                aria-expanded={opened?.callId === call.callId}
                onClick={() => setOpened(call)}
              >
                {shortTime(Date.parse(call.claimedAt), zone, serviceNow())}
              </Button>,
              <a href={hashOf(campaign.id, 'leads', call.leadId)}>{call.phoneNumber}</a>,
              describeOutcome(call.outcome),
              call.durationSeconds ? clock(call.durationSeconds * 1000) : '',
              call.agent ?? '',
              costText(call.costAmount, call.costCurrency),
              <span class="cut">{call.summary}</span>,
            ],
          }))}
        />
      )}
      {opened !== null && <CallCard key={opened.callId} call={opened} campaign={campaign} />}
      {(next !== null || cursors.length > 1) && (
        <Pager
          name="Pages of calls"
          onPrevious={cursors.length === 1 ? null : () => load(filter, cursors.slice(0, -1))}
          onNext={next === null ? null : () => load(filter, [...cursors, next])}
        >
          <span class="muted">Page {cursors.length}</span>
        </Pager>
      )}
      <p class="muted small">Times in {zoneName(zone)}.</p>
    </Card>
  )
}

/** One call, with what was said. */
function CallCard({ call, campaign }: { readonly call: CampaignCall; readonly campaign: Campaign }) {
  const { client } = useSession()
  const zone = zoneOf(campaign)
  /** With its details. Undefined: not read yet. */
  const [past, setPast] = useState<PastCall | null | undefined>(undefined)
  useEffect(() => {
    void settle(readPastCalls(client, call.leadId)).then(({ data }) =>
      setPast(data?.calls.find(({ callId }) => callId === call.callId) ?? null),
    )
  }, [])
  const origin = describeOrigin(call.origin)
  const [start, end] = [call.claimedAt, call.endedAt].map((time) => time && fullTime(Date.parse(time), zone))
  return (
    <section class="call-card group" aria-label={`Call of ${call.phoneNumber}`}>
      <h2>
        {call.phoneNumber} · {describeOutcome(call.outcome)}
      </h2>
      <Facts
        kind="fields"
        facts={[
          ['Called', end && end !== start ? `${start} to ${end}` : start],
          ['By', call.agent ?? 'An agent without a name'],
          call.direction === 'inbound' && ['Direction', 'Inbound: the person rang'],
          ['Attempt', counted(call.attempt)],
          origin !== null && ['The lead came from', origin],
          call.consentId !== null && ['Consent used', <code key="consent">{call.consentId}</code>],
          [
            'Lead',
            <a key="lead" href={hashOf(campaign.id, 'leads', call.leadId)}>
              Open the lead
            </a>,
          ],
        ]}
      />
      {past === undefined ? (
        <p class="muted loading">Loading…</p>
      ) : (
        <CallDetails details={past?.details ?? call} />
      )}
    </section>
  )
}
