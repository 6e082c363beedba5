// Logs the operator's commands. Each statement runs in the command's batch, with its values, before the one that makes
// the change: so a retry finds the change made, and logs nothing.
import { type SQL, sql } from 'drizzle-orm'
import { hasCampaignRoom, newCampaignNumber } from '../../access/store/campaign-row.ts'
import { isActive } from '../../access/store/rights.ts'
import { apiKeys, campaigns, companies } from '../../access/store/tables.ts'
import { param, statement } from '../../database/database.ts'
import { appendAlways, entryColumns, theOperator } from './append.ts'
import type { EntryType } from './event-types.ts'

type Subject = { readonly campaignNumber?: SQL; readonly data: SQL }

/** `from` includes the table of companies without an alias. */
const logCommand = (type: EntryType, { campaignNumber = sql`null`, data }: Subject, from: SQL) =>
  appendAlways(
    sql`select ${entryColumns({ type, companyId: sql`${companies.id}`, campaignNumber, data })} from ${from}`,
    theOperator,
  )

export const logCampaignCreated = statement<'nowMs' | 'companyId' | 'id' | 'reservedNumber'>(
  logCommand(
    'campaign.changed',
    {
      campaignNumber: newCampaignNumber,
      data: sql`'{"created":true}'`,
    },
    sql`${companies} where ${companies.id} = ${param('companyId')} and ${companies.frozenAtMs} is null
    and ${hasCampaignRoom(sql`${companies.id}`)}
    and not exists (select 1 from ${campaigns} as own
    where own.company_id = ${companies.id} and own.id = ${param('id')})`,
  ),
)

export const logKeyCreated = statement<'nowMs' | 'companyId' | 'campaignId' | 'id' | 'scope'>(
  logCommand(
    'key.created',
    {
      campaignNumber: sql`${campaigns.number}`,
      data: sql`json_object('keyId', ${param('id')}, 'scope', ${param('scope')})`,
    },
    sql`${companies} left join ${campaigns}
      on ${campaigns.companyId} = ${companies.id} and ${campaigns.id} = ${param('campaignId')}
    where ${companies.id} = ${param('companyId')} and ${companies.frozenAtMs} is null
      and (${param('campaignId')} is null or ${campaigns.number} is not null)
      and not exists (select 1 from ${apiKeys} as own where own.id = ${param('id')})`,
  ),
)

export const logKeyRotated = statement<'nowMs' | 'oldId' | 'id'>(
  logCommand(
    'key.rotated',
    {
      campaignNumber: sql`${apiKeys.campaignNumber}`,
      data: sql`json_object('keyId', ${param('oldId')}, 'newKeyId', ${param('id')})`,
    },
    sql`${apiKeys} cross join ${companies} on ${companies.id} = ${apiKeys.companyId}
    where ${apiKeys.id} = ${param('oldId')} and ${isActive} and ${companies.frozenAtMs} is null
      and not exists (select 1 from ${apiKeys} as own where own.id = ${param('id')})`,
  ),
)

export const logKeyRevoked = statement<'nowMs' | 'id'>(
  logCommand(
    'key.revoked',
    { campaignNumber: sql`${apiKeys.campaignNumber}`, data: sql`json_object('keyId', ${param('id')})` },
    sql`${apiKeys} cross join ${companies} on ${companies.id} = ${apiKeys.companyId}
    where ${apiKeys.id} = ${param('id')} and ${apiKeys.revokedAtMs} is null`,
  ),
)
