// Changing a webhook: its settings, disabling and enabling, rotating its secret, and replaying. Each change is logged
// before it is made, so that a repeated try finds nothing left to log.
import { sql } from 'drizzle-orm'
import {
  type AccessNames,
  type KeyAccess,
  type KeyNames,
  type ScopeRefusal,
  scopeRefusalOf,
  scopeVerdict,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendAlways, isUnlogged } from '../../../base/ledger/log/append.ts'
import { firstEntries } from '../../../base/ledger/log/first-entries.ts'
import { disabledAtMs, disabledReason, isSending, webhooks } from '../../../base/ledger/log/tables.ts'
import { limits } from '../../../base/limits.ts'
import {
  asJson,
  changeEntry,
  type Found,
  type NewWebhook,
  readFound,
  selectWebhook,
  type WebhookMissing,
  webhookOfKey,
} from './endpoints.ts'

/** Absent members stay as they are. */
export type WebhookChange = Partial<Pick<NewWebhook, 'url' | 'types' | 'include'>> & {
  readonly sealedSecrets?: string
  /** Null: all campaigns. */
  readonly campaignId?: string | null
  readonly isDisabled?: boolean
}

// Who sets where it sends answers for it, as if that key had created it; any other change makes it last at least as
// long as the key that asks. One that stays disabled keeps its end.
const newEnd = sql`case
    when coalesce(${param('url')}, w.url) <> w.url then w.key_expires_at_ms
    when coalesce(${param('isDisabled')}, not ${isSending(sql`w`)}) then w.expires_at_ms
    else max(w.expires_at_ms, w.key_expires_at_ms) end`

/** The row after the change; no row where the key has no right to it. Only a move checks the new campaign's scope. */
const wanted = sql`(select w.id, w.company_id, coalesce(${param('url')}, w.url) as url,
    coalesce(${param('types')}, w.types) as types, coalesce(${param('include')}, w.include) as include,
    iif(${param('movesCampaign')}, nullif(scope.number, 0), w.campaign_number) as campaign_number,
    coalesce(${param('sealedSecrets')}, w.sealed_secrets) as sealed_secrets,
    coalesce(${param('isDisabled')}, not ${isSending(sql`w`)}) as is_disabled, ${newEnd} as expires_at_ms
  from ${webhookOfKey} as w
  cross join ${scopeVerdict('manage')} as scope
  where w.id is not null and (not ${param('movesCampaign')} or scope.number is not null))`

const withRow = sql`${wanted} as w cross join ${webhooks} as old on old.id = w.id`

const changeSteps = [
  appendAlways(sql`select ${changeEntry('changed')} from ${withRow}
      where (w.url, w.types, w.include, coalesce(w.campaign_number, 0), coalesce(w.expires_at_ms, 0),
          coalesce(w.sealed_secrets, ''))
        <> (old.url, old.types, old.include, coalesce(old.campaign_number, 0), coalesce(old.expires_at_ms, 0),
          coalesce(old.sealed_secrets, ''))
    union all select ${changeEntry('disabled')}
    from ${withRow}
      where w.is_disabled and ${isSending(sql`old`)}
    union all select ${changeEntry('enabled')}
    from ${withRow}
      where not w.is_disabled and not ${isSending(sql`old`)}`),
  sql`update ${webhooks} set url = w.url, types = w.types, include = w.include, campaign_number = w.campaign_number,
      expires_at_ms = w.expires_at_ms, sealed_secrets = w.sealed_secrets,
      created_by = iif(w.url <> ${webhooks.url}, ${param('actor')}, ${webhooks.createdBy}),
      disabled_at_ms = iif(w.is_disabled, coalesce(${disabledAtMs(sql`${webhooks}`)}, ${param('nowMs')}), null),
      disabled_reason = iif(w.is_disabled, coalesce(${disabledReason(sql`${webhooks}`)}, 'operator'), null),
      failing_since_ms = iif(w.is_disabled or not ${isSending(sql`${webhooks}`)} or w.url <> ${webhooks.url}, null,
        ${webhooks.failingSinceMs})
    from ${wanted} as w
    where ${webhooks.id} = w.id`,
  sql`select scope.number from ${scopeVerdict('manage')} as scope`,
].map(
  statement<
    | AccessNames
    | ActorNames
    | 'url'
    | 'types'
    | 'include'
    | 'sealedSecrets'
    | 'movesCampaign'
    | 'isDisabled'
    | 'webhookId'
  >,
)

/** Returns the webhook after the change. Throws DatabaseUnavailable, as every function here. */
export async function changeWebhook(
  db: D1Database,
  access: KeyAccess,
  webhookId: string,
  { campaignId, isDisabled, ...change }: WebhookChange,
): Promise<ScopeRefusal | WebhookMissing | Found> {
  const values = {
    ...access,
    webhookId,
    url: change.url ?? null,
    sealedSecrets: change.sealedSecrets ?? null,
    ...asJson(change),
    campaignId: campaignId ?? null,
    movesCampaign: campaignId === undefined ? 0 : 1,
    isDisabled: isDisabled === undefined ? null : Number(isDisabled),
  }
  const steps = [...changeSteps, selectWebhook]
  const { rows } = await runSteps(db, steps, values)
  const found = readFound(rows[3])
  const refusal = scopeRefusalOf(rows[2]?.[0] as Verdict | undefined, campaignId ?? null)
  return found.kind === 'found' && campaignId !== undefined && refusal !== null ? refusal : found
}

/** Of `w`: `version` and `ends_at_ms` of each older version that still signs. */
const endingSecrets = sql`(select one.version, one.ends_at_ms from (
    select w.secret_version - 1 as version, w.previous_expires_at_ms as ends_at_ms
    union all select item.value ->> 0, item.value ->> 1
    from json_each(w.older_secrets) as item) as one
  where one.ends_at_ms > ${param('nowMs')})`

const mayRotate = sql`w.previous_expires_at_ms is not ${param('previousExpiresAtMs')}
  and (${param('previousExpiresAtMs')} <= ${param('nowMs')}
    or (select count(*) from ${endingSecrets}) < ${param('maxEnding')})`

const rotateSteps = [
  ...[
    appendAlways(sql`select ${changeEntry('rotated')} from ${webhookOfKey} as w
      where w.id is not null and ${mayRotate}`),
    sql`update ${webhooks} set secret_version = w.secret_version + 1,
        previous_expires_at_ms = ${param('previousExpiresAtMs')},
        older_secrets = (select json_group_array(json_array(ending.version, ending.ends_at_ms))
          from ${endingSecrets} as ending)
      from ${webhookOfKey} as w
      where ${webhooks.id} = w.id and ${mayRotate}`,
  ].map(statement<KeyNames | ActorNames | 'webhookId' | 'previousExpiresAtMs' | 'maxEnding'>),
  selectWebhook,
]

/**
 * Begins the next version of the secret. The one before signs until `previousExpiresAtMs`, older ones until the ends
 * that they were given. The same time again is the same rotation, so that a request whose answer was lost can be
 * repeated.
 */
export async function rotateSecret(
  db: D1Database,
  access: KeyAccess,
  webhookId: string,
  previousExpiresAtMs: number,
): Promise<WebhookMissing | Found | { readonly kind: 'too_many_secrets' }> {
  const values = { ...access, webhookId, previousExpiresAtMs, maxEnding: limits.endingSecretsMax }
  const { rows } = await runSteps(db, rotateSteps, values)
  const found = readFound(rows[2])
  const isRotated =
    found.kind !== 'found' ||
    previousExpiresAtMs <= access.nowMs ||
    found.webhook.previousExpiresAtMs === previousExpiresAtMs
  return isRotated ? found : { kind: 'too_many_secrets' }
}

const ownLog = sql`(select w.company_id from ${webhookOfKey} as w where w.id is not null)`
const firstSince = sql`(select found.number
  from ${firstEntries(ownLog, sql`e.at_ms < ${param('sinceMs')}`)} as found)`

const replaySteps = [
  statement<KeyNames | 'webhookId' | 'sinceMs'>(
    sql`select ${firstSince} as "firstNumber" from ${webhookOfKey} as w`,
  ),
  // So that the webhook lags, and the cron finds it.
  statement<KeyNames | 'webhookId' | 'sinceMs'>(sql`
    update ${webhooks} set passed_number = min(passed_number, ${firstSince} - 1)
    where id in (select w.id from ${webhookOfKey} as w) and ${firstSince} is not null`),
  selectWebhook,
  statement<KeyNames | ActorNames | 'webhookId'>(
    appendAlways(sql`select ${changeEntry('replayed')} from ${webhookOfKey} as w
      where w.id is not null and ${isUnlogged('webhook.changed', sql`w.company_id`)}`),
  ),
]

/** `firstNumber` is the first entry since that time, where the sender must be sent back to; null: there is none. */
export async function findReplay(
  db: D1Database,
  access: KeyAccess,
  webhookId: string,
  sinceMs: number,
): Promise<WebhookMissing | (Found & { readonly firstNumber: number | null })> {
  const values = { ...access, webhookId, sinceMs }
  const { rows } = await runSteps(db, replaySteps, values)
  const found = readFound(rows[2])
  if (found.kind !== 'found') return found
  const [first] = rows[0] as { firstNumber: number | null }[]
  return { ...found, firstNumber: first?.firstNumber ?? null }
}
