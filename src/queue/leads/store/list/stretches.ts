// The range of places that a page is read from: whole, or in stretches between runs of erased leads.
import { type SQL, sql } from 'drizzle-orm'
import { erasedRuns, leads } from '../tables.ts'

/** Joins the leads above one place, up to another, and orders them either way. */
type Range = { readonly join: SQL; readonly ascending: SQL; readonly descending: SQL }

export const whole = (lowest: SQL, highest: SQL): Range => ({
  join: sql`cross join ${leads} on ${leads.seq} > ${lowest} and ${leads.seq} <= ${highest}`,
  ascending: sql`order by ${leads.seq}`,
  descending: sql`order by ${leads.seq} desc`,
})

/** The same in stretches, each from the end of a run of erased leads to the next run: erased leads are not read. */
export const betweenRuns = (before: SQL, lowest: SQL, highest: SQL): Range => ({
  join: sql`left join ${erasedRuns} as run on run.first_seq <= ${highest}
      and run.first_seq >= (select earlier.first_seq from ${erasedRuns} as earlier
        where earlier.first_seq >= ${before} and earlier.first_seq <= ${lowest} + 1
        order by earlier.first_seq desc
        limit 1)
    cross join ${leads} on ${leads.seq} > max(${lowest}, coalesce(run.last_seq, 0))
      and ${leads.seq} <= min(${highest}, coalesce((select later.first_seq from ${erasedRuns} as later
        where later.first_seq > run.first_seq
        order by later.first_seq
        limit 1) - 1, 9e18))`,
  ascending: sql`order by run.first_seq, ${leads.seq}`,
  descending: sql`order by run.first_seq desc, ${leads.seq} desc`,
})
