// The Worker: every endpoint, one line each, with the right it needs, and the jobs of the cron. The only place that
// answers errors, and that charges an address for a request without a valid key.
import { scheduler } from 'node:timers/promises'
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import { keyed } from './base/access/authenticate.ts'
import { noteUse } from './base/access/note-use.ts'
import { getKeys, getOwnKey } from './base/access/routes.ts'
import { runJobs } from './base/database/cron-jobs.ts'
import { DatabaseUnavailable, hasUnrendered, renderSome } from './base/database/database.ts'
import { type Answer, failure } from './base/http/envelope.ts'
import { ApiError, type Problem } from './base/http/errors.ts'
import { type Exchange, isApi, respond, type Serve } from './base/http/respond.ts'
import { getSecurityTxt } from './base/http/security-txt.ts'
import { beat } from './base/rate-limits/pulse.ts'
import {
  bulkPerKey,
  chargeAddress,
  hasLimitHeaders,
  healthPerAddress,
  setAddressHeaders,
  unknownPerAddress,
} from './base/rate-limits/rate-limit.ts'
import type { Window } from './base/rate-limits/sliding-window.ts'
import * as gateRoutes from './channels/dialers/gate/gate-routes.ts'
import { nudgePath } from './channels/dialers/nudge.ts'
import * as dialerRoutes from './channels/dialers/routes.ts'
import { wakeDialers } from './channels/dialers/wake-dialers.ts'
import { getActivity, getEvents } from './channels/events/routes.ts'
import { answerPost, postToSource } from './channels/sources/receive.ts'
import * as sourceRoutes from './channels/sources/routes.ts'
import { sourcePath } from './channels/sources/source-token.ts'
import * as webhookRoutes from './channels/webhooks/routes.ts'
import { outdateSenders, wakeSenders } from './channels/webhooks/wake-senders.ts'
import { getDiagnosis } from './control/alerts/diagnosis.ts'
import { getOverview } from './control/alerts/routes.ts'
import { workByTheMinute } from './control/companies/jobs.ts'
import { driveMoves } from './control/companies/move/drive-moves.ts'
import { deleteMove, getMove, postMove } from './control/companies/move/routes.ts'
import { postRestore, postRestored, postRestoring } from './control/companies/restore-routes.ts'
import { getCompanies, getCompany, patchCompany, postCompany } from './control/companies/routes.ts'
import { tendStores } from './control/companies/tend-stores.ts'
import { deleteKey, postKey, postRotateKey } from './control/keys/routes.ts'
import { deleteMember, getMember, getMembers, patchMember, postMember } from './control/members/routes.ts'
import { deleteSession, getSession, getSignIn } from './control/members/session-routes.ts'
import { getCampaigns } from './control/statistics/list-campaigns.ts'
import { getStatistics } from './control/statistics/routes.ts'
import { checkHealth } from './health.ts'
import { hintOf } from './hints.ts'
import { ringCampaigns } from './queue/calling/bell/ring-campaigns.ts'
import * as campaignRoutes from './queue/calling/campaigns.ts'
import { getCallingOfLead, getCallsOfLead, postRequeue } from './queue/calling/lead-calls.ts'
import { getOpenCalls, postClaim, postExtend, postRelease, postReport } from './queue/calling/routes.ts'
import { getCallsOfCampaign } from './queue/calling/table/routes.ts'
import * as consentRoutes from './queue/consents/routes.ts'
import { deleteLead, postErasure } from './queue/erasure/routes.ts'
import { leadIdPattern } from './queue/leads/lead.ts'
import { listLeads } from './queue/leads/list.ts'
import { getLead, patchLead, postBulk, postLead } from './queue/leads/routes.ts'
import { postRequeueOfSelection, searchLeads } from './queue/search/routes.ts'
import { deleteSuppressions, getSuppressions, postSuppressions } from './queue/suppression/routes.ts'

export { RateLimiter } from './base/rate-limits/rate-limiter.ts'
export { Dialer } from './channels/dialers/dialer.ts'
export { WebhookSender } from './channels/webhooks/sender.ts'
export { CompanyStore } from './control/companies/company-object.ts'
export { CampaignBell } from './queue/calling/bell/campaign-bell.ts'

// Hono itself would try another router first, which cannot take a path such as that of a lead.
const app = new HonoBase<{ Bindings: Env }>({ router: new TrieRouter() })

/** GET serves HEAD too. `finish`: what each answer is sent as, of an error too. */
function endpoint(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  serve: Serve,
  finish = (_: Exchange, answer: Answer) => answer,
): void {
  const serveAndNote: Serve = async (x) => {
    const answer = await serve(x)
    noteUse(x, answer)
    if (hasUnrendered()) x.c.executionCtx.waitUntil(scheduler.wait(1).then(renderSome))
    return answer
  }
  const answerAndFinish = async (x: Exchange, error: unknown) => finish(x, await answerError(x, error))
  app.on(method, path, (c) => respond(c, path, serveAndNote, { ...hooks, answerError: answerAndFinish }))
}

endpoint('GET', '/api/health', open(healthPerAddress, checkHealth))

endpoint('POST', '/api/v1/leads', keyed('write', postLead))
endpoint('GET', '/api/v1/leads', keyed('read', listLeads))
endpoint('POST', '/api/v1/leads/bulk', keyed('write', postBulk, bulkPerKey))
endpoint('GET', '/api/v1/leads/search', keyed('read', searchLeads))
endpoint('POST', '/api/v1/leads/requeue', keyed('write', postRequeueOfSelection))
const lead = `/api/v1/leads/:leadId{${leadIdPattern}}`
endpoint('GET', lead, keyed('look', getLead))
endpoint('PATCH', lead, keyed('write', patchLead))
endpoint('DELETE', lead, keyed('manage', deleteLead))

endpoint('GET', `${lead}/calls`, keyed('look', getCallsOfLead))
endpoint('GET', `${lead}/calling`, keyed('look', getCallingOfLead))
endpoint('POST', `${lead}/requeue`, keyed('write', postRequeue))

endpoint('POST', '/api/v1/calls/claim', keyed('agent', postClaim))
endpoint('POST', '/api/v1/calls/report', keyed('agent', postReport))
endpoint('POST', '/api/v1/calls/extend', keyed('agent', postExtend))
endpoint('POST', '/api/v1/calls/release', keyed('agent', postRelease))
endpoint('POST', '/api/v1/calls/inbound', keyed('agent', dialerRoutes.postInbound))
endpoint('GET', '/api/v1/calls', keyed('agent', getOpenCalls))

endpoint('GET', '/api/v1/campaigns', keyed('look', getCampaigns))
endpoint('POST', '/api/v1/campaigns', keyed('manage', campaignRoutes.postCampaign))
endpoint('GET', '/api/v1/campaigns/:campaignId', keyed('look', campaignRoutes.getCampaign))
endpoint('GET', '/api/v1/campaigns/:campaignId/preview', keyed('look', campaignRoutes.getPreview))
endpoint('GET', '/api/v1/campaigns/:campaignId/calls', keyed('read', getCallsOfCampaign))
endpoint('GET', '/api/v1/campaigns/:campaignId/stats', keyed('look', getStatistics))
endpoint('GET', '/api/v1/campaigns/:campaignId/overview', keyed('look', getOverview))
endpoint('PATCH', '/api/v1/campaigns/:campaignId', keyed('manage', campaignRoutes.patchCampaign))
endpoint('POST', '/api/v1/campaigns/:campaignId/requeue', keyed('write', campaignRoutes.postRequeueOfMany))

const dialer = '/api/v1/campaigns/:campaignId/dialer'
endpoint('GET', dialer, keyed('manage', dialerRoutes.getDialer))
endpoint('PUT', dialer, keyed('manage', dialerRoutes.putDialer))
endpoint('PATCH', dialer, keyed('manage', dialerRoutes.patchDialer))
endpoint('DELETE', dialer, keyed('manage', dialerRoutes.deleteDialer))
endpoint('POST', `${dialer}/preview`, keyed('manage', dialerRoutes.postDialerPreview))
endpoint('POST', `${dialer}/check`, keyed('manage', dialerRoutes.postDialerCheck))
endpoint('GET', `${dialer}/trace`, keyed('manage', dialerRoutes.getDialerTrace))
endpoint('POST', `${dialer}/test`, keyed('manage', dialerRoutes.postDialerTest))
endpoint('GET', `${dialer}/test/:testId`, keyed('manage', dialerRoutes.getDialerTest))
const gate = '/api/v1/campaigns/:campaignId/gate'
endpoint('GET', gate, keyed('manage', gateRoutes.getGate))
endpoint('PUT', gate, keyed('manage', gateRoutes.putGate))
endpoint('PATCH', gate, keyed('manage', gateRoutes.patchGate))
endpoint('DELETE', gate, keyed('manage', gateRoutes.deleteGate))
endpoint('POST', `${gate}/try`, keyed('manage', gateRoutes.postGateTry))
endpoint('POST', `${gate}/go-on`, keyed('manage', gateRoutes.postGateGoOn))
endpoint('GET', `${gate}/trace`, keyed('manage', gateRoutes.getGateTrace))
endpoint('GET', '/api/v1/dialer-presets', keyed('look', dialerRoutes.getDialerPresets))
endpoint('POST', `${nudgePath}:token`, dialerRoutes.postNudge)

const sources = '/api/v1/campaigns/:campaignId/sources'
endpoint('GET', sources, keyed('manage', sourceRoutes.getSources))
endpoint('POST', sources, keyed('manage', sourceRoutes.postSource))
const source = `${sources}/:sourceId`
endpoint('GET', source, keyed('manage', sourceRoutes.getSource))
endpoint('PATCH', source, keyed('manage', sourceRoutes.patchSource))
endpoint('DELETE', source, keyed('manage', sourceRoutes.deleteSource))
endpoint('POST', `${source}/rotate`, keyed('manage', sourceRoutes.postRotateSource))
endpoint('POST', `${source}/try`, keyed('manage', sourceRoutes.postTry))
endpoint('POST', `${sourcePath}:token`, postToSource, answerPost)
endpoint('GET', `${sourcePath}:token`, sourceRoutes.getSourceUrl)

endpoint('POST', '/api/v1/erasures', keyed('manage', postErasure))

endpoint('POST', '/api/v1/consents', keyed('write', consentRoutes.postConsents))
endpoint('POST', '/api/v1/consents/search', keyed('read', consentRoutes.postConsentSearch))
endpoint('POST', '/api/v1/consents/withdraw', keyed('write', consentRoutes.postWithdrawal))
endpoint('GET', '/api/v1/consents/:consentId/uses', keyed('read', consentRoutes.getConsentUses))
endpoint('POST', '/api/v1/numbers/record', keyed('manage', consentRoutes.postRecord))

endpoint('GET', '/api/v1/suppressions', keyed('read', getSuppressions))
endpoint('POST', '/api/v1/suppressions', keyed('write', postSuppressions))
endpoint('DELETE', '/api/v1/suppressions', keyed('manage', deleteSuppressions))

endpoint('GET', '/api/v1/events', keyed('read', getEvents))
endpoint('GET', '/api/v1/activity', keyed('manage', getActivity))

endpoint('GET', '/api/v1/keys', keyed('manage', getKeys))
endpoint('POST', '/api/v1/keys', keyed('manage', postKey))
endpoint('GET', '/api/v1/keys/self', keyed('look', getOwnKey))
const keyId = ':keyId{key[-_][0-9A-Za-z]+}'
const key = `/api/v1/keys/${keyId}`
endpoint('DELETE', key, keyed('manage', deleteKey))
endpoint('POST', `${key}/rotate`, keyed('manage', postRotateKey))

endpoint('GET', '/api/v1/members', keyed('manage', getMembers))
endpoint('POST', '/api/v1/members', keyed('manage', postMember))
const member = '/api/v1/members/:memberId{mem_[0-9A-Za-z]+}'
endpoint('GET', member, keyed('manage', getMember))
endpoint('PATCH', member, keyed('manage', patchMember))
endpoint('DELETE', member, keyed('manage', deleteMember))

endpoint('GET', '/api/v1/webhooks', keyed('manage', webhookRoutes.getWebhooks))
endpoint('POST', '/api/v1/webhooks', keyed('manage', webhookRoutes.postWebhook))
const webhook = '/api/v1/webhooks/:webhookId'
endpoint('GET', webhook, keyed('manage', webhookRoutes.getWebhook))
endpoint('PATCH', webhook, keyed('manage', webhookRoutes.patchWebhook))
endpoint('DELETE', webhook, keyed('manage', webhookRoutes.deleteWebhook))
endpoint('POST', `${webhook}/rotate`, keyed('manage', webhookRoutes.postRotate))
endpoint('POST', `${webhook}/test`, keyed('manage', webhookRoutes.postTest))
endpoint('POST', `${webhook}/replay`, keyed('manage', webhookRoutes.postReplay))
endpoint('GET', `${webhook}/deliveries`, keyed('manage', webhookRoutes.getDeliveries))

endpoint('GET', '/api/v1/companies', keyed('operate', getCompanies))
endpoint('POST', '/api/v1/companies', keyed('operate', postCompany))
const company = '/api/v1/companies/:companyId'
endpoint('GET', company, keyed('operate', getCompany))
endpoint('PATCH', company, keyed('operate', patchCompany))
endpoint('GET', `${company}/keys`, keyed('operate', getKeys))
endpoint('POST', `${company}/keys`, keyed('operate', postKey))
endpoint('DELETE', `${company}/keys/${keyId}`, keyed('operate', deleteKey))
endpoint('POST', `${company}/keys/${keyId}/rotate`, keyed('operate', postRotateKey))
endpoint('POST', `${company}/members`, keyed('operate', postMember))
endpoint('GET', `${company}/move`, keyed('operate', getMove))
endpoint('POST', `${company}/move`, keyed('operate', postMove))
endpoint('DELETE', `${company}/move`, keyed('operate', deleteMove))
endpoint('POST', `${company}/restore`, keyed('operate', postRestore))
endpoint('POST', '/api/v1/restoring', keyed('operate', postRestoring))
endpoint('POST', '/api/v1/restored', keyed('operate', postRestored))

endpoint('GET', '/api/v1/diagnosis', keyed('operate', getDiagnosis))

endpoint('GET', '/console/sign-in', open(unknownPerAddress, getSignIn))
endpoint('GET', '/console/session', getSession)
endpoint('DELETE', '/console/session', keyed(null, deleteSession))

endpoint('GET', '/.well-known/security.txt', getSecurityTxt)

// The page itself is a static asset (src/docs).
endpoint('GET', '/', async () => ({ status: 302, headers: { Location: '/docs' }, body: null }))

/** Patterns of all paths under /api/v1. */
const paths = [...new Set(app.routes.map(({ path }) => path))].filter((path) => path.startsWith('/api/v1/'))

// Unknown paths and methods. Under /api/v1 the key is checked first (D8); /api/health keeps its own limit.
app.notFound((c) => {
  const { path } = c.req
  const { problem, route } = describeMissing(path)
  const refuse: Serve = async () => {
    throw new ApiError(problem)
  }
  if (path === '/api/v1' || path.startsWith('/api/v1/'))
    return respond(c, route ?? '/api/v1/*', keyed(null, refuse), hooks)
  if (path === '/api/health') return respond(c, path, open(healthPerAddress, refuse), hooks)
  if (isApi(path)) return respond(c, '/api/*', refuse, hooks)
  // A provider that is set to send GET learns why nothing comes of it.
  if (path.startsWith(nudgePath)) return respond(c, route ?? '/*', async () => failure(problem), hooks)
  if (path.startsWith(sourcePath))
    return respond(c, route ?? '/*', route === undefined ? postToSource : sourceRoutes.answerOther, hooks)
  return respond(c, '/*', async () => failure({ kind: 'not_found' }), hooks)
})

/** A path with an endpoint under other methods has a route, and a problem that names these. */
function describeMissing(path: string): { readonly problem: Problem; readonly route?: string } {
  const allow: string[] = []
  let route: string | undefined
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const [match] = app.router.match(method, path)[0]
    if (match === undefined) continue
    route = match[0][1].path
    allow.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]))
  }
  if (route === undefined) return { problem: { kind: 'not_found' } }
  return { problem: { kind: 'method_not_allowed', allow }, route }
}

/** Needs no key; limited by address. */
function open(window: Window, serve: Serve): Serve {
  return async function serveOpen(x) {
    const rateLimited = await chargeAddress(x, window)
    if (rateLimited !== null) throw new ApiError(rateLimited)
    return serve(x)
  }
}

const hooks = { answerError, wakeOthers }

/** Wakes what was collected since the last call. */
function wakeOthers({ c, env, listeners, outdated, waiting }: Exchange): void {
  if (outdated.size > 0) c.executionCtx.waitUntil(outdateSenders(env, [...outdated]))
  if (listeners.size > 0) c.executionCtx.waitUntil(wakeSenders(env, [...listeners]))
  if (waiting.size > 0) {
    const notices = [...waiting]
    c.executionCtx.waitUntil(ringCampaigns(env, notices))
    c.executionCtx.waitUntil(wakeDialers(env, notices))
  }
  listeners.clear()
  outdated.clear()
  waiting.clear()
}

async function answerError(x: Exchange, error: unknown): Promise<Answer> {
  const answer = await refusalOf(x, error)
  noteUse(x, answer)
  return answer
}

async function refusalOf(x: Exchange, error: unknown): Promise<Answer> {
  const problem = problemOf(x, error)
  const hint = await hintOf(x, problem, paths)
  if (hint !== null) x.headers['X-Error-Hint'] = hint
  // Without a valid key a request counts against its address and carries that window's headers, whatever was charged
  // before (D26). When the key could not be checked, nothing is charged (D22).
  const isKeyless = problem.kind === 'invalid_api_key' || !hasLimitHeaders(x)
  if (!isKeyless) return failure(problem)
  if (problem.kind === 'service_unavailable' || problem.kind === 'internal_error') {
    await setAddressHeaders(x, unknownPerAddress)
    return failure(problem)
  }
  return failure((await chargeAddress(x, unknownPerAddress)) ?? problem)
}

function problemOf(x: Exchange, error: unknown): Problem {
  if (error instanceof ApiError) return error.problem
  if (error instanceof DatabaseUnavailable) {
    x.record.problems.push(`database ${error.reason}`)
    return { kind: 'service_unavailable' }
  }
  // Only the error's name: a message may quote client data.
  x.record.problems.push(`unexpected ${(error as Error).name}`)
  return { kind: 'internal_error' }
}

export default {
  fetch: app.fetch,
  async scheduled(_, env, ctx) {
    const moving = runJobs({ beating: () => beat(env), moving: () => driveMoves(env) })
    await Promise.all([moving, workByTheMinute(env, (work) => ctx.waitUntil(work)), tendStores(env)])
  },
} satisfies ExportedHandler<Env>
