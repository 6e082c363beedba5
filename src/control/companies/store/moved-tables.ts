// What a move copies: every table with data of the company, and where its rows are. The statements are in
// moved-rows.ts. Tables that say where companies are, or are of the database itself, are left out:
// test/runtime/move-columns.test.ts names them.
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { apiKeys, campaigns, companies, keyHours, members } from '../../../base/access/store/tables.ts'
import { param } from '../../../base/database/database.ts'
import { primaryKeyOf } from '../../../base/database/primary-key.ts'
import { calls, testCalls } from '../../../base/ledger/calls/tables.ts'
import { consents, consentTexts, numberLog } from '../../../base/ledger/consent/tables.ts'
import { campaignHours, recounts } from '../../../base/ledger/hours/tables.ts'
import { events, webhooks } from '../../../base/ledger/log/tables.ts'
import {
  lostCalls,
  numberCalls,
  retainedHashes,
  suppressedHashes,
  suppressions,
} from '../../../base/ledger/suppression/tables.ts'
import { dialers, gates } from '../../../channels/dialers/store/tables.ts'
import { sources } from '../../../channels/sources/store/tables.ts'
import { agents, callDetails, claims, requeues, restingLanes } from '../../../queue/calling/store/tables.ts'
import { callingLanes, callingSettings, openings } from '../../../queue/campaigns/store/tables.ts'
import { campaignAt, placesOf } from '../../../queue/leads/store/row.ts'
import { erasedRuns, leads } from '../../../queue/leads/store/tables.ts'
import { alerts } from '../../alerts/store/tables.ts'
import { movedTable, type Owner, type Spec } from './moved-rows.ts'

const companyId = sql`${param('companyId')}`
const ownNumbers = sql`(select c.number from ${campaigns} as c where c.company_id = ${companyId})`
const ownKeys = sql`(select k.id from ${apiKeys} as k where k.company_id = ${companyId}
  union all select m.id from ${members} as m where m.company_id = ${companyId})`

/** Where a row names a campaign, it is none of another company. */
function ofCompany(table: SQLiteTable, without: readonly string[] = []): Spec {
  const { campaignNumber } = getTableColumns(table)
  const namesCampaign = campaignNumber !== undefined && !without.includes(campaignNumber.name)
  const isOfOther = (at: (column: string) => SQL) => sql`exists (select 1 from ${campaigns} as c
    where c.number = ${at('campaign_number')} and c.company_id <> ${companyId})`
  const isOwn: Owner['isOwn'] = (at) =>
    sql`${at('company_id')} = ${companyId} ${namesCampaign ? sql`and not ${isOfOther(at)}` : sql``}`
  return {
    table,
    owner: { from: sql`${table} as t`, where: sql`t.company_id = ${companyId}`, isOwn },
    without,
  }
}

const inCampaigns = (table: SQLiteTable, on: SQL, isOwn: Owner['isOwn']): Owner => ({
  from: sql`${campaigns} as c cross join ${table} as t on ${on}`,
  where: sql`c.company_id = ${companyId}`,
  isOwn,
})
const isOfOwnNumber: Owner['isOwn'] = (at) => sql`${at('campaign_number')} in ${ownNumbers}`

function ofCampaign(table: SQLiteTable): Spec {
  const owner = inCampaigns(table, sql`t.campaign_number = c.number`, isOfOwnNumber)
  return { table, owner: { ...owner, isByCampaign: true } }
}

/** A place, the first of the key, holds the number of its campaign. */
function ofPlace(table: SQLiteTable): Spec {
  const [place = ''] = primaryKeyOf(table)
  const column = sql.raw(`t.${place}`)
  const after = sql`(${param('after')} ->> 0)`
  const { before, last } = placesOf(sql`c.number`)
  const owner = inCampaigns(
    table,
    sql`${column} >= max(${before}, ${after}) and ${column} <= ${last} and c.number >= ${campaignAt(after)}`,
    (at) => sql`${campaignAt(sql`(${at(place)})`)} in ${ownNumbers}`,
  )
  return { table, owner }
}

const among = (table: SQLiteTable, where: SQL, isOwn: Owner['isOwn']): Owner => ({
  from: sql`${table} as t`,
  where,
  isOwn,
})

const specs: readonly Spec[] = [
  {
    table: companies,
    owner: among(companies, sql`t.id = ${companyId}`, (at) => sql`${at('id')} = ${companyId}`),
    without: ['store', 'frozen_at_ms'],
  },
  ofCompany(campaigns),
  ofCampaign(callingSettings),
  ofCampaign(callingLanes),
  ofCampaign(openings),
  ofCompany(dialers),
  ofCompany(gates),
  ofCompany(sources),
  ofCompany(members),
  ofCompany(apiKeys, ['frozen']),
  {
    table: keyHours,
    owner: among(keyHours, sql`t.key_id in ${ownKeys}`, (at) => sql`${at('key_id')} in ${ownKeys}`),
  },
  ofCompany(webhooks),
  ofCompany(suppressions),
  ofCompany(suppressedHashes),
  ofCompany(retainedHashes),
  ofCompany(numberCalls),
  ofCompany(lostCalls),
  ofCompany(consentTexts),
  ofCompany(consents),
  ofCompany(numberLog),
  ofPlace(leads),
  ofPlace(erasedRuns),
  // After the leads, whose triggers change them.
  ofCampaign(restingLanes),
  // The other side's trigger sets it.
  ofCompany(calls, ['campaign_number']),
  ofCompany(testCalls),
  ofPlace(callDetails),
  {
    // Without an index by campaign: those of a day are read.
    table: claims,
    owner: among(claims, sql`t.campaign_number in ${ownNumbers}`, isOfOwnNumber),
  },
  ofCampaign(requeues),
  ofCompany(agents),
  ofCampaign(campaignHours),
  ofCampaign(recounts),
  ofCompany(alerts),
  ofCompany(events),
]

/** Parents come first. */
export const movedTables = specs.map(movedTable)
