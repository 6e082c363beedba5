// What a restore must not take back: who has said no since, who was called, who was erased, which keys have ended,
// which URLs of sources, and which webhooks. Read in ranges before the restore and written again after it, so that
// nobody is called who must not be. Written twice, it changes nothing more. Calls are in kept-calls.ts, erasures in
// kept-erasures.ts.
import { getTableName, sql } from 'drizzle-orm'
import { isOfLostDialer } from '../../../base/access/store/dialer-key.ts'
import { leaveWith } from '../../../base/access/store/directory.ts'
import { apiKeys, campaigns, companies, members } from '../../../base/access/store/tables.ts'
import { param, statement } from '../../../base/database/database.ts'
import { primaryKeyOf } from '../../../base/database/primary-key.ts'
import { consents, consentTexts, numberLog } from '../../../base/ledger/consent/tables.ts'
import { addCounts } from '../../../base/ledger/hours/counts.ts'
import { appendAlways, entryColumns, theOperator, theSystem } from '../../../base/ledger/log/append.ts'
import { companiesRestored, type RestoreNames } from '../../../base/ledger/log/begin-epoch.ts'
import { events, webhooks } from '../../../base/ledger/log/tables.ts'
import {
  lostCalls,
  numberCalls,
  retainedHashes,
  suppressedHashes,
  suppressions,
} from '../../../base/ledger/suppression/tables.ts'
import { sources } from '../../../channels/sources/store/tables.ts'
import { changeEntry } from '../../../channels/webhooks/store/endpoints.ts'
import { returnHeldOf } from '../../../queue/campaigns/store/minute-cursors.ts'
import { dequeuedCounts, dequeueSuppressed } from '../../../queue/leads/store/queue.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { leadsOfNumbers } from '../../../queue/suppression/store/suppress.ts'
import { keptCalls } from './kept-calls.ts'
import { clearedLeads, erasedLeads, erasedNumbers, hashedLeads } from './kept-erasures.ts'
import {
  at,
  insert,
  isCampaign,
  isSince,
  itemAs,
  items,
  type KeptTable,
  keptTable,
  valuesOf,
  wholeRows,
} from './kept-table.ts'
import { returnedCalls } from './returned-calls.ts'
import { otherColumns } from './row-ranges.ts'

// A number that must not be called in a campaign that is gone is suppressed in the whole company: the campaign may be
// created again, and its leads sent again.
const suppressedIn = sql`iif(${isCampaign(at(2), at(0))}, ${at(2)}, 0)`
const suppressed = leadsOfNumbers(sql`(select ${at(0)} as company_id, ${at(1)} as phone_number,
    ${suppressedIn} as campaign_number from ${items})`)

const insertSuppressions = (columns: readonly string[]) => [
  insert(
    suppressions,
    columns,
    columns.map((_, index) => (index === 2 ? suppressedIn : at(index))),
    sql`true`,
    // One that was removed and added again since is the later one.
    sql`on conflict do update set ${otherColumns(columns, primaryKeyOf(suppressions))}
      where excluded.created_at_ms > suppressions.created_at_ms`,
  ),
  addCounts(dequeuedCounts(suppressed)),
  dequeueSuppressed(suppressed),
]

const insertRetainedHashes = (columns: readonly string[]) => [
  insert(
    retainedHashes,
    columns,
    columns.map((_, index) => at(index)),
    isCampaign(at(1), at(0)),
  ),
  insert(
    suppressedHashes,
    ['company_id', 'number_hash', 'created_at_ms'],
    [at(0), at(2), at(4)],
    sql`not ${isCampaign(at(1), at(0))}`,
  ),
]

const memberColumns = [
  'id',
  'company_id',
  'scope',
  'campaign_number',
  'changed_at_ms',
  'removed_at_ms',
  'erased_at_ms',
]

const endKeys = sql`update ${sql.raw(getTableName(apiKeys))}
  set revoked_at_ms = coalesce(api_keys.revoked_at_ms, ended.revoked_at_ms),
    expires_at_ms = min(coalesce(api_keys.expires_at_ms, ended.expires_at_ms), ended.expires_at_ms)
  from (select ${at(0)} as id, ${at(3)} as company_id, ${at(1)} as revoked_at_ms,
    coalesce(${at(2)}, (select k.expires_at_ms from api_keys as k where k.id = ${at(0)})) as expires_at_ms
    from ${items}) as ended
  where api_keys.id = ended.id and api_keys.company_id = coalesce(ended.company_id, api_keys.company_id)`

const sourceColumns = ['id', 'company_id', 'version', 'is_enabled', 'removed_at_ms']

/** A URL that was replaced, disabled or removed since stays so. */
const closeSources = sql`update ${sql.raw(getTableName(sources))}
  set version = max(sources.version, closed.version), is_enabled = min(sources.is_enabled, closed.is_enabled),
    removed_at_ms = coalesce(sources.removed_at_ms, closed.removed_at_ms)
  from (select ${itemAs(sourceColumns)} from ${items}) as closed
  where sources.id = closed.id and sources.company_id = closed.company_id`

const webhookColumns = ['id', 'company_id', 'disabled_at_ms', 'disabled_reason', 'expires_at_ms']

/** A webhook that was disabled since stays so. */
const disableWebhooks = sql`update ${sql.raw(getTableName(webhooks))}
  set disabled_at_ms = ended.disabled_at_ms, disabled_reason = ended.disabled_reason, expires_at_ms =
    ended.expires_at_ms
  from (select ${itemAs(webhookColumns)} from ${items}) as ended
  where webhooks.id = ended.id and webhooks.company_id = ended.company_id`

/** The log says it again, for a later restore to a time before. */
const removeWebhooks = [
  appendAlways(
    sql`select ${changeEntry('removed')} from ${items}
      cross join ${webhooks} as w on w.id = ${at(0)} and w.company_id = ${at(1)}`,
    theSystem,
  ),
  sql`delete from ${sql.raw(getTableName(webhooks))}
    where (id, company_id) in (select ${at(0)}, ${at(1)} from ${items})`,
]

// One whose campaign is gone is removed: his rights were of that alone.
const isCampaignGone = sql`kept.campaign_number is not null
  and not ${isCampaign(sql`kept.campaign_number`, sql`kept.company_id`)}`
const keepMembers = sql`update ${sql.raw(getTableName(members))}
  set scope = kept.scope, changed_at_ms = kept.changed_at_ms,
    campaign_number = iif(${isCampaignGone}, members.campaign_number, kept.campaign_number),
    removed_at_ms = iif(${isCampaignGone}, coalesce(kept.removed_at_ms, ${param('nowMs')}), kept.removed_at_ms),
    email = iif(kept.erased_at_ms is null, members.email, null),
    name = iif(kept.erased_at_ms is null, members.name, null), erased_at_ms = kept.erased_at_ms
  from (select ${itemAs(memberColumns)} from ${items}) as kept
  where members.id = kept.id and members.company_id = kept.company_id`

const forgetMembers = leaveWith(sql`select gone.id, gone.company_id from ${items}
  cross join ${members} as gone on gone.id = ${at(0)} and gone.company_id = ${at(1)}
  where gone.removed_at_ms is not null`)

/** A consent that was hashed since is hashed again. */
const insertConsents = (columns: readonly string[]) => [
  insert(
    consents,
    columns,
    columns.map((_, index) => at(index)),
    sql`true`,
    sql`on conflict (company_id, id) do update set ${otherColumns(columns, ['company_id', 'id'])}`,
  ),
]

const isSinceOrHashed = sql`(${isSince('stored_at_ms')} or ${isSince('hashed_at_ms')})`

/**
 * In this order: a suppression takes leads from the queue, and a call says what became of its lead. A new one comes
 * last: a restore that is under way across a deployment knows them by their places.
 */
export const keptTables: readonly KeptTable[] = [
  keptTable({
    table: apiKeys,
    values: valuesOf(['id', 'revoked_at_ms', 'expires_at_ms', 'company_id']),
    // Undoing a restore gives a dialer its key back.
    isKept: sql`(${isSince('revoked_at_ms')} and not ${isOfLostDialer(sql`t`)} or t.expires_at_ms is not null)`,
    write: [endKeys],
  }),
  keptTable({
    table: sources,
    values: valuesOf(sourceColumns),
    isKept: isSince('changed_at_ms'),
    write: [closeSources],
  }),
  keptTable({
    table: members,
    values: valuesOf(memberColumns),
    isKept: sql`(${isSince('changed_at_ms')} or ${isSince('removed_at_ms')} or ${isSince('erased_at_ms')})`,
    write: [keepMembers, forgetMembers],
  }),
  wholeRows({
    table: suppressions,
    isKept: isSince('created_at_ms'),
    write: insertSuppressions,
  }),
  wholeRows({
    table: suppressedHashes,
    isKept: isSince('created_at_ms'),
  }),
  wholeRows({
    table: retainedHashes,
    isKept: isSince('created_at_ms'),
    write: insertRetainedHashes,
  }),
  wholeRows({
    table: consentTexts,
    isKept: isSince('stored_at_ms'),
  }),
  wholeRows({
    table: consents,
    key: ['company_id', 'id'],
    isKept: isSinceOrHashed,
    write: insertConsents,
  }),
  wholeRows({
    table: numberLog,
    isKept: isSinceOrHashed,
  }),
  // A week of them: an erasure since may have stored an older call.
  wholeRows({
    table: numberCalls,
    isKept: sql`true`,
  }),
  keptCalls,
  erasedLeads,
  erasedNumbers,
  hashedLeads,
  // Those of a week, as well.
  wholeRows({
    table: lostCalls,
    isKept: sql`true`,
  }),
  keptTable({
    table: webhooks,
    values: valuesOf(webhookColumns),
    isKept: isSince('disabled_at_ms'),
    write: [disableWebhooks],
  }),
  // The log alone still knows them. Of its entries, those that are about no lead have an index.
  keptTable({
    name: 'removed_webhooks',
    table: events,
    from: sql`(select own.* from ${events} as own where own.lead_seq is null) as t`,
    values: [
      ['id', sql`t.data ->> 'webhookId'`],
      ['company_id', sql`t.company_id`],
    ],
    isKept: sql`(${isSince('at_ms')} and t.type = 'webhook.changed' and t.data ->> 'change' = 'removed')`,
    write: removeWebhooks,
  }),
  clearedLeads,
  returnedCalls,
]

/** Once all is written: the held leads of restored companies return, and are judged by the settings that are back. */
export const judgeHeld = statement<RestoreNames>(
  returnHeldOf(sql`select c.number from ${campaigns} as c
    where c.company_id in ${companiesRestored}
      and exists (select 1 from ${leads} as l where l.campaign_number = c.number and l.held_due_at_ms is not null)`),
)

export const logRestored = statement<RestoreNames | 'nowMs'>(
  appendAlways(
    sql`select ${entryColumns({
      type: 'company.restored',
      companyId: sql`c.id`,
      data: sql`json_object('restoredTo',
        strftime('%Y-%m-%dT%H:%M:%fZ', ${param('restoredToMs')} / 1000.0, 'unixepoch'))`,
    })} from ${companies} as c where c.id in ${companiesRestored}`,
    theOperator,
  ),
)
