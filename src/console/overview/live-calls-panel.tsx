// Live calls by agent, with the time until each one times out.

import type { Campaign, OpenCall } from '../../sdk/src/models.ts'
import { hashOf } from '../place.ts'
import { useNow } from '../service/clocks.ts'
import { Card } from '../ui/card.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { clock, countOf } from '../ui/words/number-words.ts'
import { needsAgent } from './campaign-state.ts'

type Props = { readonly calls: readonly OpenCall[]; readonly campaign: Campaign }

export function LiveCallsPanel({ calls, campaign }: Props) {
  const nowMs = useNow(1_000)
  const live = calls.filter(({ leaseExpiresAt }) => Date.parse(leaseExpiresAt) > nowMs)
  const agents = [...Map.groupBy(live, ({ agent }) => agent ?? 'unnamed')].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  const count = <span class="muted">{live.length > 0 && countOf(live.length, 'call')}</span>
  const cellsOf = ({ lead, attempt, isLastAttempt, leaseExpiresAt }: OpenCall) => [
    <a href={hashOf(campaign.id, 'leads', lead._id)}>{lead.phoneNumber}</a>,
    <>
      {attempt}
      {isLastAttempt && <span class="muted small"> last</span>}
    </>,
    clock(Date.parse(leaseExpiresAt) - nowMs),
  ]
  return (
    <Card title="Live calls" note={count}>
      {agents.length === 0 ? (
        <p class="muted">No live calls. {needsAgent(campaign) ? 'Leads are ready: start an agent.' : ''}</p>
      ) : (
        <DataTable
          name="Live calls by agent"
          isShort
          isNamed
          columns={[['Agent'], ['Number'], ['Attempt', 'number extra'], ['Times out in', 'number']]}
          rows={agents.flatMap(([agent, its]) =>
            its.map((call, index) => ({
              key: call.callId,
              cells: [index === 0 ? agent : <span class="unseen">{agent}</span>, ...cellsOf(call)],
            })),
          )}
        />
      )}
    </Card>
  )
}
