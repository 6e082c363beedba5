// Alerts straight into their table, and those of a company as they stand there.
import { randomBase62 } from '../../../src/base/base62.ts'
import type { World } from '../catalogue/endpoint.ts'
import { companyDb } from '../database/store.ts'
import { entriesOf } from '../ledger/log.ts'

/** A webhook of each state, and two raised alerts: of the campaign, and of the company. */
export async function seedAlerts({ companyId, campaign }: Pick<World, 'companyId' | 'campaign'>) {
  const [delivering, failing, disabled] = [1, 2, 3].map(() => `wh_${randomBase62(20)}`) as [
    string,
    string,
    string,
  ]
  const webhook = (
    id: string,
    campaignNumber: number | null,
    failingMs: number | null,
    disabledMs: number | null,
  ) =>
    companyDb
      .prepare(
        `insert into webhooks (id, company_id, campaign_number, url, types, include, passed_number, created_at_ms,
         failing_since_ms, disabled_at_ms)
       values (?1, ?2, ?3, 'https://example.com/', '["campaign.changed"]', '[]', 0, 1, ?4, ?5)`,
      )
      .bind(id, companyId, campaignNumber, failingMs, disabledMs)
  const alert = (kind: string, campaignNumber: number, subject: string, sinceMs: number) =>
    companyDb
      .prepare(
        `insert into alerts (kind, campaign_number, company_id, subject, since_ms, raised_at_ms)
       values (?1, ?2, ?3, ?4, ?5, ?5)`,
      )
      .bind(kind, campaignNumber, companyId, subject, sinceMs)
  await companyDb.batch([
    webhook(delivering, campaign.number, null, null),
    webhook(failing, null, 1000, null),
    webhook(disabled, null, 1000, 2000),
    alert('no_agent', campaign.number, '', 3000),
    alert('webhook_failing', 0, failing, 1000),
  ])
  return { delivering, failing, disabled }
}

/** Raised ones, without their times. */
export async function raisedIn(companyId: string): Promise<string[]> {
  const { results } = await companyDb
    .prepare(
      `select kind, subject from alerts where company_id = ?1 and raised_at_ms is not null order by kind, subject`,
    )
    .bind(companyId)
    .all<{ kind: string; subject: string }>()
  return results.map(({ kind, subject }) => (subject === '' ? kind : `${kind} ${subject}`))
}

/** What was logged of alerts, in order. */
export async function loggedIn(companyId: string) {
  const entries = await entriesOf(companyId)
  return entries
    .filter(({ type }) => type.startsWith('alert.'))
    .map(({ type, data }) => [type.slice('alert.'.length), data.kind, data.subject, data.since])
}
