// Creating, reading and removing webhooks. Changes are in change-endpoint.ts, the senders' statements in sending.ts and
// pending-events.ts. No secret is stored: it is derived from the id and the version (../signature.ts).
import { type SQL, sql } from 'drizzle-orm'
import { actorName } from '../../../base/access/store/actor-name.ts'
import { startListening } from '../../../base/access/store/company-log.ts'
import {
  type Access,
  type AccessNames,
  grantedKey,
  type KeyAccess,
  type KeyNames,
  type ScopeRefusal,
  scopeRefusalOf,
  scopeVerdict,
  type Use,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { campaigns, companies } from '../../../base/access/store/tables.ts'
import { param, readRows, runSteps, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendAlways, entryColumns } from '../../../base/ledger/log/append.ts'
import { type LogEnd, newestEpoch, readEpochs } from '../../../base/ledger/log/epochs.ts'
import {
  type EntryType,
  toStoredTypes,
  type WantedTypes,
  wantedOf,
} from '../../../base/ledger/log/event-types.ts'
import { disabledAtMs, disabledReason, events, isSending, webhooks } from '../../../base/ledger/log/tables.ts'
import { limits } from '../../../base/limits.ts'
import type { Format } from '../format.ts'
import type { Secrets } from '../signature.ts'

/** What a webhook may include: personal data, and the external ids of `leads.created`. */
export const includable = ['phoneNumber', 'metadata', 'details', 'externalIds'] as const

export type Included = (typeof includable)[number]

export type NewWebhook = {
  readonly webhookId: string
  readonly url: string
  readonly types: WantedTypes
  readonly include: readonly Included[]
  /** Null: events as they are. */
  readonly format: Format | null
  readonly sealedSecrets: string | null
}

export type Webhook = NewWebhook &
  Secrets & {
    readonly companyId: string
    /** Null: all campaigns, and what concerns the company. */
    readonly campaignId: string | null
    readonly createdAtMs: number
    /** Or has set its URL since: the id of an API key or a member, or `operator`; null: unknown. */
    readonly createdBy: string | null
    /** The member that did. */
    readonly actorName: string | null
    /** When it ends, with the key that created it or set its URL; null: never. */
    readonly expiresAtMs: number | null
    readonly disabledAtMs: number | null
    readonly disabledReason: 'gone' | 'dead' | 'operator' | 'key_revoked' | 'key_expired' | null
    /** The last entry that its sender has passed, at most a minute ago. */
    readonly passedNumber: number
    /** The end of the company's log. */
    readonly end: LogEnd
    /** Events so far without attempts left. */
    readonly givenUp: number
    /** Null: the receiver is well, or the webhook is disabled. */
    readonly failingSinceMs: number | null
  }

export type WebhookMissing = { readonly kind: 'key_refused' | 'webhook_not_found' }
export type Found = { readonly kind: 'found'; readonly webhook: Webhook }

/** The last entry of a company's log; 0: there is none. */
export const logHead = (companyId: SQL) =>
  sql`coalesce((select max(e.number) from ${events} as e where e.company_id = ${companyId}), 0)`

/** The log entry of a webhook, whose row is `w`. `data`: names and values. */
export const webhookEntry = (type: EntryType, data: SQL) =>
  entryColumns({
    type,
    companyId: sql`w.company_id`,
    campaignNumber: sql`w.campaign_number`,
    data: sql`json_object('webhookId', w.id, ${data})`,
  })

/** Of a change: `w` is the row before or after it. */
export const changeEntry = (change: string) =>
  webhookEntry('webhook.changed', sql`'change', ${sql.raw(`'${change}'`)}`)

/** No row when the key is not granted; nulls when it has no such webhook. */
const webhookFor = (
  use: Use,
) => sql`(select w.*, k.company_id as key_company_id, k.expires_at_ms as key_expires_at_ms
  from ${grantedKey(use)} as k
  left join ${webhooks} as w on w.company_id = k.company_id
    and w.id = ${param('webhookId')} and (k.campaign_number is null or k.campaign_number = w.campaign_number))`
export const webhookOfKey = webhookFor('manage')

// The new row, unless a try whose answer was lost has inserted it.
const wanted = sql`select ${param('webhookId')} as id, scope.company_id, nullif(scope.number, 0) as campaign_number,
    asker.expires_at_ms
  from ${scopeVerdict('manage')} as scope
  cross join ${grantedKey('manage')} as asker
  where scope.number is not null
    and not exists (select 1 from ${webhooks} as own where own.id = ${param('webhookId')})
    and (select count(*) from ${webhooks} as other where other.company_id = scope.company_id) < ${param('maxWebhooks')}`

const createSteps = [
  appendAlways(sql`select ${changeEntry('created')} from (${wanted}) as w`),
  // It gets events from now on.
  sql`insert into ${webhooks} (id, company_id, campaign_number, url, types, include, passed_number, created_at_ms,
      created_by, expires_at_ms, format, sealed_secrets)
    select w.id, w.company_id, w.campaign_number, ${param('url')}, ${param('types')}, ${param('include')},
      ${logHead(sql`w.company_id`)}, ${param('nowMs')}, ${param('actor')}, w.expires_at_ms,
      ${param('format')}, ${param('sealedSecrets')}
    from (${wanted}) as w
    where true
    on conflict do nothing`,
  startListening(sql`select scope.company_id from ${scopeVerdict('manage')} as scope
    cross join ${webhooks} as w on w.id = ${param('webhookId')} and w.company_id = scope.company_id`),
  sql`select scope.number, w.id is not null as "isCreated"
    from ${scopeVerdict('manage')} as scope
    left join ${webhooks} as w on w.id = ${param('webhookId')} and w.company_id = scope.company_id`,
].map(
  statement<
    | AccessNames
    | ActorNames
    | 'webhookId'
    | 'maxWebhooks'
    | 'url'
    | 'types'
    | 'include'
    | 'format'
    | 'sealedSecrets'
  >,
)

/** The values of the lists' placeholders. */
export const asJson = ({ types, include }: Partial<NewWebhook>) => ({
  types: types === undefined ? null : JSON.stringify(toStoredTypes(types)),
  include: include === undefined ? null : JSON.stringify(include),
})

/** The id must be new. Throws DatabaseUnavailable, as every function here. */
export async function createWebhook(
  db: D1Database,
  access: Omit<Access, 'campaignId'> & { readonly campaignId: string | null },
  webhook: NewWebhook,
): Promise<ScopeRefusal | { readonly kind: 'created' | 'too_many_webhooks' }> {
  const values = { ...access, ...webhook, ...asJson(webhook), maxWebhooks: limits.webhooksPerCompany }
  const { rows } = await runSteps(db, createSteps, values)
  const verdict = rows.at(-1)?.[0] as (Verdict & { isCreated: number }) | undefined
  const refusal = scopeRefusalOf(verdict, access.campaignId)
  if (refusal !== null) return refusal
  return { kind: verdict?.isCreated === 1 ? 'created' : 'too_many_webhooks' }
}

const webhookColumns = sql`w.id as "webhookId", w.company_id as "companyId", ${campaigns.id} as "campaignId",
  w.url, w.types, w.include, w.format, w.sealed_secrets as "sealedSecrets", w.secret_version as "secretVersion",
    w.older_secrets as "olderSecrets",
  w.created_at_ms as "createdAtMs", w.created_by as "createdBy", ${actorName(sql`w.created_by`)} as "actorName",
  iif(w.previous_expires_at_ms > ${param('nowMs')}, w.previous_expires_at_ms, null) as "previousExpiresAtMs",
  w.expires_at_ms as "expiresAtMs", ${disabledAtMs(sql`w`)} as "disabledAtMs",
  ${disabledReason(sql`w`)} as "disabledReason", w.given_up as "givenUp",
  iif(${isSending(sql`w`)}, w.failing_since_ms, null) as "failingSinceMs",
  w.passed_number as "passedNumber", ${logHead(sql`w.company_id`)} as head,
  (select ${companies.logEpochs} from ${companies} where ${companies.id} = w.company_id) as epochs`

type WebhookRow = Omit<Webhook, 'types' | 'include' | 'olderSecrets' | 'webhookId' | 'end'> & {
  readonly webhookId: string | null
  readonly types: string
  readonly include: string
  readonly olderSecrets: string
  readonly head: number
  readonly epochs: string
}

const toWebhook = ({ types, include, olderSecrets, head, epochs, ...row }: WebhookRow) =>
  ({
    ...row,
    end: { head, epoch: newestEpoch(readEpochs(epochs)) },
    types: wantedOf(JSON.parse(types)),
    include: JSON.parse(include),
    olderSecrets: JSON.parse(olderSecrets),
  }) as Webhook

const selectFor = (use: Use) =>
  statement<KeyNames | 'webhookId'>(sql`select ${webhookColumns}
  from ${webhookFor(use)} as w
  left join ${campaigns} on ${campaigns.number} = w.campaign_number`)

/** The webhook that a key has under an id, for a request that changes it. */
export const selectWebhook = selectFor('manage')
const selectToRead = selectFor('manage to read')

export function readFound(rows: readonly unknown[] | undefined): WebhookMissing | Found {
  const row = rows?.[0] as WebhookRow | undefined
  if (row === undefined) return { kind: 'key_refused' }
  return row.webhookId === null ? { kind: 'webhook_not_found' } : { kind: 'found', webhook: toWebhook(row) }
}

export async function readWebhook(
  db: D1Database,
  access: KeyAccess,
  webhookId: string,
): Promise<WebhookMissing | Found> {
  return readFound(await readRows(db, selectToRead(db, { ...access, webhookId })))
}

// A key without webhooks gives a row of nulls, one that is not granted gives none.
const selectWebhooks = statement<KeyNames>(sql`select ${webhookColumns}
  from ${grantedKey('manage to read')} as k
  left join ${webhooks} as w on w.company_id = k.company_id
    and (k.campaign_number is null or k.campaign_number = w.campaign_number)
  left join ${campaigns} on ${campaigns.number} = w.campaign_number
  order by w.created_at_ms, w.id`)

/** The oldest first. */
export async function listWebhooks(
  db: D1Database,
  access: KeyAccess,
): Promise<{ readonly kind: 'key_refused' } | { readonly kind: 'list'; readonly webhooks: Webhook[] }> {
  const found = await readRows<WebhookRow>(db, selectWebhooks(db, { ...access }))
  if (found.length === 0) return { kind: 'key_refused' }
  return { kind: 'list', webhooks: found.filter(({ webhookId }) => webhookId !== null).map(toWebhook) }
}

const removeSteps = [
  // First, so that it still finds the row.
  selectWebhook,
  statement<KeyNames | ActorNames | 'webhookId'>(
    appendAlways(sql`select ${changeEntry('removed')} from ${webhookOfKey} as w where w.id is not null`),
  ),
  statement<KeyNames | 'webhookId'>(
    sql`delete from ${webhooks}
    where id in (select w.id from ${webhookOfKey} as w)`,
  ),
]

/** A webhook missing in a second try was removed by the first, whose answer was lost. */
export async function removeWebhook(
  db: D1Database,
  access: KeyAccess,
  webhookId: string,
): Promise<WebhookMissing | { readonly kind: 'removed' }> {
  const values = { ...access, webhookId }
  const { rows, tries } = await runSteps(db, removeSteps, values)
  const found = readFound(rows[0])
  if (found.kind === 'found' || (found.kind === 'webhook_not_found' && tries > 1)) return { kind: 'removed' }
  return found
}

/**
 * Those whose ids a select gives, when the key that created them ends: else a webhook of a leaked key would outlive it.
 * A repeated try finds them disabled already.
 */
export const disableWebhooks = (ids: SQL) => [
  appendAlways(
    sql`select ${webhookEntry('webhook.disabled', sql`'reason', 'key_revoked'`)} from ${webhooks} as w
      where w.id in (${ids}) and ${isSending(sql`w`)}`,
  ),
  sql`update ${webhooks} set disabled_at_ms = ${param('nowMs')}, disabled_reason = 'key_revoked',
      expires_at_ms = ${param('nowMs')}
    where ${isSending(sql`${webhooks}`)} and id in (${ids})`,
]
