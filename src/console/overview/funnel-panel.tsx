// The campaign's leads by state, as one bar with a table.

import type { Campaign, CampaignOverview, LeadStatus } from '../../sdk/src/models.ts'
import { Card } from '../ui/card.tsx'
import { counted, countedUpTo, countOf, share } from '../ui/words/number-words.ts'
import { statusNames } from '../ui/words/status-names.ts'
import { type FunnelPart, funnelOf, type Span, spanWords, suppressedIn } from './funnel.ts'

const meanings: Readonly<Record<LeadStatus, string>> = {
  raw: 'not called yet',
  attempting: 'will be called again',
  concluded: 'a call succeeded',
  exhausted: 'no attempts left',
}

type Props = {
  readonly campaign: Pick<Campaign, 'requireConsent' | 'queue'>
  readonly stats: CampaignOverview['stats']
  readonly span: Span
}

export function FunnelPanel({ campaign: { requireConsent, queue }, stats, span }: Props) {
  const parts = funnelOf(stats.status)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card title="Leads">
      <svg
        class="funnel-bar"
        role="img"
        aria-labelledby="funnel-text"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
      >
        <title id="funnel-text">{describeFunnel(parts, total)}</title>
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
                <span title={status}>{statusNames[status]}</span>{' '}
                <span class="muted small">{meanings[status]}</span>
              </th>
              <td class="number">{counted(count)}</td>
              <td class="number muted">{share(count, total)}</td>
            </tr>
          ))}
          {(requireConsent !== null || queue.heldForConsent > 0) && (
            <tr class="beside">
              <th scope="row">
                <span class="swatch suppressed" aria-hidden="true" />
                Held: no consent <span class="muted small">until one is stored</span>
              </th>
              <td class="number">{countedUpTo(queue.heldForConsent, queue.isCapped)}</td>
              <td />
            </tr>
          )}
          <tr class="beside">
            <th scope="row">
              <span class="swatch suppressed" aria-hidden="true" />
              Blocked <span class="muted small">on arrival ({spanWords[span]})</span>
            </th>
            <td class="number">{counted(suppressedIn(stats))}</td>
            <td />
          </tr>
        </tbody>
      </table>
    </Card>
  )
}

const before = (parts: readonly FunnelPart[], index: number) =>
  parts.slice(0, index).reduce((sum, { percent }) => sum + percent, 0)

function describeFunnel(parts: readonly FunnelPart[], total: number): string {
  if (total === 0) return 'No leads yet.'
  const counts = parts.map(({ status, count }) => `${counted(count)} ${statusNames[status].toLowerCase()}`)
  return `${countOf(total, 'lead')}: ${counts.join(', ')}.`
}
