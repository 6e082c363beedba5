// Reads pages of a campaign's calls until there are some to show, and all of them as CSV.
import { limits } from '../../base/limits.ts'
import type { CampaignCall, CampaignCallQuery } from '../../sdk/src/models.ts'
import { type Client, campaignPath, fetchCsv } from '../service/client.ts'
import { csvFile } from '../ui/text-file.ts'
import { endOfDayMs, momentOf } from '../ui/words/zone-time.ts'

/** Days are those of the campaign's time zone. Empty: no such condition. */
export type CallFilter = {
  readonly fromDay: string
  readonly untilDay: string
  readonly outcome: string
  readonly agent: string
  readonly origin: string
}

export const noFilter: CallFilter = { fromDay: '', untilDay: '', outcome: '', agent: '', origin: '' }

type Days = Pick<CallFilter, 'fromDay' | 'untilDay'>

export function rangeOf({ fromDay, untilDay }: Days, zone: string): Pick<CampaignCallQuery, 'from' | 'to'> {
  const fromMs = fromDay === '' ? null : momentOf(`${fromDay}T00:00`, zone)
  const toMs = untilDay === '' ? null : endOfDayMs(untilDay, zone)
  return {
    ...(fromMs !== null && { from: new Date(fromMs).toISOString() }),
    ...(toMs !== null && { to: new Date(toMs).toISOString() }),
  }
}

export function queryOf({ fromDay, untilDay, ...others }: CallFilter, zone: string): CampaignCallQuery {
  const its = Object.entries(others).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(its), ...rangeOf({ fromDay, untilDay }, zone) } as CampaignCallQuery
}

/** The first and last day of the month before: `2026-10-01`, `2026-10-31`. `today`: `2026-11-20`. */
export function lastMonth(today: string): Days {
  const first = new Date(`${today.slice(0, 7)}-01T00:00Z`)
  const last = new Date(first.getTime() - 86_400_000).toISOString().slice(0, 10)
  return { fromDay: `${last.slice(0, 7)}-01`, untilDay: last }
}

export type CallPage = { readonly calls: readonly CampaignCall[]; readonly nextCursor: string | null }

const pageSize = 50
/** With a filter, a page may be empty though others follow. */
const mostRequests = 10

export async function readCalls(
  { campaigns }: Client,
  campaignId: string,
  query: CampaignCallQuery,
  cursor: string | null,
): Promise<CallPage> {
  const calls: CampaignCall[] = []
  let next = cursor
  for (let requests = 0; requests < mostRequests; requests++) {
    const range = { ...query, limit: pageSize - calls.length, ...(next !== null && { cursor: next }) }
    const page = await campaigns.calls(campaignId, range).page()
    calls.push(...page.calls)
    next = page.nextCursor
    if (next === null || calls.length >= pageSize) break
  }
  return { calls, nextCursor: next }
}

/** The CSV of all pages, of which the first has the header; a text is the error: a part would pass for the whole. */
export async function readCallsCsv(
  key: string,
  campaignId: string,
  query: object,
  onProgress: (lines: number) => void,
): Promise<{ readonly file: Blob; readonly lines: number } | string> {
  const parts: string[] = []
  let [lines, cursor]: [number, string | null] = [0, null]
  try {
    do {
      const range = { ...query, limit: limits.callsPerPage, ...(cursor !== null && { cursor }) }
      const page: Response = await fetchCsv(key, `${campaignPath(campaignId)}/calls`, range)
      if (!page.ok) return `The service answered ${page.status}.`
      const text = await page.text()
      parts.push(text)
      lines += rowsIn(text) - (parts.length === 1 ? 1 : 0)
      onProgress(lines)
      cursor = page.headers.get('next-cursor')
    } while (cursor !== null)
  } catch {
    return 'Cannot reach the service.'
  }
  return { file: csvFile(parts), lines }
}

/** A quoted cell may have line ends of its own. */
const rowsIn = (csv: string) => csv.replace(/"[^"]*"/g, '').split('\n').length - 1
