// The picks of a claim, as `claims` stores them: what is decided for each candidate, and what follows for its lead.
import { type SQL, sql } from 'drizzle-orm'

/** What a claim decides for a candidate of the queue. */
export const decided = {
  /** It is called now. */
  leased: sql`'leased'`,
  /** Blocked until some time, by a limit of its number for example: then it is due. */
  moved: sql`'moved'`,
  /** Its number must not be called, or no attempt is left: it leaves the queue. */
  dequeued: sql`'dequeued'`,
  /** The campaign requires a consent that the number lacks: it leaves the queue until there is one. */
  held: sql`'held'`,
  /** The gate of the campaign has not said yes: it leaves the queue until the gate has been asked. */
  asked: sql`'asked'`,
  /** The first one beyond the limit: it is not picked, and other agents are rung for it. */
  more: sql`'more'`,
}

/**
 * A pick, as `claims` stores it: a decision, until when the number is blocked, the lead's status before and after, the
 * consent by which it is called, and the key of its phone where another lead of the campaign has that, too.
 */
export const pickMembers = [
  'seq',
  'decision',
  'moved_to_ms',
  'pick_up_ms',
  'status_before',
  'status',
  'consent_id',
  'twin_key',
] as const
type PickMember = (typeof pickMembers)[number]

export const pickOf = (members: Readonly<Record<PickMember, SQL>>) =>
  sql`json_array(${sql.join(
    pickMembers.map((name) => members[name]),
    sql`, `,
  )})`

/** A member of `pick`, a row of json_each. */
export const ofPick = (name: PickMember, pick = 'pick') =>
  sql.raw(`${pick}.value ->> ${pickMembers.indexOf(name)}`)

/**
 * A value: the picks without those that would lease a phone a second time. Such a lead stays where it is: the next
 * claim finds its phone in a call.
 */
export const withoutTwins = (
  all: SQL,
) => sql`(select json_group_array(json(pick.value) order by pick.key) from json_each(${all}) as pick
      where ${ofPick('twin_key')} is null or not exists (select 1 from json_each(${all}) as near
        where near.key < pick.key and ${ofPick('twin_key', 'near')} = ${ofPick('twin_key')}))`

/** Joins the leased ones among the picks of the claim `c`, as `pick`. */
export const leasedPicks = sql`cross join json_each(c.picks) as pick on ${ofPick('decision')} = ${decided.leased}`
