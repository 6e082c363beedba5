// Leads created, calls and calls answered by hour or by day, as bars with a table.

import type { Statistics } from '../../sdk/src/models.ts'
import { counted, share } from '../ui/number-words.ts'
import { ScrollBox } from '../ui/scroll-box.tsx'
import { bucketName, zoneName } from '../ui/zone-time.ts'
import { BarChart } from './bar-chart.tsx'
import { type Bar, barsOf, bucketOf, describePickUp, type Span, spanWords, totalOf } from './funnel.ts'

type Props = {
  readonly stats: Statistics | null
  readonly zone: string
  readonly span: Span
  readonly onSpan: (span: Span) => void
}

const spans = Object.entries(spanWords) as (readonly [Span, string])[]

export function HoursPanel({ stats, zone, span, onSpan }: Props) {
  return (
    <section class="card hours" aria-labelledby="hours-title">
      <div class="card-head">
        <h2 id="hours-title">Activity</h2>
        <fieldset class="switch">
          <legend class="unseen">Time shown</legend>
          {spans.map(([name, words]) => (
            <button key={name} type="button" aria-pressed={span === name} onClick={() => onSpan(name)}>
              {words}
            </button>
          ))}
        </fieldset>
      </div>
      {stats !== null ? (
        <Bars bars={barsOf(stats.series)} pickUp={describePickUp(stats.pickUp)} span={span} zone={zone} />
      ) : (
        <p class="muted chart-room">Loading…</p>
      )}
    </section>
  )
}

function Bars({
  bars,
  pickUp,
  span,
  zone,
}: {
  readonly bars: readonly Bar[]
  readonly pickUp: string | null
  readonly span: Span
  readonly zone: string
}) {
  const total = totalOf(bars)
  const size = bucketOf[span]
  const name = (bar: Bar) => bucketName(bar.startMs, zone, size)
  return (
    <>
      <dl class="totals">
        <div>
          <dt>
            <span class="swatch created" aria-hidden="true" />
            Created
          </dt>
          <dd>{counted(total.created)}</dd>
        </div>
        <div>
          <dt>
            <span class="swatch called" aria-hidden="true" />
            Called
          </dt>
          <dd>{counted(total.called)}</dd>
        </div>
        <div>
          <dt>
            <span class="swatch answered" aria-hidden="true" />
            Answered
          </dt>
          <dd>
            {counted(total.answered)} <span class="muted small">{share(total.answered, total.called)}</span>
          </dd>
        </div>
      </dl>
      {pickUp && <p class="muted">{pickUp}</p>}
      <BarChart
        bars={bars}
        nameOf={name}
        title={`By ${size} in ${zoneName(zone)}: ${counted(total.created)} created, ${counted(total.called)} called, ${counted(total.answered)} answered.`}
      />
      <details>
        <summary>As a table</summary>
        <ScrollBox name={`Activity by ${size}`}>
          <table class="data">
            <thead>
              <tr>
                <th scope="col">
                  {size === 'hour' ? 'Hour' : 'Day'} ({zoneName(zone)})
                </th>
                <th scope="col" class="number">
                  Created
                </th>
                <th scope="col" class="number">
                  Called
                </th>
                <th scope="col" class="number">
                  Answered
                </th>
                <th scope="col" class="number extra">
                  Share
                </th>
              </tr>
            </thead>
            <tbody>
              {bars.toReversed().map((bar) => (
                <tr key={bar.startMs}>
                  <th scope="row">{name(bar)}</th>
                  <td class="number">{counted(bar.created)}</td>
                  <td class="number">{counted(bar.called)}</td>
                  <td class="number">{counted(bar.answered)}</td>
                  <td class="number extra">{share(bar.answered, bar.called)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      </details>
    </>
  )
}
