// What the senders of webhooks write to the database, and which senders lag. What they read there is in
// pending-events.ts; what they remember themselves in sender-memory.ts.
import { type SQL, sql } from 'drizzle-orm'
import { isInThisStore } from '../../../base/access/store/directory.ts'
import { isWritableCompany, refuseWhileMoving } from '../../../base/access/store/moving.ts'
import { companies } from '../../../base/access/store/tables.ts'
import {
  type Bind,
  param,
  readRows,
  runBatch,
  runSteps,
  statement,
  type Value,
} from '../../../base/database/database.ts'
import { collectNotices } from '../../../base/database/notices.ts'
import { appendAlways, theSystem } from '../../../base/ledger/log/append.ts'
import { type LogEnd, newestEpoch, readEpochs } from '../../../base/ledger/log/epochs.ts'
import { isSending, webhooks } from '../../../base/ledger/log/tables.ts'
import { limits, waits } from '../../../base/limits.ts'
import { logHead, webhookEntry } from './endpoints.ts'
import type { GivenUp } from './sender-memory.ts'

const setPassed = statement<'passed'>(sql`update ${webhooks} set passed_number = item.value ->> 1
  from json_each(${param('passed')}) as item
  where ${webhooks.id} = item.value ->> 0 and ${webhooks.passedNumber} < item.value ->> 1
    and ${isWritableCompany(webhooks.companyId)}`)

const idsOf = statement<'companyId'>(sql`select ${webhooks.id} from ${webhooks}
  where ${webhooks.companyId} = ${param('companyId')}`)

export async function listWebhookIds(db: D1Database, companyId: string): Promise<readonly string[]> {
  return (await readRows<{ id: string }>(db, idsOf(db, { companyId }))).map(({ id }) => id)
}

/** The last entry that a webhook has passed. */
export type Passed = readonly [webhookId: string, number: number]

/** Throws DatabaseUnavailable, as every function here. */
export async function notePassed(db: D1Database, passed: readonly Passed[]): Promise<void> {
  if (passed.length > 0) await runBatch(db, [setPassed(db, { passed: JSON.stringify(passed) })])
}

/** While its company moves: refused, and repeated later. */
const notWhileMoving = refuseWhileMoving(
  sql`select w.company_id from ${webhooks} as w where w.id = ${param('webhookId')}`,
)

const disableSteps = [
  notWhileMoving,
  appendAlways(
    sql`select ${webhookEntry('webhook.disabled', sql`'reason', ${param('reason')}`)} from ${webhooks} as w
      where w.id = ${param('webhookId')} and w.disabled_at_ms is null`,
    theSystem,
  ),
  sql`update ${webhooks} set disabled_at_ms = ${param('nowMs')}, disabled_reason = ${param('reason')}
    where id = ${param('webhookId')} and disabled_at_ms is null`,
].map(statement<'nowMs' | 'reason' | 'webhookId'>)

/** Returns the other webhooks that may have this to send. */
export async function disableWebhook(
  db: D1Database,
  webhookId: string,
  reason: 'gone' | 'dead',
  nowMs: number,
): Promise<readonly string[]> {
  const values = { nowMs, webhookId, reason }
  return runNoticing(db, disableSteps, values)
}

type SenderNote = {
  readonly webhookId: string
  /** Null: the receiver is well. */
  readonly failingSinceMs: number | null
  readonly givenUp: readonly GivenUp[]
}

/** In one note. */
export const givenUpPerNote = 100

// Giving up a `webhook.gave_up` is not logged: two webhooks would cause such events for each other without end.
const noteSteps = [
  notWhileMoving,
  appendAlways(
    sql`select ${webhookEntry(
      'webhook.gave_up',
      sql`'eventId', item.value ->> 'eventId', 'type', item.value ->> 'type',
        'status', item.value ->> 'status'`,
    )}
      from ${webhooks} as w
      cross join json_each(${param('givenUp')}) as item
      where w.id = ${param('webhookId')} and item.value ->> 'id' > w.given_up
        and item.value ->> 'type' <> 'webhook.gave_up'
      order by item.key`,
    theSystem,
  ),
  sql`update ${webhooks} set given_up = max(given_up, ${param('lastGivenUp')}),
      failing_since_ms = ${param('failingSinceMs')}
    where id = ${param('webhookId')}`,
].map(statement<'nowMs' | 'givenUp' | 'webhookId' | 'lastGivenUp' | 'failingSinceMs'>)

/** Returns the other webhooks that may have this to send. */
export async function noteSender(
  db: D1Database,
  { webhookId, failingSinceMs, givenUp }: SenderNote,
  nowMs: number,
): Promise<readonly string[]> {
  const lastGivenUp = givenUp.at(-1)?.id ?? 0
  const values = { nowMs, webhookId, failingSinceMs, givenUp: JSON.stringify(givenUp), lastGivenUp }
  return runNoticing(db, noteSteps, values)
}

async function runNoticing<Values extends { readonly webhookId: string } & Record<string, Value>>(
  db: D1Database,
  steps: readonly Bind<Extract<keyof Values, string>>[],
  values: Values,
): Promise<readonly string[]> {
  const listeners = new Set<string>()
  await runSteps(collectNotices(db, { listeners }), steps, values, waits.administrationMs)
  listeners.delete(values.webhookId)
  return [...listeners]
}

const head = logHead(sql`w.company_id`)

/** Of a row, by its `rowid`: in one minute of five. Placeholder `nowMs`. */
export const isTurn = (rowid: SQL) =>
  sql`${rowid} % 5 = ${param('nowMs')} / ${sql.raw(`${limits.minuteMs}`)} % 5`

// In random order, so that none is left out each time when there are more.
const isAsked = isTurn(sql`w.rowid * ${param('spread')}`)
const laggingWebhooks = statement<'maxWebhooks' | 'nowMs' | 'spread'>(sql`
  select w.id as "webhookId", w.company_id as "companyId", coalesce(w.campaign_number, 0) as "campaignNumber",
    ${head} as head, co.log_epochs as epochs, ${isAsked} as "isTurn"
  from ${webhooks} as w
  cross join ${companies} as co on co.id = w.company_id and ${isInThisStore(sql`co`)}
  where ${isSending(sql`w`)} and (${head} > w.passed_number or ${isAsked})
  order by random()
  limit ${param('maxWebhooks')}`)

type Lagging = {
  readonly webhookId: string
  readonly companyId: string
  /** 0: it gets events of all. */
  readonly campaignNumber: number
  readonly end: LogEnd
  /** To say since when its work is due. */
  readonly isTurn: boolean
}

/**
 * Webhooks that have not passed the end of the log, as far as the database knows, and those whose turn it is:
 * `isAtOnce`, all.
 */
export async function listLagging(
  db: D1Database,
  { maxWebhooks, isAtOnce }: { readonly maxWebhooks: number; readonly isAtOnce: boolean },
  nowMs: number,
): Promise<readonly Lagging[]> {
  type Row = Omit<Lagging, 'end' | 'isTurn'> & { head: number; epochs: string; isTurn: number }
  const found = await readRows<Row>(db, laggingWebhooks(db, { maxWebhooks, nowMs, spread: isAtOnce ? 0 : 1 }))
  return found.map(({ head, epochs, isTurn, ...row }) => ({
    ...row,
    end: { head, epoch: newestEpoch(readEpochs(epochs)) },
    isTurn: isTurn === 1,
  }))
}
