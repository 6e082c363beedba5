// Puts calls of a version before into the index of a campaign's calls, which has those with a `campaign_number`: a part
// each minute, lead by lead. Each new call has it, by its insert or by a trigger (see the migration).
import { sql } from 'drizzle-orm'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { param, readRows, runSteps, statement } from '../../../../base/database/database.ts'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { campaignAt } from '../../../leads/store/row.ts'
import { allPlaces, nextOfCalls, passCalls, pauseFor } from '../../../leads/store/search-index.ts'
import { leads } from '../../../leads/store/tables.ts'
import { callKeyColumns, updateCalls } from '../../store/sql/call-end.ts'

const stepsPerMinute = 200

const nextPlace = statement(nextOfCalls)
type NextPlace = { readonly afterSeq: number; readonly untilSeq: number | null }

/** Of a lead that was erased too: its calls stay under the text that replaces its number. */
const found = sql`select ${callKeyColumns}, c.number
  from ${leads} as l
  cross join ${campaigns} as c on c.number = ${campaignAt(sql`l.seq`)}
  cross join ${calls} as k on k.company_id = c.company_id and k.phone_number = l.phone_number and k.seq = l.seq
    and k.campaign_number is null
  where l.seq > ${param('afterSeq')} and l.seq <= coalesce(${param('untilSeq')}, ${allPlaces})`

const indexSteps = [
  statement<'afterSeq' | 'untilSeq'>(updateCalls(sql`campaign_number = found.number`, found)),
  statement<'afterSeq' | 'untilSeq'>(passCalls),
]

/**
 * A minute's part. Another step may run at the same time, or after one whose answer was lost. Throws
 * DatabaseUnavailable.
 */
export async function indexCallsByTheMinute(db: D1Database): Promise<void> {
  for (let step = 0; step < stepsPerMinute; step++) {
    const beganAtMs = Date.now()
    const [place] = await readRows<NextPlace>(db, nextPlace(db, {}))
    if (place === undefined) return
    await runSteps(db, indexSteps, place)
    await pauseFor(Date.now() - beganAtMs)
  }
}
