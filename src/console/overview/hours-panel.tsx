// Leads created, calls and calls answered by hour or by day, as bars with a table.

import type { Campaign, CampaignOverview } from '../../sdk/src/models.ts'
import { useSession } from '../service/session.ts'
import { Card, Facts } from '../ui/card.tsx'
import { Switch } from '../ui/controls.tsx'
import { DataTable } from '../ui/tables/data-table.tsx'
import { counted, share } from '../ui/words/number-words.ts'
import { bucketName, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { BarChart, describeCounts } from './bar-chart.tsx'
import { type Bucket, bucketOf, describePickUp, type Span, spanWords, totalOf } from './funnel.ts'
import { StatsTable } from './stats-table.tsx'

type Props = {
  /** Null: not read yet for this span. */
  readonly stats: CampaignOverview['stats'] | null
  readonly campaign: Campaign
  readonly span: Span
  readonly onSpan: (span: Span) => void
}

const spans = Object.entries(spanWords) as (readonly [Span, string])[]

export function HoursPanel({ stats, campaign, span, onSpan }: Props) {
  const { rights } = useSession()
  const choice = <Switch name="Time shown" options={spans} chosen={span} onChoose={onSpan} />
  return (
    <Card title="Activity" side={choice}>
      {stats !== null ? (
        <Bars bars={stats.series} pickUp={describePickUp(stats.pickUp)} span={span} zone={zoneOf(campaign)} />
      ) : (
        <p class="muted chart-room">Loading…</p>
      )}
      {rights.read && <StatsTable campaign={campaign} span={span} />}
    </Card>
  )
}

const marked = (kind: string, words: string) => (
  <>
    <span class={`swatch ${kind}`} aria-hidden="true" />
    {words}
  </>
)

type BarsProps = {
  readonly bars: readonly Bucket[]
  readonly pickUp: string | null
  readonly span: Span
  readonly zone: string
}

function Bars({ bars, pickUp, span, zone }: BarsProps) {
  const total = {
    created: totalOf(bars, 'created'),
    called: totalOf(bars, 'called'),
    answered: totalOf(bars, 'answered'),
  }
  if (total.created + total.called + total.answered === 0)
    return <p class="muted chart-room">No leads and no calls in {spanWords[span]}.</p>
  const size = bucketOf[span]
  const name = (bar: Bucket) => bucketName(Date.parse(bar.start), zone, size)
  const answered = (
    <>
      {counted(total.answered)} <span class="muted small">{share(total.answered, total.called)}</span>
    </>
  )
  return (
    <>
      <Facts kind="totals" facts={[[marked('created', 'Created'), counted(total.created)]]} />
      <BarChart
        shown={['created']}
        bars={bars}
        nameOf={name}
        title={`By ${size} in ${zoneName(zone)}: ${counted(total.created)} created.`}
      />
      <Facts
        kind="totals"
        facts={[
          [marked('called', 'Called'), counted(total.called)],
          [marked('answered', 'Answered'), answered],
          pickUp !== null && ['Pick-up', <span class="small muted">{pickUp}</span>],
        ]}
      />
      <BarChart
        shown={['called', 'answered']}
        bars={bars}
        nameOf={name}
        title={`By ${size} in ${zoneName(zone)}: ${describeCounts(total)}.`}
      />
      <details>
        <summary>As a table</summary>
        <DataTable
          name={`Activity by ${size}`}
          isNamed
          columns={[
            [`${size === 'hour' ? 'Hour' : 'Day'} (${zoneName(zone)})`],
            ['Created', 'number'],
            ['Called', 'number'],
            ['Answered', 'number'],
            ['Share', 'number extra'],
          ]}
          rows={bars.toReversed().map((bar) => ({
            key: bar.start,
            cells: [
              name(bar),
              ...[bar.created, bar.called, bar.answered].map(counted),
              share(bar.answered, bar.called),
            ],
          }))}
        />
      </details>
    </>
  )
}
