// Companies, campaigns and keys of tests whose service is another process: straight into its database, one at a time.
import type { KeyMaterial } from '../../../src/base/access/api-key.ts'
import type { Scope } from '../../../src/base/access/scope.ts'
import {
  changeSettings,
  defaultSettings,
  type SettingsChange,
} from '../../../src/queue/campaigns/settings.ts'
import { settingColumns, toRow } from '../../../src/queue/campaigns/store/settings-row.ts'

type Named = { readonly id: string; readonly name: string; readonly createdAtMs: number }

export async function createCompany(db: D1Database, { id, name, createdAtMs }: Named): Promise<void> {
  await db
    .prepare('insert into companies (id, name, created_at_ms) values (?1, ?2, ?3)')
    .bind(id, name, createdAtMs)
    .run()
}

export async function createCampaign(
  db: D1Database,
  { id, name, createdAtMs, companyId }: Named & { readonly companyId: string },
): Promise<void> {
  const last = 'select max(number) as number from campaigns union all select max(last) from campaign_numbers'
  await db
    .prepare(
      `insert into campaigns (number, id, company_id, name, created_at_ms)
       values ((select 1 + coalesce(max(n.number), 0) from (${last}) as n), ?1, ?2, ?3, ?4)`,
    )
    .bind(id, companyId, name, createdAtMs)
    .run()
}

type NewKey = KeyMaterial & {
  readonly companyId: string
  /** Null: company-wide. */
  readonly campaignId: string | null
  readonly scope: Scope
  readonly name: string
  readonly expiresAtMs: number | null
  readonly nowMs: number
}

export async function createKey(db: D1Database, key: NewKey): Promise<void> {
  const campaign = 'select number from campaigns where company_id = ?2 and id = ?3'
  await db
    .prepare(
      `insert into api_keys (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, expires_at_ms,
         created_by)
       values (?1, ?2, (${campaign}), ?4, ?5, ?6, ?7, ?8, ?9, 'operator')`,
    )
    .bind(
      ...[key.id, key.companyId, key.campaignId, key.scope, key.name],
      ...[key.hash, key.hint, key.nowMs, key.expiresAtMs],
    )
    .run()
}

export async function revokeKey(db: D1Database, keyId: string, nowMs: number): Promise<void> {
  await db.prepare('update api_keys set revoked_at_ms = ?2 where id = ?1').bind(keyId, nowMs).run()
}

/** The first settings of a campaign, which stay if it has some. */
export async function configure(
  db: D1Database,
  { companyId, campaignId }: { readonly companyId: string; readonly campaignId: string },
  change: SettingsChange,
): Promise<void> {
  const row = toRow(changeSettings(defaultSettings, change)) as Record<string, unknown>
  const columns = settingColumns.filter(([, name]) => row[name] !== undefined)
  await db
    .prepare(
      `insert into calling_settings (campaign_number, version, ${columns.map(([column]) => column)})
       select number, 1, ${columns.map((_, index) => `?${index + 3}`)} from campaigns
       where company_id = ?1 and id = ?2
       on conflict do nothing`,
    )
    .bind(companyId, campaignId, ...columns.map(([, name]) => row[name]))
    .run()
}
