// What people have set, by name, and what may be there of it: the value of a request that was answered, unless another
// one may have come after it.
import type { Exchange } from '../observed.ts'
import type { Known } from './known.ts'

/** By one request. Null: it takes away what is there. */
export type Write = { readonly name: string; readonly value: string; readonly exchange: Exchange }

// biome-ignore lint/suspicious/noExplicitAny: whatever people send and are answered
type Values = Readonly<Record<string, any>>
type Named = Readonly<Record<string, string>>

const idIn = (path: string, before: string) => new RegExp(`/${before}/([^/?]+)`).exec(path)?.[1] ?? ''
const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
const prefixed = (prefix: string, values: Values): Named =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[`${prefix} ${name}`, text(value)]],
    ),
  )

function settingsOf(id: string, body: Values): Named {
  const { numberLimits: limits, requireConsent: consent, outcomes = {}, paused, timeZone } = body
  const {
    callingHours,
    appointmentHours,
    closedDates,
    leaseSeconds,
    maxAttempts,
    maxLiveCalls,
    callsPerMinute,
  } = body
  return prefixed(`campaign ${id}`, {
    ...{ paused, timeZone, callingHours, appointmentHours, closedDates, leaseSeconds, maxAttempts },
    ...(maxLiveCalls !== undefined && { maxLiveCalls }),
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(limits && { numberLimits: [limits.minGapMinutes, limits.per24Hours, limits.per7Days] }),
    ...(consent !== undefined && {
      requireConsent: [consent?.purpose ?? null, consent?.maxAgeDays ?? null],
    }),
    ...Object.fromEntries(
      Object.entries(outcomes as Record<string, { minutes: number }>).map(([outcome, { minutes }]) => [
        `after ${outcome}`,
        minutes,
      ]),
    ),
  })
}

type Consent = { phoneNumber: string; purpose: string; givenAt: string; expiresAt?: string }
const consentOf = ({ phoneNumber, purpose, givenAt, expiresAt }: Consent) => ({
  [`consent ${phoneNumber} ${purpose} ${Date.parse(givenAt)} ${expiresAt ? Date.parse(expiresAt) : null}`]:
    'true',
})

/** What a lead has of these. */
const leadOf = (id: string, { priority, scheduledFor, timeZone, metadata }: Values): Named =>
  prefixed(`lead ${id}`, {
    ...{ priority, timeZone, metadata },
    ...(scheduledFor !== undefined && {
      scheduledFor: scheduledFor === null ? null : Date.parse(scheduledFor),
    }),
  })

/** Of a campaign, by its path. */
const inCampaign = ({ path }: Exchange, values: Values): Named =>
  prefixed(`campaign ${idIn(path, 'campaigns')}`, values)

type Sets = (exchange: Exchange, data: Values) => Named

/** By operation: what a request sets that is carried out. `data`: empty where it was not answered. */
const sets: Readonly<Record<string, Sets>> = {
  createCampaign: ({ body }) => settingsOf(body.id, body),
  changeCampaign: ({ path, body }) => settingsOf(idIn(path, 'campaigns'), body),
  createKey: ({ body }, { keyId }) => ({ [`key ${keyId}`]: 'true', [`key ${keyId} scope`]: body.scope }),
  rotateKey: (_, { keyId, scope }) => ({ [`key ${keyId}`]: 'true', [`key ${keyId} scope`]: scope }),
  revokeKey: ({ path }) => ({ [`key ${idIn(path, 'keys')}`]: 'false' }),
  createMember: ({ body }, { memberId }) => ({
    [`member ${memberId}`]: 'true',
    [`member ${memberId} scope`]: body.scope,
  }),
  updateMember: ({ path, body }) => ({ [`member ${idIn(path, 'members')} scope`]: body.scope }),
  removeMember: ({ path }) => ({ [`member ${idIn(path, 'members')}`]: 'false' }),
  createWebhook: ({ body }, { webhookId }) => ({
    [`webhook ${webhookId}`]: 'true',
    [`webhook ${webhookId} url`]: body.url,
    [`webhook ${webhookId} disabled`]: 'false',
  }),
  changeWebhook: ({ path, body }) => ({
    [`webhook ${idIn(path, 'webhooks')} disabled`]: text(body.disabled),
  }),
  deleteWebhook: ({ path }) => ({ [`webhook ${idIn(path, 'webhooks')}`]: 'false' }),
  createSource: ({ body }, { sourceId }) => ({
    [`source ${sourceId}`]: 'true',
    [`source ${sourceId} name`]: body.name,
    [`source ${sourceId} enabled`]: 'true',
  }),
  changeSource: ({ path, body }) => ({ [`source ${idIn(path, 'sources')} enabled`]: text(body.enabled) }),
  deleteSource: ({ path }) => ({ [`source ${idIn(path, 'sources')}`]: 'false' }),
  setDialer: (exchange) =>
    inCampaign(exchange, {
      dialer: true,
      'dialer maxLive': exchange.body.maxLive,
      'dialer enabled': exchange.body.enabled,
    }),
  changeDialer: (exchange) =>
    inCampaign(exchange, {
      'dialer maxLive': exchange.body.maxLive,
      'dialer enabled': exchange.body.enabled,
    }),
  deleteDialer: (exchange) => inCampaign(exchange, { dialer: false, 'dialer enabled': false }),
  setGate: (exchange) =>
    inCampaign(exchange, {
      gate: true,
      'gate laterMinutes': exchange.body.laterMinutes,
      'gate whenSilent': exchange.body.whenSilent,
      'gate suppress': exchange.body.suppress,
    }),
  changeGate: (exchange) => inCampaign(exchange, { 'gate laterMinutes': exchange.body.laterMinutes }),
  deleteGate: (exchange) => inCampaign(exchange, { gate: false }),
  storeConsents: ({ body }) => Object.assign({}, ...body.consents.map(consentOf)),
  createLead: ({ body }, { leadId }) => ({
    ...(body.consent && consentOf({ ...body.consent, phoneNumber: body.phoneNumber })),
    ...leadOf(leadId, body),
  }),
  changeLead: ({ path, body }) => leadOf(idIn(path, 'leads'), body),
}

/** What it sets if it is carried out. What was refused, or is a dry run, sets nothing. */
export function writesOf(exchange: Exchange): readonly Write[] {
  const { operation, answer, path, body } = exchange
  // A lead that is answered again may have been changed since.
  if (path.includes('?dry') || answer?.headers['idempotent-replayed'] !== undefined) return []
  const isRefused = answer !== null && answer.status >= 300 && answer.status < 500
  // A consent is stored although its lead exists.
  const values =
    operation === 'createLead' && answer?.status === 409 && body.consent
      ? consentOf({ ...body.consent, phoneNumber: body.phoneNumber })
      : isRefused
        ? {}
        : (sets[operation]?.(exchange, answer?.body?.data ?? {}) ?? {})
  return Object.entries(values).map(([name, value]) => ({ name, value, exchange }))
}

const isAcknowledged = ({ answer }: Exchange) => answer !== null && answer.status < 300
const endedAt = (exchange: Exchange) =>
  isAcknowledged(exchange) ? (exchange.answeredAt as number) : Number.POSITIVE_INFINITY

/** Values that may be there at a moment between the two, of each name for which some request was answered. */
export function valuesOf(
  { exchanges }: Known,
  company: number,
  from: number,
  to = from,
): ReadonlyMap<string, readonly string[]> {
  const writes = exchanges
    .filter((one) => one.company === company && one.sentAt < to)
    .flatMap((one) => writesOf(one))
  const found = new Map<string, readonly string[]>()
  for (const [name, all] of Map.groupBy(writes, (write) => write.name)) {
    if (!all.some(({ exchange }) => endedAt(exchange) < from)) continue
    const isOver = (write: Write) =>
      all.some(({ exchange }) => exchange.sentAt > endedAt(write.exchange) && endedAt(exchange) < from)
    found.set(
      name,
      all.filter((write) => !isOver(write)).map(({ value }) => value),
    )
  }
  return found
}
