// 1b. What was answered 4xx, or was a dry run, has changed nothing; and nothing is carried out whose dry run was
// misspelt.
import type { Known } from '../model/known.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

/** Windows, uses of keys, counters and the activity of refusals may change. */
const kept = new Set(
  ['leads', 'calls', 'suppressions', 'suppressed_hashes', 'retained_hashes', 'consents', 'number_log'].concat(
    ['calling_settings', 'campaigns', 'api_keys', 'members', 'webhooks', 'sources', 'dialers', 'events'],
  ),
)

const ofLeases = ['leads', 'calls', 'events']

export const refusedChangesNothing: Promised = {
  name: 'refused changes nothing',

  onAnswer(exchange, known) {
    const { operation, answer, commits, body, path } = exchange
    const isTrial = path.includes('?dry')
    if (answer === null || answer.status >= 500) return null
    if (isTrial && !path.includes('?dryRun=') && answer.status < 400) return `${path} is carried out`
    if (answer.status < 400 && !isTrial) return null
    // A source counts what it refuses, and logs it.
    if (operation === 'post') return null
    // A consent is stored although its lead exists, and may bring back leads that wait for one.
    if (operation === 'createLead' && answer.status === 409 && body.consent) return null
    if (operation === 'restoreCompany' && goesOnWithAnother(exchange, known)) return null
    // Before it looks at the leads, a requeue ends leases that have run out. A claim that waits is counted among the
    // agents and looks for leads while its key is still good: it ends leases, and holds leads that lack a consent, but
    // begins no call.
    const isWait = operation === 'claimCalls' && answer.status === 401 && body.waitSeconds
    const isCalled = known.calls.some(({ claimedAt }) => commits.some(({ moment }) => moment === claimedAt))
    const allowed = isWait && !isCalled ? ['calling_settings', ...ofLeases] : []
    const isAllowed = (table: string) =>
      (operation.startsWith('requeue') ? ofLeases : allowed).includes(table)
    const touched = commits
      .flatMap(({ changed }) => changed)
      .filter(({ table }) => kept.has(table) && !isAllowed(table))
    if (touched.length === 0) return null
    return `${operation} was answered ${answer.status}, and has changed ${touched.map(({ table }) => table).join(', ')}`
  },
}

/** One that is under way is carried out first, by whoever asks for the next. */
const goesOnWithAnother = (refused: Exchange, { exchanges }: Known): boolean =>
  exchanges.some(({ operation, company, sentAt, answer, answeredAt }) => {
    const isEnded = answer !== null && answer.status < 500 && (answeredAt ?? 0) <= refused.sentAt
    const isIt = operation === 'restoreCompany' && company === refused.company && answer !== refused.answer
    return isIt && !isEnded && sentAt < (refused.answeredAt ?? 0)
  })
