// GET /activity: what people and keys changed, for people. Reading it does not start the logging of leads and calls.
import { granted, type KeyedExchange, keyAccessOf } from '../access/authenticate.ts'
import { type Answer, success } from '../http/envelope.ts'
import { readQueryOf } from '../http/validate.ts'
import { eventJson, eventsOf } from './event.ts'
import { activityQuery } from './input.ts'
import { readActivity } from './store/read-activity.ts'

const readActivityQuery = readQueryOf(activityQuery)

export async function getActivity(x: KeyedExchange): Promise<Answer> {
  const { actor, cursor } = await readActivityQuery(x)
  const before = cursor === null ? null : Number(cursor)
  const { entries, epochs, next } = await granted(x, readActivity(x.db, keyAccessOf(x), actor, before))
  const log = { companyId: x.apiKey.companyId, epochs }
  const activity = entries.flatMap((entry) => eventsOf(log, entry)).map(eventJson)
  return success({ activity, nextCursor: next === null ? null : String(next) })
}
