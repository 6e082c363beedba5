// Live calls by agent, with how long each one has lasted. The overview shows at most 50, those whose lease ends first.
import type { Campaign, LiveCall } from '../../sdk/src/models.ts'
import { describeLive } from '../calling/dialer-words.ts'
import { nameOf } from '../leads/lead-words.ts'
import { hashOf } from '../place.ts'
import { useNow } from '../service/clocks.ts'
import { Card } from '../ui/card.tsx'
import { DataTable } from '../ui/tables/data-table.tsx'
import { counted, countedUpTo, countOf } from '../ui/words/number-words.ts'

type Props = { readonly calls: readonly LiveCall[]; readonly campaign: Campaign }

export function LiveCallsPanel({ calls, campaign }: Props) {
  const nowMs = useNow(1_000)
  const agents = [...Map.groupBy(calls, ({ agent }) => agent ?? 'unnamed')].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  const { leased, isCapped } = campaign.queue
  const count =
    leased > calls.length
      ? `${counted(calls.length)} of ${countedUpTo(leased, isCapped)} calls`
      : countOf(calls.length, 'call')
  const cellsOf = ({ leadId, lead, ...call }: LiveCall) => [
    <a class="cut" href={hashOf(campaign.id, 'leads', leadId)} title={lead?.phoneNumber}>
      {nameOf(lead?.metadata) ?? lead?.phoneNumber ?? leadId}
    </a>,
    describeLive(call, nowMs),
  ]
  return (
    <Card
      title="Live calls"
      note={
        <span class="muted">
          {count}
          {campaign.maxLiveCalls !== null && ` of at most ${counted(campaign.maxLiveCalls)}`}
        </span>
      }
    >
      <DataTable
        name="Live calls by agent"
        isShort
        isNamed
        columns={[['Agent'], ['Lead'], ['Duration', 'number']]}
        rows={agents.flatMap(([agent, its]) =>
          its.map((call, index) => ({
            key: call.callId,
            cells: [index === 0 ? agent : <span class="unseen">{agent}</span>, ...cellsOf(call)],
          })),
        )}
      />
    </Card>
  )
}
