// A lead of a source's campaign that has ended, written as the calls that it stands for would have left it.
import { companyDb } from '../database/store.ts'
import type { Campaign } from '../world.ts'

const dayMs = 86_400_000

export type Ended = { readonly outcome: string; readonly endedAgoMs?: number; readonly status?: string }

/** `nowMs`: from which on it ended so long ago; a day, unless it is said. */
export async function endLead(
  { campaign, companyId }: { readonly campaign: Campaign; readonly companyId: string },
  phone: string,
  nowMs: number,
  { outcome, endedAgoMs = dayMs, status = 'exhausted' }: Ended,
): Promise<void> {
  const row = await companyDb
    .prepare(
      `update leads set status = ?3, finished_at_ms = ?4, due_at_ms = null, attempts = 1 where campaign_number = ?1
         and phone_number = ?2 returning seq`,
    )
    .bind(campaign.number, phone, status, nowMs - endedAgoMs)
    .first<{ seq: number }>()
  await companyDb
    .prepare(
      `insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt, outcome, ended_at_ms)
       values (?1, ?2, ?3, ?4, 'token', 1, ?5, ?3)`,
    )
    .bind(companyId, phone, nowMs - endedAgoMs, row?.seq as number, outcome)
    .run()
}
