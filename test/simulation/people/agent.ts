// A calling agent that sends each request by itself: claims, reports, extends and releases, at times late, twice or
// wrong.
import type { Known } from '../model/known.ts'
import type { Call } from '../observed.ts'
import {
  type Args,
  campaignIdAt,
  drawLeased,
  drawPlace,
  dueAt,
  latest,
  leasedAt,
  numberAt,
  type Person,
  type Sending,
  type Stage,
  saysLeased,
  saysNumber,
  saysPlace,
} from './person.ts'

const outcomes = ['answered', 'not_interested', 'wrong_number', 'do_not_call'].concat([
  'no_answer',
  'busy',
  'voicemail',
  'failed',
  'abandoned',
  ...['no_answer', 'busy', 'failed', 'no_answer', 'busy', 'failed'],
])

/** Before the service notes that the lease is over. */
const justLateMs = 200

/** Who is told that a lead is ready claims it. */
async function claimUntilGiven(send: Stage['send'], sending: Sending): Promise<void> {
  const answer = await send(sending)
  if (answer?.body?.data?.reason === 'ready') await send(sending)
}

/** A call whose lease is over, of a lead that is in another call now. */
function lateOf({ leased, calls }: Known) {
  const isOpen = (one: Call) =>
    calls.some(({ company, seq, outcome }) => outcome === null && company === one.company && seq === one.seq)
  const late = calls.findLast((one) => one.outcome === 'unknown' && isOpen(one))
  return leased.find(({ callId }) => callId === late?.callId)
}

const saysLate = 'a call that is over, of a lead in another one, or '

type Arrival = (args: Args, stage: Stage) => Omit<Sending, 'company'> | null

const newLead = (args: Args, { cast, action }: Stage) => ({
  campaignId: args.campaignId,
  phoneNumber: numberAt(cast, args),
  externalId: `canary${action}`,
})

/** What an agent may wait for. */
const arrivals: Readonly<Record<string, Arrival>> = {
  createLead: (args, stage) => ({ operation: 'createLead', scope: 'write', body: newLead(args, stage) }),
  appointment: (args, stage) => ({
    operation: 'createLead',
    scope: 'write',
    body: { ...newLead(args, stage), scheduledFor: new Date(stage.nowMs() + 4_000).toISOString() },
  }),
  requeueLead: ({ leadId }) =>
    leadId === undefined ? null : { operation: 'requeueLead', scope: 'write', parts: { leadId } },
  releaseCalls: ({ callId }) =>
    callId === undefined
      ? null
      : { operation: 'releaseCalls', scope: 'agent', body: { calls: [{ callId, delaySeconds: 0 }] } },
  revokeKey: ({ keyId }) =>
    keyId === undefined ? null : { operation: 'revokeKey', scope: 'manage', parts: { keyId } },
  changeCampaign: ({ campaignId }) => ({
    operation: 'changeCampaign',
    scope: 'manage',
    parts: { campaignId },
    body: { paused: false, maxLiveCalls: null },
  }),
}

export const agent: Person = {
  name: 'agent',
  deeds: {
    claim: {
      operations: ['claimCalls'],
      weight: 26,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        ofLead: draws.isOneOf(5) ? null : draws.below(4),
        limit: draws.pick([1, 1, 2, 5]),
        waitSeconds: draws.pick([0, 0, 0, 5, 20]),
        key: draws.isOneOf(3),
        again: draws.isOneOf(2),
        isLate: draws.child('late').isOneOf(3),
      }),
      says: (args) =>
        `claims ${args.limit} in ` +
        (args.ofLead === null ? saysPlace(args) : `the campaign of due lead ${args.ofLead} from the last`) +
        (args.waitSeconds > 0 ? `, waiting ${args.waitSeconds} s` : '') +
        (args.key && args.again && args.isLate ? ', and again when the lease is over' : ''),
      async act(args, { cast, known, send, wait, action, nowMs }) {
        const place = (args.ofLead === null ? undefined : dueAt(known, args.ofLead, nowMs())) ?? args
        const sending = {
          operation: 'claimCalls',
          company: place.company,
          scope: 'agent',
          body: {
            campaignId: campaignIdAt(cast, place),
            limit: args.limit,
            agent: `agent-${action}`,
            ...(args.waitSeconds > 0 && { waitSeconds: args.waitSeconds }),
          },
          headers: args.key ? { 'idempotency-key': `claim-${action}` } : {},
        } as const
        if (!args.key) return claimUntilGiven(send, sending)
        const first = await send(sending)
        if (first !== null && !args.again) return
        const given = first?.body?.data?.calls?.[0]
        if (args.isLate && given !== undefined)
          await wait(Math.max(0, Date.parse(given.leaseExpiresAt) - nowMs()) + justLateMs)
        await send(sending)
      },
    },
    callTwice: {
      operations: ['claimCalls', 'reportCalls'],
      weight: 3,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        ofLead: draws.below(4),
        outcome: draws.pick(outcomes),
        doNotCall: draws.isOneOf(6),
      }),
      says: ({ ofLead, outcome, doNotCall }) =>
        `claims in the campaign of due lead ${ofLead} from the last, again when the lease is over, and reports the ` +
        `first call as ${outcome}${doNotCall ? ', do not call' : ''}`,
      async act({ outcome, doNotCall, ...args }, { cast, known, send, wait, action, nowMs }) {
        const place = dueAt(known, args.ofLead, nowMs()) ?? args
        const { company } = place
        const body = { campaignId: campaignIdAt(cast, place), agent: `agent-${action}`, leaseSeconds: 30 }
        const claim = () => send({ operation: 'claimCalls', company, scope: 'agent', body })
        const first = (await claim())?.body?.data?.calls?.[0]
        if (first === undefined) return
        await wait(Math.max(0, Date.parse(first.leaseExpiresAt) - nowMs()) + justLateMs)
        await claim()
        const call = { callId: first.callId, outcome, ...(doNotCall && { doNotCall }) }
        await send({ operation: 'reportCalls', company, scope: 'agent', body: { calls: [call] } })
      },
    },
    await: {
      operations: [
        'claimCalls',
        'createKey',
        ...Object.keys(arrivals).filter((what) => what !== 'appointment'),
      ],
      weight: 4,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        what: draws.pick(Object.keys(arrivals)),
        which: draws.below(4),
        afterMs: draws.pick([0, 500, 2_000, 4_000]),
      }),
      says: (args) =>
        `waits 20 s in ${saysPlace(args)}, and ${args.what} of ${saysNumber(args)} comes meanwhile`,
      async act({ what, which, afterMs, ...args }, stage) {
        const { cast, known, send, wait, action } = stage
        const leased = what === 'releaseCalls' ? leasedAt(known, { which, isOpen: true }) : undefined
        const lead = what === 'requeueLead' ? latest(known.leads, which) : undefined
        const place: Args = { ...args, ...(leased ?? lead) }
        const agent = `waiting-${action}`
        const campaignId = campaignIdAt(cast, place)
        const body = { campaignId, limit: 1, agent, waitSeconds: 20 }
        const ofKey = { name: agent, scope: 'agent' }
        const { company } = place
        const made =
          what === 'revokeKey'
            ? await send({ operation: 'createKey', company, scope: 'manage', body: ofKey })
            : null
        const { key, keyId } = made?.body?.data ?? {}
        const waiting = claimUntilGiven(send, {
          ...{ operation: 'claimCalls', company, scope: 'agent', body, ...(key !== undefined && { key }) },
        })
        await wait(afterMs)
        const sending = arrivals[what]?.({ ...place, campaignId, keyId }, stage) ?? null
        if (sending !== null) await send({ company, ...sending })
        await waiting
      },
    },
    report: {
      operations: ['reportCalls'],
      weight: 16,
      plan: (draws) => ({
        ...drawLeased(draws),
        outcome: draws.pick(outcomes),
        callbackInMs: draws.isOneOf(6) ? draws.pick([60_000, 3_600_000, 20 * 3_600_000]) : null,
        doNotCall: draws.isOneOf(12),
        isLate: draws.child('late').isOneOf(3),
      }),
      says: ({ outcome, callbackInMs, doNotCall, isLate, ...args }) =>
        `reports ${isLate ? saysLate : ''}${saysLeased(args)} as ` +
        (callbackInMs === null ? outcome : `callback_requested in ${callbackInMs / 60_000} min`) +
        (doNotCall ? ', do not call' : ''),
      async act({ outcome, callbackInMs, doNotCall, isLate, ...args }, { known, send, nowMs }) {
        const leased = (isLate ? lateOf(known) : undefined) ?? leasedAt(known, args)
        if (leased === undefined) return
        const call = {
          callId: leased.callId,
          outcome: callbackInMs === null ? outcome : 'callback_requested',
          ...(callbackInMs !== null && { callbackAt: new Date(nowMs() + callbackInMs).toISOString() }),
          ...(doNotCall && { doNotCall: true }),
          details: { heard: leased.externalId },
        }
        const sending = {
          operation: 'reportCalls',
          company: leased.company,
          scope: 'agent',
          body: { calls: [call] },
        } as const
        if ((await send(sending)) === null) await send(sending)
      },
    },
    extend: {
      operations: ['extendCalls', 'suppressNumbers', 'withdrawConsents'],
      weight: 3,
      plan: (draws) => ({
        ...drawLeased(draws),
        leaseSeconds: draws.pick([null, 30, 600]),
        first: draws.child('first').pick([null, null, null, 'suppressNumbers', 'withdrawConsents']),
        isLate: draws.child('late').isOneOf(4),
      }),
      says: ({ first, isLate, ...args }) =>
        `${first === null ? '' : `sends ${first} for, and `}extends ${saysLeased(args)}` +
        (isLate ? ' when its lease is over' : ''),
      async act({ leaseSeconds, first, isLate, ...args }, { known, send, wait, nowMs }) {
        const leased = leasedAt(known, args)
        if (leased === undefined) return
        const call = known.calls.find(({ callId }) => callId === leased.callId)
        const { phoneNumber, leaseExpiresAtMs = null } = call ?? {}
        if (isLate && leaseExpiresAtMs !== null)
          await wait(Math.max(0, leaseExpiresAtMs - nowMs()) + justLateMs)
        if (first !== null && phoneNumber !== undefined) {
          const said = first === 'suppressNumbers' ? { phoneNumbers: [phoneNumber] } : { phoneNumber }
          await send({ operation: first, company: leased.company, scope: 'write', body: said })
        }
        const body = { callIds: [leased.callId], ...(leaseSeconds !== null && { leaseSeconds }) }
        await send({ operation: 'extendCalls', company: leased.company, scope: 'agent', body })
      },
    },
    release: {
      operations: ['releaseCalls', 'reportCalls'],
      weight: 2,
      plan: (draws) => ({
        ...drawLeased(draws),
        delaySeconds: draws.pick([0, 60, 3600]),
        isReported: draws.child('first').isOneOf(4),
        isLate: draws.child('late').isOneOf(3),
      }),
      says: ({ isReported, isLate, ...args }) =>
        `${isReported ? 'reports and ' : ''}releases ${isLate ? saysLate : ''}${saysLeased(args)}`,
      async act({ delaySeconds, isReported, isLate, ...args }, { known, send }) {
        const leased = (isLate ? lateOf(known) : undefined) ?? leasedAt(known, args)
        if (leased === undefined) return
        const [{ callId }, sending] = [leased, { company: leased.company, scope: 'agent' } as const]
        if (isReported)
          await send({ ...sending, operation: 'reportCalls', body: { calls: [{ callId, outcome: 'busy' }] } })
        const body = { calls: [{ callId, delaySeconds }] }
        await send({ ...sending, operation: 'releaseCalls', body })
      },
    },
    ringBack: {
      operations: ['findCaller', 'createKey'],
      weight: 4,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        isInCampaign: draws.isOneOf(4),
        take: draws.below(5) > 0,
        leaseSeconds: draws.pick([null, 30, 600]),
        countsAsAttempt: draws.isOneOf(3),
        isInCall: draws.child('call').isOneOf(4),
        isOfOther: draws.child('other').isOneOf(3),
      }),
      says: (args) =>
        `is rung by ${args.isInCall ? 'who is in the last open call, or ' : ''}${saysNumber(args)} ` +
        `of company ${args.company}${args.take ? '' : ', who is it'}` +
        (args.isInCall && args.isOfOther ? ', and asks with a key of another campaign' : ''),
      async act(
        { take, leaseSeconds, countsAsAttempt, isInCampaign, isInCall, isOfOther, ...args },
        { cast, known, send, action },
      ) {
        const called = isInCall ? known.calls.findLast(({ outcome }) => outcome === null) : undefined
        const company = called?.company ?? args.company
        const campaignId = campaignIdAt(cast, { company, campaign: args.campaign })
        if (called !== undefined && isOfOther) {
          const other = { company, campaign: called.campaign === 0 ? 1 : 0 }
          const body = { name: `other ${action}`, scope: 'agent', campaignId: campaignIdAt(cast, other) }
          const made = await send({ operation: 'createKey', company, scope: 'manage', body })
          const asking = { operation: 'findCaller', company, scope: 'agent' } as const
          if (made?.status === 201)
            await send({ ...asking, key: made.body.data.key, body: { from: called.phoneNumber } })
          return
        }
        const sending = {
          operation: 'findCaller',
          company,
          scope: 'agent',
          body: {
            from: called?.phoneNumber ?? numberAt(cast, args),
            ...((isInCampaign || called !== undefined) && { campaignId }),
            ...(take && { take, countsAsAttempt, ...(leaseSeconds !== null && { leaseSeconds }) }),
          },
          headers: { 'idempotency-key': `ring-${action}` },
        } as const
        if ((await send(sending)) === null) await send(sending)
      },
    },
    listOpenCalls: {
      operations: ['listOpenCalls'],
      weight: 1,
      plan: drawPlace,
      says: (args) => `lists the open calls of ${saysPlace(args)}`,
      async act(args, { cast, send }) {
        const query = { campaignId: campaignIdAt(cast, args) }
        await send({ operation: 'listOpenCalls', company: args.company, scope: 'agent', query })
      },
    },
  },
}
