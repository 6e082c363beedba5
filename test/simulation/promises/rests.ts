// 7d. In an hour in which nobody asks for anything, nothing changes but what is named here, and no object wakes more
// often than src/admin/operations/costs.md says.
import { mostAlarms } from '../model/alarms.ts'
import type { Known } from '../model/known.ts'
import { type Changed, endsItsMove, type QuietHour } from '../model/quiet.ts'
import type { Promised } from './promise.ts'

export const rests: Promised = {
  name: 'rests',

  afterQuiet(hour, known) {
    const changed = hour.changed.find((one) => !mayChange(one, hour, known))
    if (changed !== undefined) {
      const { table, companyId, gone, came } = changed
      return `${table} of ${companyId} changes by itself: ${JSON.stringify([gone, came])}`
    }
    const woken = hour.woken.find((one) => one.alarms > mostAlarms(one, hour, known))
    return woken === undefined
      ? null
      : `${woken.className} ${woken.name} wakes ${woken.alarms} times in an hour without a request`
  },
}

/** What a store has, and whether statistics are right, is noted by the hour. */
const notes = new Set(['store_states', 'recounts'])
const dayMs = 86_400_000

function mayChange({ table, companyId, gone, came }: Changed, hour: QuietHour, known: Known): boolean {
  const { sinceMs } = hour
  if (notes.has(table) || worksByItself(companyId, known) || endsItsMove(companyId, hour)) return true
  // What a dialer has used.
  if (table === 'key_hours') return known.exchanges.some(({ operation }) => operation === 'setDialer')
  // Sessions are kept for a day after their end.
  if (table === 'api_keys' || table === 'store_keys') {
    const endOf = (row: (typeof gone)[number]) =>
      row.session_ends_at_ms ?? (row.member_id && row.expires_at_ms)
    return came.length === 0 && gone.every((row) => endOf(row) && endOf(row) < sinceMs - dayMs + 3_600_000)
  }
  // Picks are kept for a day.
  if (table === 'claims')
    return came.length === 0 && gone.every((row) => row.claimed_at_ms < sinceMs - dayMs + 3_600_000)
  // Hours open and close: an alert comes or goes, and is told.
  if (table === 'alerts') return true
  if (table === 'events') return came.every(({ type }) => type.startsWith('alert.')) && gone.length === 0
  const toldAlone = ({ passed_number, ...webhook }: Record<string, unknown>) => JSON.stringify(webhook)
  return table === 'webhooks' && gone.map(toldAlone).join() === came.map(toldAlone).join()
}

/** It has, or may have, a dialer that calls, or a gate that asks. */
const worksByItself = (companyId: string | null, { cast, exchanges }: Known): boolean =>
  exchanges.some(
    ({ operation, company }) =>
      (operation === 'setDialer' || operation === 'setGate') &&
      cast.companies[company ?? -1]?.id === companyId,
  )
