// Where the leads of the campaign are, as one bar, with a table behind it.

import type { LeadStatus, Stats } from '../service/wire.ts'
import { counted, countOf, share } from '../ui/number-words.ts'
import { type FunnelPart, funnelOf, type Span, spanWords, suppressedIn } from './funnel.ts'

const words: Readonly<Record<LeadStatus, { readonly name: string; readonly means: string }>> = {
  raw: { name: 'Raw', means: 'never called' },
  attempting: { name: 'Attempting', means: 'called, not done' },
  concluded: { name: 'Concluded', means: 'a call succeeded' },
  exhausted: { name: 'Exhausted', means: 'no attempt is left' },
}

type Props = { readonly stats: Stats | null; readonly span: Span }

export function FunnelPanel({ stats, span }: Props) {
  return (
    <section class="card funnel" aria-labelledby="funnel-title">
      <h2 id="funnel-title">Leads</h2>
      {stats === null ? <p class="muted">Counting…</p> : <Funnel stats={stats} span={span} />}
    </section>
  )
}

function Funnel({ stats, span }: { readonly stats: Stats; readonly span: Span }) {
  const parts = funnelOf(stats.status)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <svg
        class="funnel-bar"
        role="img"
        aria-labelledby="funnel-told"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
      >
        <title id="funnel-told">{tell(parts, total)}</title>
        <rect class="rest" width="100" height="10" />
        {parts.map(({ status, percent }, index) => (
          <rect key={status} class={status} x={before(parts, index)} width={percent} height="10" />
        ))}
      </svg>
      <table class="legend">
        <caption class="unseen">Leads by state</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">State</th>
            <th scope="col">Leads</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ status, count }) => (
            <tr key={status}>
              <th scope="row">
                <span class={`swatch ${status}`} aria-hidden="true" />
                {words[status].name} <span class="muted small">{words[status].means}</span>
              </th>
              <td class="number">{counted(count)}</td>
              <td class="number muted">{share(count, total)}</td>
            </tr>
          ))}
          <tr class="beside">
            <th scope="row">
              <span class="swatch suppressed" aria-hidden="true" />
              Suppressed <span class="muted small">on arrival, in {spanWords[span]}</span>
            </th>
            <td class="number">{counted(suppressedIn(stats))}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </>
  )
}

const before = (parts: readonly FunnelPart[], index: number) =>
  parts.slice(0, index).reduce((sum, { percent }) => sum + percent, 0)

function tell(parts: readonly FunnelPart[], total: number): string {
  if (total === 0) return 'No leads yet.'
  return `${countOf(total, 'lead')}: ${parts.map(({ status, count }) => `${counted(count)} ${status}`).join(', ')}.`
}
