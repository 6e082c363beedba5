// Stores consents in the batch of a request, and returns the leads to the queue that were held because one was missing.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../base/access/store/tables.ts'
import { type Bind, param, type Value } from '../../../base/database/database.ts'
import { inSlices } from '../../../base/database/json-slices.ts'
import { notify } from '../../../base/database/notices.ts'
import { type ConsentsToStore, type Giver, insertConsents } from '../../../base/ledger/consent/consents.ts'
import { consents } from '../../../base/ledger/consent/tables.ts'
import { allowedFromMs } from '../../../base/ledger/consent/valid-consent.ts'
import { callingSettings } from '../../campaigns/store/tables.ts'
import { returningWaiting, waitingInCompany } from '../../campaigns/store/waiting.ts'
import { lacksYes, returnHeld } from './queue.ts'
import { leads } from './tables.ts'

/**
 * A campaign's key acts on the consents of numbers that have a lead in its campaign (D74); for these, in the whole
 * company. `granted` is a row with `campaign_number`, 0 for a key of the company.
 */
export const reachesNumber = (granted: SQL, phoneNumber: SQL) => sql`(${granted}.campaign_number = 0
  or exists (select 1 from ${leads} as reached
    where reached.campaign_number = ${granted}.campaign_number and reached.phone_number = ${phoneNumber}))`

/** `granted` as in Giver. */
export const giverOf = (granted: SQL): Giver => ({
  granted,
  mayGive: (phoneNumber) => reachesNumber(sql`granted`, phoneNumber),
})

/** Held leads of the company `granted` whose number has a consent now that their campaign takes. */
const freed = ({ granted, mayGive }: Giver) => sql`select l.seq,
    ${lacksYes(sql`l`, sql`s`, sql`${param('nowMs')}`)} as lacks_yes
  from ${granted} as granted
  cross join json_each(${param('consents')}) as item
  cross join ${leads} as l on l.phone_number = item.value ->> 0 and l.held_due_at_ms is not null
  cross join ${campaigns} as c on c.number = l.campaign_number and c.company_id = granted.company_id
  cross join ${callingSettings} as s on s.campaign_number = c.number
  where ${allowedFromMs({
    companyId: sql`granted.company_id`,
    phoneNumber: sql`l.phone_number`,
    settings: sql`s`,
    atMs: sql`${param('nowMs')}`,
  })} is not null and ${mayGive(sql`l.phone_number`)}`

/** A try before has stored them, and perhaps freed leads whose campaigns its lost answer named. */
const noticeAgain = (
  granted: SQL,
) => sql`select ${notify('waiting', waitingInCompany(sql`granted.company_id`))}
  from ${granted} as granted
  where exists (select 1 from json_each(${param('consents')}) as item
    cross join ${consents} as own on own.company_id = granted.company_id and own.id = item.value ->> 4)`

/**
 * The statements that store consents, for the batch of their leads or for one of their own, after insertTexts: the
 * leads that were held are among them. Placeholders `consents` and `nowMs`.
 */
export const consentSteps = (giver: Giver): readonly SQL[] => [
  noticeAgain(giver.granted),
  insertConsents(giver),
  sql`${returnHeld(freed(giver))} ${returningWaiting(sql`${leads.campaignNumber}`)}`,
]

/** Binds them to the consents of a request, cut into as many as their size needs. */
export const storingConsents =
  <Names extends string>(storeTexts: Bind<Names | 'texts'>, steps: readonly Bind<Names | 'consents'>[]) =>
  (
    db: D1Database,
    values: Readonly<Record<Names, Value>>,
    { rows, texts }: ConsentsToStore,
  ): readonly D1PreparedStatement[] => {
    const bind = <Own extends string>(step: Bind<Names | Own>, own: Readonly<Record<Own, Value>>) =>
      step(db, { ...values, ...own } as Readonly<Record<Names | Own, Value>>)
    return [
      ...inSlices(texts).map((slice) => bind(storeTexts, { texts: slice })),
      ...inSlices(rows).flatMap((slice) => steps.map((step) => bind(step, { consents: slice }))),
    ]
  }
