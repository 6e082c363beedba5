// The campaigns of the page side by side: leads, calls and costs of the last days. Counted on request, a request each.
import { useEffect, useState } from 'preact/hooks'
import type { GroupedStatistics } from '../../sdk/src/models.ts'
import { countCells, countColumns } from '../overview/stats-table.tsx'
import { settle } from '../service/answer.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { Card } from '../ui/card.tsx'
import { Button, Switch } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { DataTable } from '../ui/tables/data-table.tsx'
import type { Row } from './campaign-table.tsx'

type Rows = GroupedStatistics['rows']
type Sum = Pick<Rows[number], 'leads' | 'called' | 'answered' | 'concluded' | 'costs' | 'unknownCosts'>

const spans = [
  ['7', '7 days'],
  ['30', '30 days'],
] as const

/** Of the rows of one campaign. Amounts are decimal text: added in millionths. */
function sumOf(rows: Rows): Sum {
  const total = (name: 'called' | 'answered' | 'concluded' | 'unknownCosts') =>
    rows.reduce((sum, row) => sum + row[name], 0)
  const amounts = new Map<string, number>()
  for (const { costs } of rows)
    for (const { currency, amount } of costs)
      amounts.set(currency, (amounts.get(currency) ?? 0) + Math.round(Number(amount) * 1e6))
  const answered = total('answered')
  const plain = (millionths: number) => String(Math.round(millionths) / 1e6)
  return {
    leads: rows.reduce((sum, { leads }) => sum + (leads ?? 0), 0),
    called: total('called'),
    answered,
    concluded: total('concluded'),
    costs: [...amounts].map(([currency, amount]) => ({
      currency,
      amount: plain(amount),
      perAnswered: answered === 0 ? null : plain(Math.round(amount / answered / 100) * 100),
    })),
    unknownCosts: total('unknownCosts'),
  }
}

type Props = { readonly rows: readonly Row[]; readonly onClose: () => void }

export function CompareCampaigns({ rows, onClose }: Props) {
  const { client } = useSession()
  const [days, setDays] = useState<(typeof spans)[number][0]>('7')
  const [sums, setSums] = useState<ReadonlyMap<string, Sum>>(new Map())
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isOver = false
    const from = new Date(serviceNow() - Number(days) * 86_400_000).toISOString()
    setSums(new Map())
    setProblem(null)
    const read = async () => {
      for (const { campaign } of rows) {
        const { id } = campaign
        const { data, error } = await settle(client.campaigns.statsBy(id, { by: 'day', from }))
        if (isOver) return
        if (data === null) setProblem(error)
        else setSums((before) => new Map([...before, [id, sumOf(data.rows)]]))
      }
    }
    void read()
    return () => {
      isOver = true
    }
  }, [days, rows.map(({ campaign }) => campaign.id).join()])
  return (
    <Card
      title="Side by side"
      side={
        <div class="line">
          <Switch name="Time shown" options={spans} chosen={days} onChoose={setDays} />
          <Button onClick={onClose}>Close</Button>
        </div>
      }
    >
      <Failure>{problem}</Failure>
      <DataTable
        name="Campaigns side by side"
        isNamed
        columns={[['Campaign'], ...countColumns]}
        rows={rows.map(({ campaign: { id, name } }) => {
          const sum = sums.get(id)
          return { key: id, cells: [name, ...(sum === undefined ? ['…'] : countCells(sum))] }
        })}
      />
    </Card>
  )
}
