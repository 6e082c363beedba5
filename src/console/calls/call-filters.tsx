// The filters of a campaign's calls: days, outcome, where the lead came from, and who called.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { OriginSelect, OutcomeSelect } from '../leads/list/filter-selects.tsx'
import { settle } from '../service/answer.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Select } from '../ui/fields/select.tsx'
import { isoDay, zoneOf } from '../ui/words/zone-time.ts'
import { type CallFilter, lastMonth, rangeOf } from './read-calls.ts'

type Props = {
  readonly campaign: Campaign
  readonly filter: CallFilter
  /** Of the calls that are shown. */
  readonly agents: readonly (string | null)[]
  readonly onFilter: (part: Partial<CallFilter>) => unknown
}

export function CallFilters({ campaign, filter, agents, onFilter }: Props) {
  const zone = zoneOf(campaign)
  const day = (label: string, name: 'fromDay' | 'untilDay') => (
    <TextField label={label} type="date" value={filter[name]} onText={(text) => onFilter({ [name]: text })} />
  )
  return (
    <div class="list-filters above small">
      {day('From', 'fromDay')}
      {day('Until', 'untilDay')}
      <Button onClick={() => onFilter(lastMonth(isoDay(serviceNow(), zone)))}>Last month</Button>
      <OutcomeSelect label="Outcome:" value={filter.outcome} onChoose={(outcome) => onFilter({ outcome })} />
      <OriginSelect
        campaignId={campaign.id}
        value={filter.origin}
        onChoose={(origin) => onFilter({ origin })}
      />
      <AgentSelect campaign={campaign} filter={filter} agents={agents} onFilter={onFilter} />
    </div>
  )
}

/** The agents of the time that is shown; where it has too many calls to count, those of the page. */
function AgentSelect({ campaign, filter, agents, onFilter }: Props) {
  const { client } = useSession()
  const [counted, setCounted] = useState<Props['agents']>([])
  const range = rangeOf(filter, zoneOf(campaign))
  useEffect(() => {
    void settle(client.campaigns.statsBy(campaign.id, { by: 'agent', ...range })).then(({ data }) =>
      setCounted(data?.rows.map(({ agent }) => agent ?? null) ?? []),
    )
  }, [range.from, range.to])
  const names = [...counted, ...agents, filter.agent].flatMap((agent) => agent || [])
  const others = new Set(names.filter((agent) => agent !== 'dialer'))
  return (
    <Select
      label="By:"
      value={filter.agent}
      options={[
        ['', 'All'],
        ['dialer', 'The dialer'],
        ...[...others].map((agent) => [agent, agent] as const),
      ]}
      onChoose={(agent) => onFilter({ agent })}
    />
  )
}
