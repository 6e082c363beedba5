// What an answer teaches. A request that writes settings or lifts a no counts from its commit, whether it was answered
// or not.
import { phoneOf, type Settings } from '../cast.ts'
import type { Answer, Exchange } from '../observed.ts'
import { committedAt, endedAt, type Known, type Made, settingsAt } from './known.ts'

type Lesson = (known: Known, exchange: Exchange, data: Answer['body']) => void

const campaignOf = ({ cast }: Known, { company }: Exchange, id: string | null | undefined): number | null => {
  const index = cast.companies[company ?? 0]?.campaigns.findIndex((campaign) => campaign.id === id) ?? -1
  return index === -1 ? null : index
}

const saidOf = (known: Known, exchange: Exchange) => {
  // What gates have said is lifted without a body: no person has said it.
  type Said = { phoneNumbers?: string[]; campaignId?: string }
  const { phoneNumbers = [], campaignId } = (exchange.body ?? {}) as Said
  const campaign = campaignOf(known, exchange, campaignId)
  const company = exchange.company as number
  return phoneNumbers.map((number) => ({ company, campaign, phone: phoneOf(known.cast, number), exchange }))
}

function noteLead(known: Known, exchange: Exchange, leadId: string, item: Record<string, string>): void {
  if (known.leads.some((lead) => lead.leadId === leadId)) return
  const company = exchange.company as number
  const phone = phoneOf(known.cast, item.phoneNumber as string)
  const erasure = known.erased.find(
    (one) => one.company === company && one.phone === phone && endedAt(one.exchange) > exchange.sentAt,
  )
  known.leads.push({
    leadId,
    company,
    campaign: campaignOf(known, exchange, exchange.body.campaignId) as number,
    phone,
    phoneNumber: item.phoneNumber as string,
    externalId: item.externalId as string,
    sent: item,
    exchange,
    // By one that came meanwhile.
    erasedBy: erasure?.exchange ?? null,
  })
}

type ClaimedCall = { readonly callId: string; readonly lead: { readonly externalId: string } }

function noteLeased(
  known: Known,
  exchange: Exchange,
  calls: readonly ClaimedCall[],
  campaignId = exchange.body.campaignId ?? exchange.body.claim?.campaignId,
): void {
  const company = exchange.company as number
  const campaign = campaignOf(known, exchange, campaignId) as number
  for (const { callId, lead } of calls)
    if (!known.leased.some((leased) => leased.callId === callId))
      known.leased.push({ callId, company, campaign, externalId: lead.externalId, exchange })
}

/** As it was answered. */
type MadeData = {
  readonly key?: string
  readonly url?: string
  readonly scope?: string
  readonly campaignId?: string | null
  readonly expiresAt?: string | null
}

function noteMade(
  known: Known,
  list: 'keys' | 'members' | 'sources',
  exchange: Exchange,
  id: string,
  { key, url, scope, campaignId: ofAnswer, expiresAt }: MadeData,
): void {
  const [, campaignId] = /\/campaigns\/([^/?]+)/.exec(exchange.path) ?? []
  const campaign = campaignOf(known, exchange, campaignId ?? ofAnswer)
  const company = exchange.company as number
  known[list].push({
    ...{ company, id, campaign, text: key ?? url ?? '', scope: scope ?? null, endedBy: null },
    endsAtMs: expiresAt ? Date.parse(expiresAt) : null,
    ...(campaignId !== undefined && { campaignId }),
  })
}

function noteEnd(made: readonly Made[], id: string, exchange: Exchange): void {
  for (const one of made) if (one.id === id) one.endedBy ??= exchange
}

/** Of a source's URL. */
const versionOf = (url: string) => Number(url.split('~')[3])

/** By operation, from an answer of 2xx. */
const lessons: Readonly<Record<string, Lesson>> = {
  createLead: (known, exchange, { leadId }) => noteLead(known, exchange, leadId, exchange.body),
  createLeads(known, exchange, { createdIds, skippedPhones, results }) {
    type Result = { readonly status: string; readonly leadId: string }
    if (results !== undefined) {
      results.forEach(({ status, leadId }: Result, index: number) => {
        if (status === 'created') noteLead(known, exchange, leadId, exchange.body.leads[index])
      })
      return
    }
    // Of a number that is sent twice the first is created.
    const skipped = [...skippedPhones]
    const created = exchange.body.leads.toReversed().filter(({ phoneNumber }: { phoneNumber: string }) => {
      const at = skipped.indexOf(phoneNumber)
      if (at !== -1) skipped.splice(at, 1)
      return at === -1
    })
    createdIds.forEach((leadId: string, index: number) => {
      noteLead(known, exchange, leadId, created.at(-1 - index))
    })
  },
  findCaller: (known, exchange, { call, campaign }) =>
    noteLeased(known, exchange, call == null ? [] : [call], campaign?.id),
  claimCalls: (known, exchange, { calls }) => noteLeased(known, exchange, calls),
  reportCalls(known, exchange, { results, claim }) {
    const company = exchange.company as number
    exchange.body.calls.forEach((call: Record<string, string>, index: number) => {
      const { result } = results[index]
      const callId = call.callId as string
      const doNotCall = call.outcome === 'do_not_call' || Boolean(call.doNotCall)
      known.reports.push({ callId, outcome: call.outcome as string, doNotCall, result, exchange })
      const leased = known.leased.find((one) => one.callId === callId)
      const phone = known.calls.find((one) => one.callId === callId)?.phone
      // What is repeated is no other no.
      const isNew =
        result !== 'replayed' || !known.noes.some((no) => no.company === company && no.phone === phone)
      if (
        isNew &&
        doNotCall &&
        leased !== undefined &&
        phone !== undefined &&
        result !== 'unknown_call' &&
        result !== 'conflict'
      )
        known.noes.push({ company, campaign: null, phone, exchange })
    })
    if (claim) noteLeased(known, exchange, claim.calls)
  },
  createKey(known, exchange, data) {
    const { expiresAt = data.expiresAt } = exchange.body
    noteMade(known, 'keys', exchange, data.keyId, { ...data, expiresAt })
  },
  createMember: (known, exchange, data) => noteMade(known, 'members', exchange, data.memberId, data),
  signIn(known, exchange) {
    const member = exchange.about as Made
    const [, text] = /'lead-intake-key','(lk_\w+)'/.exec(String(exchange.answer?.body)) ?? []
    // One that was removed meanwhile has none that lasts.
    if (text !== undefined) known.sessions.push({ ...member, text, exchange, scope: null })
  },
  signOut: (_, exchange) => noteEnd([exchange.about as Made], (exchange.about as Made).id, exchange),
  getOwnKey(known, { key }, { scope }) {
    for (const session of known.sessions) if (session.text === key) session.scope = scope
  },
  removeMember(known, exchange, { memberId }) {
    noteEnd(known.members, memberId, exchange)
    noteEnd(known.sessions, memberId, exchange)
  },
  updateMember(known, exchange, { memberId, scope }) {
    const scopes = ['read', 'write', 'manage']
    const mayDoMore = known.sessions.filter(
      (session) =>
        scopes.indexOf(session.scope ?? 'read') > scopes.indexOf(scope) &&
        (session.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < exchange.sentAt,
    )
    noteEnd(mayDoMore, memberId, exchange)
  },
  createSource: (known, exchange, data) => noteMade(known, 'sources', exchange, data.sourceId, data),
  rotateSource(known, exchange, { sourceId, url }) {
    // The answer to another rotation, which came later, may be here already.
    const earlier = known.sources.filter(({ text }) => versionOf(text) < versionOf(url))
    noteEnd(earlier, sourceId, exchange)
    noteMade(known, 'sources', exchange, sourceId, { url })
  },
  rotateKey(known, exchange, data) {
    noteMade(known, 'keys', exchange, data.keyId, data)
    const id = exchange.path.split('/').at(-2) as string
    if (exchange.body.graceSeconds === 0) noteEnd(known.keys, id, exchange)
    for (const one of known.keys) if (one.id === id) one.endsAtMs = Date.parse(data.previousExpiresAt)
  },
  revokeKey: (known, exchange, { keyId }) => noteEnd(known.keys, keyId, exchange),
  createWebhook(known, exchange, { webhookId, secret }) {
    const [, name = ''] = new URL(exchange.body.url).pathname.split('/')
    const company = exchange.company as number
    known.webhooks.push({ webhookId, company, name, secrets: [secret], exchange, isChanged: false })
  },
  rotateWebhook: (known, _, { webhookId, secret }) =>
    void known.webhooks.find((one) => one.webhookId === webhookId)?.secrets.push(secret),
  listEvents(known, exchange, { events, next }) {
    if (exchange.who === 'integrator') known.polled[exchange.company ?? 0]?.push({ events, next })
  },
  post(known, exchange) {
    const { source, phone, isNo } = exchange.about as { source: Made; phone: number; isNo: boolean }
    if (isNo) known.noes.push({ company: source.company, campaign: source.campaign, phone, exchange })
  },
  erasePerson(known, exchange) {
    const phone = phoneOf(known.cast, exchange.body.phoneNumber)
    if (exchange.body.suppress)
      known.noes.push({ company: exchange.company as number, campaign: null, phone, exchange })
  },
  withdrawConsents(known, exchange) {
    const phone = phoneOf(known.cast, exchange.body.phoneNumber)
    known.withdrawals.push({ company: exchange.company as number, phone, exchange })
  },
  deleteSource: (known, exchange) =>
    noteEnd(known.sources, exchange.path.split('/').at(-1) as string, exchange),
  suppressNumbers: (known, exchange) => void known.noes.push(...saidOf(known, exchange)),
}

export function learn(known: Known, exchange: Exchange): void {
  const { answer, operation } = exchange
  // A dry run teaches nothing.
  if (answer === null || answer.status >= 300 || exchange.path.includes('?dry')) return
  lessons[operation]?.(known, exchange, answer.body?.data)
}

/** From the moment on at which it is sent: it may be carried out whatever its client hears. */
export function learnSent(known: Known, exchange: Exchange): void {
  const { operation, company, path, body } = exchange
  if (operation === 'eraseLead') {
    const lead = known.leads.find(({ leadId }) => path.endsWith(leadId))
    if (lead !== undefined) lead.erasedBy = exchange
    if (lead !== undefined) known.erased.push({ company: lead.company, phone: lead.phone, exchange })
  }
  if (operation === 'erasePerson') {
    const phone = phoneOf(known.cast, body.phoneNumber)
    for (const lead of known.leads)
      if (lead.company === company && lead.phone === phone) lead.erasedBy = exchange
    known.erased.push({ company: company as number, phone, exchange })
  }
  if (operation === 'changeWebhook' || operation === 'deleteWebhook')
    for (const webhook of known.webhooks) if (path.endsWith(webhook.webhookId)) webhook.isChanged = true
  if (operation === 'restoreCompany') known.restored.add(company)
  if (operation === 'liftSuppressions') known.lifts.push(...saidOf(known, exchange))
}

/** From a commit. */
export function learnCommitted(known: Known, exchange: Exchange): void {
  if (exchange.operation !== 'changeCampaign') return
  if (!exchange.commits.at(-1)?.changed.some(({ table }) => table === 'calling_settings')) return
  const [, id] = /\/campaigns\/([^/?]+)/.exec(exchange.path) ?? []
  const campaign = campaignOf(known, exchange, id)
  if (campaign === null) return
  const [company, from] = [exchange.company as number, committedAt(exchange) as number]
  const before = settingsAt(known, company, campaign, from)
  const change = exchange.body as Partial<Settings>
  const merged = {
    numberLimits: { ...before.numberLimits, ...change.numberLimits },
    // What is not named stays.
    outcomes: { ...before.outcomes, ...change.outcomes },
  }
  known.settings[company]?.[campaign]?.push({
    settings: { ...before, ...change, ...merged },
    from,
    fromMs: exchange.commits.at(-1)?.atMs ?? 0,
    askedMs: exchange.sentMs,
  })
}
