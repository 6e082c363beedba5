// Pages of campaigns: their settings, and on request the queue of each and its activity by the hour. A page reads its
// own campaigns only, in one trip.
import { type SQL, sql } from 'drizzle-orm'
import { grantedKey, type KeyAccess, type KeyNames } from '../../../base/access/store/rights.ts'
import { campaigns, maxCampaignNumber } from '../../../base/access/store/tables.ts'
import { pageOf, param, runBatch, statement } from '../../../base/database/database.ts'
import { hoursOf } from '../../../base/ledger/hours/counts.ts'
import { limits } from '../../../base/limits.ts'
import {
  type CampaignRow,
  type CampaignSettings,
  isArchivedColumn,
  readCampaignSettings,
  selectedSettings,
} from '../../campaigns/store/settings-row.ts'
import { callingSettings } from '../../campaigns/store/tables.ts'
import {
  type Outlook,
  type QueueOverview,
  type QueueSize,
  queueSize,
  readQueue,
} from './campaign-overview.ts'
import { asFarAsClaims, dueInUnknownHours, selectQueueState } from './sql/queue-state.ts'

type CampaignPage = {
  readonly isArchived: boolean
  readonly afterNumber: number
  /** Fewer where their settings are more bytes than a page may have. */
  readonly size: number
}

type KeyRefused = { readonly kind: 'key_refused' }
type Page<Item> = {
  readonly kind: 'found'
  readonly campaigns: readonly Item[]
  /** The last campaign of the page, when others follow. */
  readonly lastNumber: number | null
}

const keyIsGranted = statement<KeyNames>(sql`select 1 from ${grantedKey('look')}`)

/** Current and archived campaigns have an index each. A campaign's key is a range of one number. */
const ofPage = (isOfKind: SQL) => sql`${grantedKey('look')} as key
  cross join ${campaigns} on ${campaigns.companyId} = key.company_id
    and ${isOfKind}
    and ${campaigns.number} > max(${param('afterNumber')}, coalesce(key.campaign_number - 1, 0))
    and ${campaigns.number} <= coalesce(key.campaign_number, ${maxCampaignNumber})`

const settings = sql`${campaigns.number}, ${campaigns.id}, ${campaigns.name}, ${isArchivedColumn}, ${selectedSettings}`

const pageMaxBytes = 2 * 1024 * 1024

/** The settings that are JSON, of any size. Lengths are read without the texts. */
const settingsBytes = sql.join(
  (['callingHours', 'appointmentHours', 'closedDates', 'outcomes'] as const).map(
    (name) => sql`coalesce(octet_length(s.${sql.identifier(callingSettings[name].name)}), 0)`,
  ),
  sql` + `,
)

const settingsPage = (isOfKind: SQL) => {
  const found = (columns: SQL) => sql`select ${columns}
  from ${ofPage(isOfKind)}
  left join ${callingSettings} as s on s.campaign_number = ${campaigns.number}
  order by ${campaigns.number}`
  const sized = sql`(${found(sql`${campaigns.number} as number, ${settingsBytes} as own`)} limit ${param('rows')})`
  const maxBytes = sql.raw(`${pageMaxBytes}`)
  // A window costs six times the rows read: only where the page ends by its bytes, with the first campaign beyond it.
  return statement<KeyNames | 'afterNumber' | 'rows'>(sql`
  ${found(sql`${settings}, ${settingsBytes} as bytes`)}
  limit (select iif(total(own) <= ${maxBytes}, ${param('rows')}, (
    select max(2, sum(bytes - own <= ${maxBytes}))
    from (select own, sum(own) over (order by number rows unbounded preceding) as bytes from ${sized})))
  from ${sized})`)
}

/** A table expression: campaigns of the page from `place` on, with `number` and `company_id`. */
const fromPlace = (isOfKind: SQL, rows: SQL, place = sql`0`) => sql`(
  select ${campaigns.number} as number, ${campaigns.companyId} as company_id
  from ${ofPage(isOfKind)}
  order by ${campaigns.number}
  limit ${rows} offset ${place})`

/** Besides the settings: QueueSize, and the counts of hours. */
const overviewPage = (isOfKind: SQL) =>
  statement<KeyNames | 'afterNumber' | 'rows' | 'fromHour' | 'untilHour'>(sql`
  select ${settings} ${queueSize(limits.leadsCountedPerOverview)},
    (${hoursOf(sql`(select granted.number)`)}) as hours
  from ${fromPlace(isOfKind, sql`${param('rows')}`)} as granted
  cross join ${campaigns} on ${campaigns.number} = granted.number
  left join ${callingSettings} as s on s.campaign_number = granted.number
  order by granted.number`)

/** A statement each, because a recursive select cannot be one of many rows. */
const outlookAt = (isOfKind: SQL) =>
  statement<KeyNames | 'afterNumber' | 'place'>(
    selectQueueState(
      fromPlace(isOfKind, sql`1`, sql`${param('place')}`),
      sql`true`,
      asFarAsClaims,
      dueInUnknownHours,
    ),
  )

const kindOf = (isOfKind: SQL) => ({
  settings: settingsPage(isOfKind),
  overviews: overviewPage(isOfKind),
  outlookAt: outlookAt(isOfKind),
})
const current = kindOf(sql`${campaigns.archivedAtMs} is null`)
const archived = kindOf(sql`${campaigns.archivedAtMs} is not null`)

type Row = CampaignRow & { readonly number: number }

/** The settings of campaigns that the key may see, oldest first. Throws DatabaseUnavailable. */
export async function listSettings(
  db: D1Database,
  access: KeyAccess,
  { isArchived, afterNumber, size }: CampaignPage,
): Promise<KeyRefused | Page<CampaignSettings>> {
  const select = (isArchived ? archived : current).settings
  const values = { ...access, afterNumber, rows: size + 1 }
  const { rows } = await runBatch(db, [keyIsGranted(db, values), select(db, values)])
  if (rows[0]?.length === 0) return { kind: 'key_refused' }
  const found = rows[1] as (Row & { readonly bytes: number })[]
  const { page, last } = pageOf(found, Math.min(size, fittingIn(found)))
  return { kind: 'found', campaigns: page.map(readCampaignSettings), lastNumber: last?.number ?? null }
}

/** At least one. */
function fittingIn(found: readonly { readonly bytes: number }[]): number {
  let left = pageMaxBytes
  const place = found.findIndex(({ bytes }) => {
    left -= bytes
    return left < 0
  })
  return place === -1 ? found.length : Math.max(1, place)
}

export type ListedCampaign = {
  readonly settings: CampaignSettings
  readonly queue: QueueOverview
  /** Each hour with a count: the hour, and its counts in the order of hourCounts. */
  readonly hours: readonly (readonly [hour: number, ...counts: number[]])[]
}

/** With their queues, and the counts of these hours. Throws DatabaseUnavailable. */
export async function listOverviews(
  db: D1Database,
  access: KeyAccess,
  { isArchived, afterNumber, size }: CampaignPage,
  hours: { readonly fromHour: number; readonly untilHour: number },
): Promise<KeyRefused | Page<ListedCampaign>> {
  const kind = isArchived ? archived : current
  const values = { ...access, ...hours, afterNumber, rows: size + 1 }
  const { rows } = await runBatch(db, [
    keyIsGranted(db, values),
    kind.overviews(db, values),
    ...Array.from({ length: size }, (_, place) => kind.outlookAt(db, { ...values, place })),
  ])
  if (rows[0]?.length === 0) return { kind: 'key_refused' }
  const { page, last } = pageOf(rows[1] as (Row & QueueSize & { readonly hours: string })[], size)
  const listed = page.map((row, place) => ({
    settings: readCampaignSettings(row),
    queue: readQueue(row, rows[place + 2]?.[0] as Outlook, access.nowMs, limits.leadsCountedPerOverview),
    hours: JSON.parse(row.hours),
  }))
  return { kind: 'found', campaigns: listed, lastNumber: last?.number ?? null }
}
