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

const own = sql`t.company_id = ${param('companyId')}`
/** Where a row names a campaign, it is none of another company. */
const ofCompany = (table: SQLiteTable): Owner => {
  const namesCampaign = getTableColumns(table).campaignNumber !== undefined
  const isOfOther = (at: (column: string) => SQL) => sql`exists (select 1 from ${campaigns} as c
    where c.number = ${at('campaign_number')} and c.company_id <> ${param('companyId')})`
  return {
    from: sql`${table} as t`,
    where: own,
    isOwn: (at) =>
      sql`${at('company_id')} = ${param('companyId')} ${
        namesCampaign ? sql`and not ${isOfOther(at)}` : sql``
      }`,
  }
}
const ownNumbers = sql`(select c.number from ${campaigns} as c where c.company_id = ${param('companyId')})`
const inCampaigns = (table: SQLiteTable, on: SQL, isOwn: Owner['isOwn']): Owner => ({
  from: sql`${campaigns} as c cross join ${table} as t on ${on}`,
  where: sql`c.company_id = ${param('companyId')}`,
  isOwn,
})
const isOfOwnNumber: Owner['isOwn'] = (at) => sql`${at('campaign_number')} in ${ownNumbers}`
const ofCampaign = (table: SQLiteTable): Owner => ({
  ...inCampaigns(table, sql`t.campaign_number = c.number`, isOfOwnNumber),
  isByCampaign: true,
})
/** Places hold the number of their campaign. */
const ofPlace = (table: SQLiteTable, place: string) => {
  const column = sql.raw(`t.${place}`)
  const after = sql`(${param('after')} ->> 0)`
  const { before, last } = placesOf(sql`c.number`)
  return inCampaigns(
    table,
    sql`${column} >= max(${before}, ${after}) and ${column} <= ${last} and c.number >= ${campaignAt(after)}`,
    (at) => sql`${campaignAt(sql`(${at(place)})`)} in ${ownNumbers}`,
  )
}
const among = (table: SQLiteTable, where: SQL, isOwn: Owner['isOwn']): Owner => ({
  from: sql`${table} as t`,
  where,
  isOwn,
})
const ownKeys = sql`(select k.id from ${apiKeys} as k where k.company_id = ${param('companyId')})`

const specs: readonly Spec[] = [
  {
    table: companies,
    owner: among(
      companies,
      sql`t.id = ${param('companyId')}`,
      (at) => sql`${at('id')} = ${param('companyId')}`,
    ),
    key: ['id'],
    without: ['store', 'frozen_at_ms'],
  },
  { table: campaigns, owner: ofCompany(campaigns), key: ['number'] },
  { table: callingSettings, owner: ofCampaign(callingSettings), key: ['campaign_number'] },
  { table: callingLanes, owner: ofCampaign(callingLanes), key: ['campaign_number', 'lane'] },
  {
    table: openings,
    owner: ofCampaign(openings),
    key: ['campaign_number', 'lane', 'is_for_appointments', 'opens_at_ms'],
  },
  { table: dialers, owner: ofCompany(dialers), key: ['campaign_number'] },
  { table: apiKeys, owner: ofCompany(apiKeys), key: ['id'], without: ['frozen'] },
  {
    table: keyHours,
    owner: among(keyHours, sql`t.key_id in ${ownKeys}`, (at) => sql`${at('key_id')} in ${ownKeys}`),
    key: ['key_id', 'hour', 'code'],
  },
  { table: webhooks, owner: ofCompany(webhooks), key: ['id'] },
  { table: suppressions, owner: ofCompany(suppressions), key: ['phone_number', 'campaign_number'] },
  { table: suppressedHashes, owner: ofCompany(suppressedHashes), key: ['number_hash'] },
  { table: retainedHashes, owner: ofCompany(retainedHashes), key: ['number_hash', 'campaign_number'] },
  { table: numberCalls, owner: ofCompany(numberCalls), key: ['number_hash', 'called_at_ms'] },
  { table: consentTexts, owner: ofCompany(consentTexts), key: ['sha256'] },
  {
    table: consents,
    owner: ofCompany(consents),
    key: ['phone_number', 'purpose', 'given_at_ms', 'id'],
  },
  {
    table: numberLog,
    owner: ofCompany(numberLog),
    key: ['phone_number', 'withdraws', 'at_ms', 'kind', 'campaign_number'],
  },
  { table: leads, owner: ofPlace(leads, 'seq'), key: ['seq'] },
  { table: erasedRuns, owner: ofPlace(erasedRuns, 'first_seq'), key: ['first_seq'] },
  // After the leads, whose triggers change them.
  {
    table: restingLanes,
    owner: ofCampaign(restingLanes),
    key: ['campaign_number', 'lane', 'is_for_appointments'],
  },
  { table: calls, owner: ofCompany(calls), key: ['phone_number', 'claimed_at_ms', 'seq'] },
  { table: callDetails, owner: ofPlace(callDetails, 'seq'), key: ['seq', 'claimed_at_ms'] },
  {
    // Without an index by campaign: those of a day are read.
    table: claims,
    owner: among(claims, sql`t.campaign_number in ${ownNumbers}`, isOfOwnNumber),
    key: ['claimed_at_ms', 'token'],
  },
  { table: requeues, owner: ofCampaign(requeues), key: ['campaign_number', 'status', 'since_ms'] },
  { table: agents, owner: ofCompany(agents), key: ['campaign_number', 'name'] },
  { table: campaignHours, owner: ofCampaign(campaignHours), key: ['campaign_number', 'hour'] },
  { table: recounts, owner: ofCampaign(recounts), key: ['campaign_number'] },
  { table: alerts, owner: ofCompany(alerts), key: ['kind', 'campaign_number', 'subject'] },
  { table: events, owner: ofCompany(events), key: ['number'] },
]

/** Parents come first. */
export const movedTables = specs.map(movedTable)
