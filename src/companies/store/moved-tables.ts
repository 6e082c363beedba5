// What a move copies: every table with data of the company, and where its rows are. The statements are in moved-rows.ts.
// Tables that say where companies are, or are of the database itself, are left out: test/runtime/move.test.ts names them.
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { apiKeys, campaigns, companies, keyHours } from '../../access/store/tables.ts'
import { alerts } from '../../alerts/store/tables.ts'
import { agents, callDetails, claims, requeues, restingLanes } from '../../calling/store/tables.ts'
import { callingLanes, callingSettings, openings } from '../../campaigns/store/tables.ts'
import { param } from '../../database/database.ts'
import { dialers } from '../../dialers/store/tables.ts'
import { campaignAt, placesOf } from '../../leads/store/row.ts'
import { erasedRuns, leads } from '../../leads/store/tables.ts'
import { calls } from '../../ledger/calls/tables.ts'
import { consents, consentTexts, numberLog } from '../../ledger/consent/tables.ts'
import { campaignHours, recounts } from '../../ledger/hours/tables.ts'
import { events, webhooks } from '../../ledger/log/tables.ts'
import {
  numberCalls,
  retainedHashes,
  suppressedHashes,
  suppressions,
} from '../../ledger/suppression/tables.ts'
import { movedTable, type Owner, type Spec } from './moved-rows.ts'

const companyId = sql`${param('companyId')}`
const ownNumbers = sql`(select c.number from ${campaigns} as c where c.company_id = ${companyId})`
const ownKeys = sql`(select k.id from ${apiKeys} as k where k.company_id = ${companyId})`

/** Where a row names a campaign, it is none of another company. */
function ofCompany(table: SQLiteTable, ...key: readonly string[]): Spec {
  const namesCampaign = getTableColumns(table).campaignNumber !== undefined
  const isOfOther = (at: (column: string) => SQL) => sql`exists (select 1 from ${campaigns} as c
    where c.number = ${at('campaign_number')} and c.company_id <> ${companyId})`
  const isOwn: Owner['isOwn'] = (at) =>
    sql`${at('company_id')} = ${companyId} ${namesCampaign ? sql`and not ${isOfOther(at)}` : sql``}`
  return { table, owner: { from: sql`${table} as t`, where: sql`t.company_id = ${companyId}`, isOwn }, key }
}

const inCampaigns = (table: SQLiteTable, on: SQL, isOwn: Owner['isOwn']): Owner => ({
  from: sql`${campaigns} as c cross join ${table} as t on ${on}`,
  where: sql`c.company_id = ${companyId}`,
  isOwn,
})
const isOfOwnNumber: Owner['isOwn'] = (at) => sql`${at('campaign_number')} in ${ownNumbers}`

function ofCampaign(table: SQLiteTable, ...key: readonly string[]): Spec {
  const owner = inCampaigns(table, sql`t.campaign_number = c.number`, isOfOwnNumber)
  return { table, owner: { ...owner, isByCampaign: true }, key }
}

/** Places, the first of the key, hold the number of their campaign. */
function ofPlace(table: SQLiteTable, place: string, ...key: readonly string[]): Spec {
  const column = sql.raw(`t.${place}`)
  const after = sql`(${param('after')} ->> 0)`
  const { before, last } = placesOf(sql`c.number`)
  const owner = inCampaigns(
    table,
    sql`${column} >= max(${before}, ${after}) and ${column} <= ${last} and c.number >= ${campaignAt(after)}`,
    (at) => sql`${campaignAt(sql`(${at(place)})`)} in ${ownNumbers}`,
  )
  return { table, owner, key: [place, ...key] }
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
    key: ['id'],
    without: ['store', 'frozen_at_ms'],
  },
  ofCompany(campaigns, 'number'),
  ofCampaign(callingSettings, 'campaign_number'),
  ofCampaign(callingLanes, 'campaign_number', 'lane'),
  ofCampaign(openings, 'campaign_number', 'lane', 'is_for_appointments', 'opens_at_ms'),
  ofCompany(dialers, 'campaign_number'),
  { ...ofCompany(apiKeys, 'id'), without: ['frozen'] },
  {
    table: keyHours,
    owner: among(keyHours, sql`t.key_id in ${ownKeys}`, (at) => sql`${at('key_id')} in ${ownKeys}`),
    key: ['key_id', 'hour', 'code'],
  },
  ofCompany(webhooks, 'id'),
  ofCompany(suppressions, 'phone_number', 'campaign_number'),
  ofCompany(suppressedHashes, 'number_hash'),
  ofCompany(retainedHashes, 'number_hash', 'campaign_number'),
  ofCompany(numberCalls, 'number_hash', 'called_at_ms'),
  ofCompany(consentTexts, 'sha256'),
  ofCompany(consents, 'phone_number', 'purpose', 'given_at_ms', 'id'),
  ofCompany(numberLog, 'phone_number', 'withdraws', 'at_ms', 'kind', 'campaign_number'),
  ofPlace(leads, 'seq'),
  ofPlace(erasedRuns, 'first_seq'),
  // After the leads, whose triggers change them.
  ofCampaign(restingLanes, 'campaign_number', 'lane', 'is_for_appointments'),
  ofCompany(calls, 'phone_number', 'claimed_at_ms', 'seq'),
  ofPlace(callDetails, 'seq', 'claimed_at_ms'),
  {
    // Without an index by campaign: those of a day are read.
    table: claims,
    owner: among(claims, sql`t.campaign_number in ${ownNumbers}`, isOfOwnNumber),
    key: ['claimed_at_ms', 'token'],
  },
  ofCampaign(requeues, 'campaign_number', 'status', 'since_ms'),
  ofCompany(agents, 'campaign_number', 'name'),
  ofCampaign(campaignHours, 'campaign_number', 'hour'),
  ofCampaign(recounts, 'campaign_number'),
  ofCompany(alerts, 'kind', 'campaign_number', 'subject'),
  ofCompany(events, 'number'),
]

/** Parents come first. */
export const movedTables = specs.map(movedTable)
