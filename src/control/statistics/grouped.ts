// GET /campaigns/{campaignId}/stats?by=: leads, calls and costs by day, hour, outcome, agent or origin, as JSON or CSV,
// counted on request.
import { accessTo, granted, type KeyedExchange } from '../../base/access/granted.ts'
import { csvCell } from '../../base/csv-cell.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { invalidField } from '../../base/http/errors.ts'
import { limits } from '../../base/limits.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { amountOf } from '../../queue/calling/table/cost.ts'
import { originCells, originNames } from '../../queue/leads/csv.ts'
import { type Grouping, tooManyToCount } from './input.ts'
import { defaultBuckets, findQuestionProblem, hoursToRead, type Question, toSeries } from './series.ts'
import { type CallCounts, countGrouped } from './store/count-grouped.ts'

type Cost = { readonly currency: string; readonly amount: string; readonly perAnswered: string | null }
type Row = {
  readonly start?: string
  readonly outcome?: string | null
  readonly agent?: string | null
  readonly origin?: object | null
  readonly leads: number | null
  readonly called: number
  readonly answered: number
  readonly concluded: number
  readonly costs: readonly Cost[]
  readonly unknownCosts: number
}

const memberOf = {
  outcome: 'outcome',
  agent: 'agent',
  origin: 'origin',
  hour: 'start',
  day: 'start',
} as const

export async function getGrouped(
  x: KeyedExchange,
  by: Grouping,
  { from, to }: { readonly from: number | null; readonly to: number | null },
  isCsv: boolean,
): Promise<Answer> {
  const campaignId = x.c.req.param('campaignId') ?? ''
  const access = accessTo(x, campaignId)
  const { nowMs } = access
  const question: Question = { bucket: by === 'hour' ? 'hour' : 'day', fromMs: from, toMs: to }
  const problem = findQuestionProblem(question, nowMs)
  if (problem !== null) throw invalidField(problem)
  const isSeries = by === 'hour' || by === 'day'
  const range = isSeries ? rangeOfHours(question, nowMs) : rangeOf(question, nowMs)
  const counted = await granted(x, countGrouped(x.db, access, isSeries ? 'hour' : by, range))
  if (counted.kind === 'too_many') throw invalidField(tooManyToCount)
  x.record.campaignId = campaignId
  const rows = isSeries
    ? seriesOf(question, nowMs, counted.timeZone ?? 'UTC', counted)
    : groupsOf(by, counted)
  const vary = { Vary: 'Accept' }
  if (!isCsv) return success({ by, rows }, 200, vary)
  return { status: 200, headers: { ...vary, 'Content-Type': csvType }, body: csvOf(by, rows) }
}

const csvType = 'text/csv; charset=utf-8; header=present'

function rangeOf({ fromMs, toMs }: Question, nowMs: number) {
  const untilMs = toMs ?? nowMs + 1
  return { fromMs: fromMs ?? untilMs - defaultBuckets.day * limits.dayMs, untilMs }
}

function rangeOfHours(question: Question, nowMs: number) {
  const { fromHour, untilHour } = hoursToRead(question, nowMs)
  return { fromMs: fromHour * limits.hourMs, untilMs: untilHour * limits.hourMs }
}

type Counted = {
  readonly calls: readonly CallCounts[]
  readonly leads: readonly { readonly key: CallCounts['key']; readonly leads: number }[]
}

/** The counts of one row, in one order: four counts, calls with a cost of unknown currency, and each currency's sum. */
const countsOf = (currencies: readonly string[], { calls, leads }: Counted): number[] => {
  const sumOf = (
    of: readonly CallCounts[],
    name: 'called' | 'answered' | 'concluded' | 'costed' | 'micros',
  ) => of.reduce((sum, counts) => sum + counts[name], 0)
  const ofCurrency = (wanted: string) => calls.filter(({ currency }) => currency === wanted)
  return [
    leads.reduce((sum, counts) => sum + counts.leads, 0),
    ...(['called', 'answered', 'concluded'] as const).map((name) => sumOf(calls, name)),
    sumOf(ofCurrency(''), 'costed'),
    ...currencies.flatMap((currency) => {
      const own = ofCurrency(currency)
      return [sumOf(own, 'costed'), sumOf(own, 'micros')]
    }),
  ]
}

const currenciesOf = ({ calls }: Counted) =>
  [...new Set(calls.flatMap(({ currency }) => currency || []))].sort()

function rowOf(key: Partial<Row>, currencies: readonly string[], counts: readonly number[]): Row {
  const [leads = 0, called = 0, answered = 0, concluded = 0, unknownCosts = 0, ...sums] = counts
  const costs = currencies.flatMap((currency, index) => {
    const [costed = 0, micros = 0] = sums.slice(2 * index)
    if (costed === 0) return []
    const perAnswered = answered === 0 ? null : amountOf(micros / answered)
    return [{ currency, amount: amountOf(micros), perAnswered }]
  })
  return { ...key, leads, called, answered, concluded, costs, unknownCosts }
}

/** Without gaps, the oldest first. */
function seriesOf(question: Question, nowMs: number, timeZone: string, counted: Counted): Row[] {
  const currencies = currenciesOf(counted)
  const hours = byKey(counted).map(
    ([hour, own]) => [Number(hour), ...countsOf(currencies, own)] as [number, ...number[]],
  )
  const counts = countsOf(currencies, { calls: [], leads: [] }).length
  return toSeries(question, nowMs, timeZone, hours, counts).map(({ startMs, counts }) =>
    rowOf({ start: formatTimestamp(startMs) }, currencies, counts),
  )
}

/** Those with the most calls first. Outcomes and agents have no leads of their own. */
function groupsOf(by: 'outcome' | 'agent' | 'origin', counted: Counted): Row[] {
  const currencies = currenciesOf(counted)
  const rows = byKey(counted).map(([key, own]): Row => {
    const shown = by === 'origin' && key !== null ? JSON.parse(String(key)) : key
    const row = rowOf({ [memberOf[by]]: shown }, currencies, countsOf(currencies, own))
    return by === 'origin' ? row : { ...row, leads: null }
  })
  return rows.sort((a, b) => b.called - a.called || (b.leads ?? 0) - (a.leads ?? 0))
}

function byKey({ calls, leads }: Counted): [CallCounts['key'], Counted][] {
  const keys = new Set([...leads, ...calls].map(({ key }) => key))
  const ofKey = <Of extends { readonly key: CallCounts['key'] }>(all: readonly Of[]) =>
    Map.groupBy(all, ({ key }) => key)
  const [own, created] = [ofKey(calls), ofKey(leads)]
  return [...keys].map((key) => [key, { calls: own.get(key) ?? [], leads: created.get(key) ?? [] }])
}

/** The columns of costs come last, two for each currency that the range has. */
function csvOf(by: Grouping, rows: readonly Row[]): string {
  const member = memberOf[by]
  const currencies = [...new Set(rows.flatMap(({ costs }) => costs.map(({ currency }) => currency)))].sort()
  const names = [
    ...(by === 'origin' ? originNames : [member]),
    ...['leads', 'called', 'answered', 'concluded', 'unknownCosts'],
    ...currencies.flatMap((currency) => [`cost${currency}`, `costPerAnswered${currency}`]),
  ]
  const cellsOf = (row: Row) => [
    ...(by === 'origin'
      ? originCells(row.origin == null ? null : JSON.stringify(row.origin))
      : [csvCell(String(row[member] ?? ''))]),
    ...[row.leads ?? '', row.called, row.answered, row.concluded, row.unknownCosts],
    ...currencies.flatMap((currency) => {
      const cost = row.costs.find((one) => one.currency === currency)
      return [cost?.amount ?? '', cost?.perAnswered ?? '']
    }),
  ]
  return [names, ...rows.map(cellsOf)].map((cells) => `${cells.join()}\r\n`).join('')
}
