// What people have done in the middle of something else: an answer tells that they have, and what is known, of what.
import type { FaultName } from '../faults.ts'
import type { Exchange } from '../observed.ts'
import type { Known } from './known.ts'

type Middle = (known: Known, exchange: Exchange) => FaultName | null

/** A call of the company was open while it was carried out; of its dialers, or of anybody. */
function hasOpenCall({ calls }: Known, { company, sentAt }: Exchange, campaign: number | null): boolean {
  return calls.some(
    (call) =>
      call.company === company &&
      (campaign === null || (call.campaign === campaign && call.exchange === null)) &&
      (call.endedAt ?? Number.POSITIVE_INFINITY) > sentAt,
  )
}

const hasLiveDialer = (known: Known, exchange: Exchange): boolean => {
  const [, id] = /\/campaigns\/([^/?]+)/.exec(exchange.path) ?? []
  const { campaigns = [] } = known.cast.companies[exchange.company ?? 0] ?? {}
  const campaign = campaigns.findIndex((one) => one.id === id)
  return campaign !== -1 && hasOpenCall(known, exchange, campaign)
}

const changesDialer: Middle = (known, exchange) => (hasLiveDialer(known, exchange) ? 'dialer changed' : null)

const endsKey: Middle = ({ keys, exchanges }, exchange) => {
  const ended = keys.find(({ endedBy }) => endedBy === exchange)
  const isUsed = exchanges.some(
    ({ key, answer }) => key !== null && key === ended?.text && answer?.status === 200,
  )
  return isUsed ? 'key revoked' : null
}

const endsMember: Middle = ({ sessions, exchanges }, exchange) => {
  const ended = new Set(sessions.filter(({ endedBy }) => endedBy === exchange).map(({ text }) => text))
  const isUsed = exchanges.some(({ key, answer }) => ended.has(key ?? '') && answer?.status === 200)
  return isUsed ? 'member removed' : null
}

/** By operation, of what was answered 2xx. */
const middles: Readonly<Record<string, Middle>> = {
  moveCompany: (known, exchange) =>
    Date.parse(exchange.answer?.body.data.requestedAt) >= exchange.sentMs &&
    hasOpenCall(known, exchange, null)
      ? 'move begun'
      : null,
  abortMove: () => 'move aborted',
  restoreCompany: (known, exchange) => {
    const toMs = Date.parse(exchange.body.to)
    const isUndone = known.exchanges.some(
      (one) =>
        one.operation === 'restoreCompany' &&
        one.company === exchange.company &&
        one.answer?.status === 200 &&
        one !== exchange &&
        Date.parse(one.body.to) < toMs &&
        toMs <= one.sentMs,
    )
    if (isUndone) return 'restore undone'
    return hasOpenCall(known, exchange, null) ? 'restore begun' : null
  },
  setDialer: changesDialer,
  changeDialer: changesDialer,
  deleteDialer: (known, exchange) => (hasLiveDialer(known, exchange) ? 'dialer deleted' : null),
  removeMember: endsMember,
  updateMember: endsMember,
  revokeKey: endsKey,
  rotateKey: endsKey,
}

export function middleOf(known: Known, exchange: Exchange): FaultName | null {
  const { answer, operation } = exchange
  if (answer?.status === 503) return 'answered 503'
  return answer !== null && answer.status < 300 ? (middles[operation]?.(known, exchange) ?? null) : null
}
