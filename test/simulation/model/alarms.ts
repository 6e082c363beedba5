// How often an object may wake in an hour in which nobody asks for anything, as src/admin/operations/costs.md says.
import type { Call } from '../observed.ts'
import type { Known, Rung } from './known.ts'
import type { QuietHour, Woken } from './quiet.ts'

const [byTheMinute, ofCall] = [60, 240]
const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** By class. A sender tries what fails again, less and less often. */
export function mostAlarms({ className, name, isBusy }: Woken, hour: QuietHour, known: Known): number {
  const { sinceMs, changed } = hour
  if (className === 'CompanyStore') {
    const forgotten = changed.filter(
      ({ table, companyId }) => table === 'api_keys' && name.includes(`:${companyId}:`),
    )
    return isBusy ? byTheMinute : 1 + forgotten.flatMap(({ gone }) => gone).length
  }
  if (className === 'WebhookSender') return 20
  if (className === 'RateLimiter') return 2
  if (className !== 'Dialer') return 0
  // Test calls are followed as well, and the start of a call may be lost.
  const begun = [...known.rung, ...known.calls.filter(({ isOfDialer }) => isOfDialer)]
  const followed = new Set(
    begun.filter((one) => endOf(one) > sinceMs - 4_000_000).map(({ callId }) => callId),
  )
  // A lead becomes due at most once, and is called then.
  const due = known.leads.filter(({ company }) => name.startsWith(`${known.cast.companies[company]?.id}/`))
  // It remembers some requests of each call for a day, and forgets them one by one.
  const old = known.rung.filter(({ atMs }) => atMs < sinceMs - dayMs + hourMs).length
  const most = byTheMinute + ofCall * followed.size + due.length + 20 * old
  if (!name.endsWith('/gate')) return most
  const company = known.cast.companies.findIndex(({ id }) => name.startsWith(`${id}/`))
  const asked = known.gates.asked.filter(
    ({ place, atMs }) => place.startsWith(`${company}/`) && atMs > sinceMs,
  )
  return most + byTheMinute + asked.length
}

const endOf = (one: Rung | Call): number =>
  'talk' in one ? Math.max(one.atMs, one.talk.endedAtMs) : one.claimedAtMs
