// Leads, calls and costs of a campaign as a table: by day, hour, outcome, origin or agent. It is counted on request, so
// nothing is asked before somebody opens it.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign, GroupedStatistics } from '../../sdk/src/models.ts'
import { describeOrigin } from '../calls/origin-words.ts'
import { describeOutcome } from '../leads/lead-words.ts'
import { settle } from '../service/answer.ts'
import { campaignPath, fetchCsv } from '../service/client.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Button, Switch } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { saveFile } from '../ui/save-file.ts'
import { type Column, DataTable } from '../ui/tables/data-table.tsx'
import { csvFile, csvName } from '../ui/text-file.ts'
import { counted, share } from '../ui/words/number-words.ts'
import { bucketName, zoneName, zoneOf } from '../ui/words/zone-time.ts'
import { fromOf, type Span } from './funnel.ts'

type Row = GroupedStatistics['rows'][number]
type By = GroupedStatistics['by']

const groupings: readonly (readonly [By, string])[] = [
  ['day', 'Day'],
  ['outcome', 'Outcome'],
  ['origin', 'Came from'],
  ['agent', 'Called by'],
]

const nameOf = (row: Row, zone: string, by: By): string => {
  if (row.start !== undefined) return bucketName(Date.parse(row.start), zone, by === 'hour' ? 'hour' : 'day')
  if (row.outcome !== undefined) return describeOutcome(row.outcome)
  if (row.agent !== undefined) return row.agent ?? 'Without a name'
  return describeOrigin(row.origin) ?? 'Not known'
}

const costsOf = ({ costs, unknownCosts }: Pick<Row, 'costs' | 'unknownCosts'>): string =>
  [
    ...costs.map(({ currency, amount }) => `${amount} ${currency}`),
    unknownCosts > 0 && `${counted(unknownCosts)} in an unknown currency`,
  ]
    .filter(Boolean)
    .join(', ')

const costsPerAnswered = ({ costs }: Pick<Row, 'costs'>): string =>
  costs
    .flatMap(({ currency, perAnswered }) => (perAnswered === null ? [] : `${perAnswered} ${currency}`))
    .join(', ')

export const countColumns: readonly Column[] = [
  ['Leads', 'number'],
  ['Calls', 'number'],
  ['Answered', 'number'],
  ['Share', 'number extra'],
  ['Done', 'number extra'],
  ['Cost', 'number extra'],
  ['Per answered call', 'number extra'],
]

export const countCells = (row: Omit<Row, 'start' | 'outcome' | 'agent' | 'origin'>) => [
  row.leads === null ? '' : counted(row.leads),
  counted(row.called),
  counted(row.answered),
  share(row.answered, row.called),
  counted(row.concluded),
  costsOf(row),
  costsPerAnswered(row),
]

type Props = { readonly campaign: Campaign; readonly span: Span }

export function StatsTable(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>Figures by day, outcome, origin and agent</summary>
      {isOpen && <Table key={props.span} {...props} />}
    </details>
  )
}

function Table({ campaign, span }: Props) {
  const { client, key } = useSession()
  const zone = zoneOf(campaign)
  const [by, setBy] = useState<By>('day')
  const [found, setFound] = useState<GroupedStatistics | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [from] = useState(() => fromOf(span, zone, serviceNow()))
  useEffect(() => {
    let isOver = false
    setFound(null)
    setProblem(null)
    void settle(client.campaigns.statsBy(campaign.id, { by, from })).then(({ data, error }) => {
      if (isOver) return
      setFound(data)
      setProblem(error)
    })
    return () => {
      isOver = true
    }
  }, [by])
  const save = async () => {
    const answer = await fetchCsv(key, `${campaignPath(campaign.id)}/stats`, { by, from }).catch(() => null)
    if (!answer?.ok) return setProblem('The file could not be read. Try again.')
    saveFile(csvFile([await answer.text()]), csvName(`figures-by-${by}`, campaign.id))
  }
  return (
    <div class="group">
      <div class="line">
        <Switch name="By" options={groupings} chosen={by} onChoose={setBy} />
        <Button onClick={save}>Export CSV</Button>
      </div>
      <Failure>{problem}</Failure>
      {found === null ? (
        problem === null && <p class="muted loading">Loading…</p>
      ) : (
        <DataTable
          name="Figures"
          isNamed
          columns={[
            [by === 'day' ? `Day (${zoneName(zone)})` : (groupings.find(([one]) => one === by)?.[1] ?? '')],
            ...countColumns,
          ]}
          rows={found.rows.map((row, place) => ({
            key: place,
            cells: [nameOf(row, zone, by), ...countCells(row)],
          }))}
        />
      )}
    </div>
  )
}
