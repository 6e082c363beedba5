// GET /campaigns: the campaigns that a key may see; with `include=overview` pages with queue and today's activity of
// each.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { invalidField } from '../../base/http/errors.ts'
import { readQueryOf } from '../../base/http/validate.ts'
import { hourCounts } from '../../base/ledger/hours/counts.ts'
import { limits } from '../../base/limits.ts'
import { queueAndDialer } from '../../channels/dialers/dialer-answer.ts'
import { type ListedCampaign, listOverviews, listSettings } from '../../queue/calling/store/campaign-pages.ts'
import { campaignsQuery, tooManyOverviews } from '../../queue/campaigns/settings-input.ts'
import { callsOf, hoursToRead, type Question, toSeries } from './series.ts'

const readCampaignsQuery = readQueryOf(campaignsQuery)

/** A page. A cursor is the number of the last campaign before it. */
export async function getCampaigns(x: KeyedExchange): Promise<Answer> {
  const { archived, include, limit, cursor } = await readCampaignsQuery(x)
  const page = { isArchived: archived, afterNumber: Number.parseInt(cursor ?? '0', 16) }
  if (include === 'overview') return getOverviews(x, { ...page, size: limit ?? limits.overviewsPerPage })
  const size = limit ?? limits.campaignsPerPage
  const { campaigns, lastNumber } = await granted(x, listSettings(x.db, keyAccessOf(x), { ...page, size }))
  return success({ campaigns, nextCursor: cursorOf(lastNumber) })
}

const cursorOf = (lastNumber: number | null) => lastNumber?.toString(16).padStart(6, '0') ?? null

async function getOverviews(
  x: KeyedExchange,
  page: { readonly isArchived: boolean; readonly afterNumber: number; readonly size: number },
): Promise<Answer> {
  if (page.size > limits.overviewsPerPage) throw invalidField(tooManyOverviews)
  const access = keyAccessOf(x)
  const today: Question = { bucket: 'day', fromMs: access.nowMs, toMs: null }
  const hours = hoursToRead(today, access.nowMs)
  const { campaigns, lastNumber } = await granted(x, listOverviews(x.db, access, page, hours))
  const overviewOf = async ({ settings, queue, hours }: ListedCampaign) => ({
    ...settings,
    ...(await queueAndDialer(x, queue)),
    today: activityOf(toSeries(today, access.nowMs, settings.timeZone ?? 'UTC', hours, hourCounts.length)),
  })
  // All bells and dialers are asked at the same time.
  return success({
    campaigns: await Promise.all(campaigns.map(overviewOf)),
    nextCursor: cursorOf(lastNumber),
  })
}

/** The only day of a series. */
function activityOf([day]: ReturnType<typeof toSeries>) {
  const countOf = (wanted: string) => day?.counts[hourCounts.findIndex(({ name }) => name === wanted)] ?? 0
  const claimed = countOf('claimed')
  const [called = 0] = callsOf([{ claimed, released: countOf('released') }])
  return { created: countOf('created'), claimed, called, answered: countOf('answered') }
}
