// The catalogue's entries of the calling agent's endpoints: claim and report. Calls that are open are in open-calls.ts,
// and what is asked of one lead's calls in lead-calls.ts.
import { agentIn, openAtAllHours } from '../calling/agent.ts'
import { companyDb } from '../database/store.ts'
import { newPhone, seedCampaign, seedWorld } from '../world.ts'
import { endpoint, type Flaw, type Scene, type Sent, scopesOf, type World, withFields } from './endpoint.ts'
import {
  again,
  campaignDenied,
  invalidBody,
  notAnObject,
  notStorable,
  reused,
  tooLongCampaign,
  unknownMembers,
  wrongIdempotencyKey,
} from './mistakes.ts'

/** In a campaign of its own in the place's company: another agent of the company takes none of its leads. */
export async function agentBeside({ companyId }: { companyId: string }) {
  const campaign = await seedCampaign(companyId)
  const agent = await agentIn({ companyId, campaign })
  await agent.change(openAtAllHours)
  return { ...agent, campaign, campaignId: campaign.id }
}

/** A call that goes on. */
export async function callBeside(place: { companyId: string }, fields: object = {}) {
  const agent = await agentBeside(place)
  return { agent, call: await agent.call(fields) }
}

const claimPath = '/api/v1/calls/claim'
const name = () => `agent ${newPhone()}`

const claimRequest = ({ campaignId }: { campaignId: string }) => ({
  path: claimPath,
  body: { campaignId, agent: name() },
})

/** One that is given calls. */
async function claimOfCalls(place: Scene | World): Promise<Sent> {
  const agent = await agentBeside(place)
  await agent.add({ metadata: { name: 'Ada' }, timeZone: 'Asia/Kolkata' })
  return claimRequest(agent)
}

export const longAgent = 'agent must be a string of at most 64 characters'

/** What a claim may not be, in the order in which it is checked. */
const wrongClaims: readonly (readonly [message: string, fields: object])[] = [
  ['campaignId is required', { campaignId: undefined }],
  [tooLongCampaign, { campaignId: 'x'.repeat(129) }],
  ['limit must be an integer between 1 and 100', { limit: 101 }],
  ['leaseSeconds must be an integer between 30 and 7200', { leaseSeconds: 29 }],
  [longAgent, { agent: 'x'.repeat(65) }],
  [notStorable('agent'), { agent: '\0' }],
  ['leaseSecond is not a member', { leaseSecond: null }],
]

const claimCalls = endpoint({
  name: 'claimCalls',
  method: 'POST',
  path: claimPath,
  scopes: scopesOf.agent,
  actsOn: 'campaign',
  maxBytes: 64 * 1024,
  request: claimRequest,
  alsoSucceeds: {
    'that is given a call': claimOfCalls,
    'that comes again with its Idempotency-Key': async (world, key) => again(await claimOfCalls(world), key),
    'in a campaign that is paused': async (world) => {
      const agent = await agentBeside(world)
      await agent.change({ paused: true })
      return claimRequest(agent)
    },
    'by an agent that fails': async (world) => {
      const agent = await agentBeside(world)
      await agent.add()
      await companyDb
        .prepare(
          `insert into agents (company_id, campaign_number, name, unknown_in_a_row, claims_in_a_row, claim_tokens,
           blocked_until_ms, last_unknown_at_ms) values (?1, ?2, 'seat 7', 20, 5, '[]', ?3, ?4)`,
        )
        .bind(world.companyId, agent.campaign.number, Date.now() + 600_000, Date.now())
        .run()
      return { path: claimPath, body: { campaignId: agent.campaignId, agent: 'seat 7' } }
    },
    'in a campaign that is closed': async (world) => {
      const agent = await agentBeside(world)
      await agent.add()
      await agent.change({ callingHours: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] } })
      return claimRequest(agent)
    },
    'in a campaign without leads': async (world) => claimRequest(await agentBeside(world)),
    'in a campaign whose leads wait': async (world) => {
      const { agent } = await callBeside(world)
      return claimRequest(agent)
    },
  },
  invalid: [
    notAnObject,
    ...wrongClaims.map((wrong) => invalidBody(...wrong)),
    ...[26, -1, 1.5, '25', true].map((waitSeconds) =>
      invalidBody('waitSeconds must be an integer between 0 and 25', { waitSeconds }),
    ),
    wrongIdempotencyKey,
  ],
  conflicts: [reused(claimOfCalls)],
})

/** Of no call. */
export const noCallId = '0'.repeat(36)

const reportPath = '/api/v1/calls/report'
const reportOf = (call: object, more: object = {}) => ({
  path: reportPath,
  body: { calls: [{ outcome: 'no_answer', ...call }], ...more },
})
const reportRequest = () => reportOf({ callId: noCallId })

const withReport = (fields: object) => (sent: Sent) => {
  const { calls } = sent.body as { calls: object[] }
  return withFields({ calls: [...calls, { callId: `${noCallId}1`, outcome: 'busy', ...fields }] })(sent)
}

const outcomes =
  'answered, not_interested, wrong_number, invalid_number, do_not_call, no_answer, busy, voicemail, failed, ' +
  'abandoned, callback_requested'

/** What one reported call may not be, in the order in which it is checked. */
const wrongReports: readonly (readonly [message: string, fields: object])[] = [
  ['callId is required', { callId: undefined }],
  ['callId must be a string', { callId: 7 }],
  [`outcome must be one of ${outcomes}`, { outcome: 'unknown' }],
  ['callbackAt must be an ISO 8601 timestamp with a UTC offset', { callbackAt: 'soon' }],
  ['doNotCall must be true or false', { doNotCall: 'yes' }],
  ['durationSeconds must be an integer between 0 and 86400', { durationSeconds: -1 }],
  ['providerCallId must be a string of at most 255 characters', { providerCallId: 'x'.repeat(256) }],
  [notStorable('providerCallId'), { providerCallId: '\0' }],
  ['details must be an object', { details: [] }],
  ['details must be at most 16384 bytes', { details: { a: 'x'.repeat(16_384) } }],
  ['callbackAt is required', { outcome: 'callback_requested' }],
  ['docall is not a member', { docall: '' }],
  ['callId is given twice', { callId: noCallId }],
]

export const wrongCalls = [
  invalidBody('calls array is required', { calls: undefined }),
  invalidBody('calls array cannot be empty', { calls: [] }),
  invalidBody('Maximum 100 calls per request', { calls: Array(101).fill({}) }),
]

const withClaim = (claim: unknown) => withFields({ claim })

/** A claim that cannot be served refuses the report with it (D53). */
const claimDenied: Flaw = {
  ...campaignDenied,
  name: 'a claim in a campaign that is denied',
  change: withClaim({ campaignId: 'no-such-campaign' }),
}

const claimReused: Flaw = {
  ...reused(claimOfCalls),
  name: 'a claim with an Idempotency-Key of another request',
  async change(sent, place, key) {
    const { change } = reused(claimOfCalls)
    return withClaim({ campaignId: place.campaignId })(await change(sent, place, key))
  },
}

const reportCalls = endpoint({
  name: 'reportCalls',
  method: 'POST',
  path: reportPath,
  scopes: scopesOf.agent,
  actsOn: 'nothing',
  maxBytes: 2 * 1024 * 1024,
  request: reportRequest,
  alsoSucceeds: {
    'of a call that goes on': async (world) => {
      const { call } = await callBeside(world)
      return reportOf({ callId: call.callId, durationSeconds: 4, details: { summary: 'rang out' } })
    },
    'that comes again': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'no_answer' }])
      return reportOf({ callId: call.callId })
    },
    'that contradicts another': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'answered' }])
      return reportOf({ callId: call.callId })
    },
    'that adds a do-not-call to one that is recorded': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.report([{ callId: call.callId, outcome: 'answered' }])
      return reportOf({ callId: call.callId, doNotCall: true })
    },
    'that also claims': async (world) => {
      const { agent, call } = await callBeside(world)
      await agent.add()
      return reportOf({ callId: call.callId }, { claim: { campaignId: agent.campaignId } })
    },
    'whose claim is refused because the secret of the suppressed numbers is lost': async () => {
      const company = await seedWorld()
      const agent = await agentBeside(company)
      // So that the isolate remembers its key.
      await agent.settings()
      await companyDb
        .prepare('insert into suppressed_hashes (company_id, number_hash, created_at_ms) values (?1, ?2, 0)')
        .bind(company.companyId, 'of another secret')
        .run()
      const sent = reportOf({ callId: noCallId }, { claim: { campaignId: agent.campaignId } })
      return { ...sent, headers: { 'x-api-key': agent.agentKey } }
    },
    'that also claims and comes again with its Idempotency-Key': async (world, key) => {
      const { agent, call } = await callBeside(world)
      await agent.add()
      return again(reportOf({ callId: call.callId }, { claim: { campaignId: agent.campaignId } }), key)
    },
  },
  invalid: [
    notAnObject,
    ...wrongCalls,
    ...unknownMembers,
    ...wrongReports.map(([message, fields]) => ({
      message: `calls[1].${message}`,
      change: withReport(fields),
    })),
    { message: 'claim must be an object', change: withClaim('one') },
    ...wrongClaims.map(([message, fields]) => ({
      message: `claim.${message}`,
      change: withClaim({ campaignId: 'any', ...fields }),
    })),
    ...[0, 25, 'soon'].map((waitSeconds) => ({
      message: 'claim.waitSeconds is not supported',
      change: withClaim({ campaignId: 'any', waitSeconds }),
    })),
    {
      message: wrongIdempotencyKey.message,
      change: (sent) => withClaim({ campaignId: 'any' })(wrongIdempotencyKey.change(sent)),
    },
  ],
  conflicts: [claimDenied, claimReused],
})

export const callEndpoints = [claimCalls, reportCalls]
