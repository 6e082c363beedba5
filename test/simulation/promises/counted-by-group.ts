// 4j. Calls that are counted on request, by outcome, agent, hour or day, are those that there were. Where anything
// moves meanwhile nobody knows.
import type { Known } from '../model/known.ts'
import type { Answer, Call, Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

type Entry = Readonly<Record<string, number | string | null>> & { readonly start?: string }
const [hourMs, weekMs] = [3_600_000, 7 * 24 * 3_600_000]

export const countedByGroup: Promised = {
  name: 'counted by group',

  onAnswer(exchange, known) {
    const { operation, answer, company, sentAt } = exchange
    if (operation !== 'getStatistics' || answer?.status !== 200 || company === null) return null
    const isMoving = known.jumpedMs > 0 || (known.movedAt[company] ?? 0) >= sentAt
    if (answer.body.data.by === undefined || isMoving || known.restored.has(company)) return null
    return judgeGroups(exchange, known)
  },
}

const campaignOf = ({ path }: Exchange) => /\/campaigns\/([^/]+)/.exec(path)?.[1] as string

/** Calls that people made are in no group, nor are those that nobody dialled. */
function judgeGroups(exchange: Exchange, known: Known): string | null {
  const { answer, company, answeredMs } = exchange
  const { by, rows } = (answer as Answer).body.data as {
    readonly by: string
    readonly rows: readonly Entry[]
  }
  const campaign = known.cast.companies[company as number]?.campaigns.findIndex(
    ({ id }) => id === campaignOf(exchange),
  )
  const calls = known.calls.filter((one) => one.company === company && one.campaign === campaign)
  const made = calls.filter(({ direction, outcome }) => direction === 'outbound' && outcome !== 'released')
  if (calls.some(({ claimedAtMs }) => claimedAtMs < (answeredMs as number) - weekMs + 24 * hourMs))
    return null
  if (by !== 'outcome' && by !== 'agent') {
    const inRange = made.filter(({ claimedAtMs }) => claimedAtMs >= Date.parse(rows[0]?.start ?? ''))
    return sumOf(rows) === inRange.length ? null : differs(by, sumOf(rows), inRange)
  }
  for (const row of rows) {
    const own = made.filter((call) => call[by] === row[by])
    const [answered, done] = [
      own.filter(({ outcome }) => outcome === 'answered'),
      own.filter(({ isDone }) => isDone),
    ]
    if (row.called !== own.length || row.answered !== answered.length || row.concluded !== done.length)
      return differs(`${by} ${row[by]}`, row.called as number, own)
  }
  return sumOf(rows) === made.length ? null : differs(by, sumOf(rows), made)
}

const sumOf = (rows: readonly Entry[]) => rows.reduce((sum, { called }) => sum + Number(called), 0)
const differs = (by: string, count: number, calls: readonly Call[]) =>
  `statistics by ${by} say ${count} calls, and there were ${calls.length}`
