// The campaign's leads by state, as one bar with a table, what its queue has, and on request some leads that are
// blocked.

import type { LeadStatus } from '../../sdk/src/models.ts'
import { useSession } from '../service/session.ts'
import type { Watched } from '../service/watch-campaign.ts'
import { Card } from '../ui/card.tsx'
import { counted, countedUpTo, countOf, gateWords, share } from '../ui/words/number-words.ts'
import { statusNames } from '../ui/words/status-names.ts'
import { BlockedLeads } from './blocked-leads.tsx'
import { type FunnelPart, funnelOf, spanWords, totalOf } from './funnel.ts'

const meanings: Readonly<Record<LeadStatus, string>> = {
  raw: 'not called yet',
  attempting: 'will be called again',
  concluded: 'a call succeeded',
  exhausted: 'no attempts left',
}

type Props = { readonly watched: Watched }

export function FunnelPanel({ watched: { campaign, stats, statsSpan: span, liveCalls, dialer } }: Props) {
  const { rights } = useSession()
  const { requireConsent, queue, maxLiveCalls } = campaign
  const ofCap = maxLiveCalls === null ? '' : ` of ${counted(maxLiveCalls)}`
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
          <Beside name="In the queue" about="waits for its call">
            {countedUpTo(queue.queued, queue.isCapped)}
          </Beside>
          {/* Otherwise their own card counts them. */}
          {liveCalls === null && (
            <Beside name="Being called" about="now">
              {countedUpTo(queue.leased, queue.isCapped) + ofCap}
            </Beside>
          )}
          {dialer === null && queue.agentsWaiting !== null && (
            <Beside name="Agents waiting" about="for a lead">
              {counted(queue.agentsWaiting)}
            </Beside>
          )}
          {(requireConsent !== null || queue.heldForConsent > 0) && (
            <Beside name="Held: no consent" about="until one is stored">
              {countedUpTo(queue.heldForConsent, queue.isCapped)}
            </Beside>
          )}
          {queue.gate && (
            <Beside name="Gate" about="asked before a call">
              {gateWords(queue.gate)}
            </Beside>
          )}
          <Beside name="Blocked" about={`on arrival (${spanWords[span]})`}>
            {counted(totalOf(stats.series, 'suppressed'))}
          </Beside>
        </tbody>
      </table>
      {rights.read && <BlockedLeads campaign={campaign} />}
    </Card>
  )
}

type BesideProps = {
  readonly name: string
  readonly about: string
  readonly children: string
}

const Beside = ({ name, about, children }: BesideProps) => (
  <tr class="aside">
    <th scope="row">
      {name} <span class="muted small">{about}</span>
    </th>
    <td class="number">{children}</td>
    <td />
  </tr>
)

const before = (parts: readonly FunnelPart[], index: number) =>
  parts.slice(0, index).reduce((sum, { percent }) => sum + percent, 0)

function describeFunnel(parts: readonly FunnelPart[], total: number): string {
  if (total === 0) return 'No leads yet.'
  const counts = parts.map(({ status, count }) => `${counted(count)} ${statusNames[status].toLowerCase()}`)
  return `${countOf(total, 'lead')}: ${counts.join(', ')}.`
}
