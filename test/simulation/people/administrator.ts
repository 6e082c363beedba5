// Somebody who gives and takes rights: keys and members of a company, sources of leads, and the rights of people to be
// forgotten.
import type { Made } from '../model/known.ts'
import type { Answer } from '../observed.ts'
import {
  type Args,
  campaignIdAt,
  drawLeased,
  drawPlace,
  latest,
  leasedAt,
  numberAt,
  type Person,
  type Sending,
  type Stage,
  saysNumber,
  saysPlace,
} from './person.ts'

type Which = 'keys' | 'members' | 'sources'

/** Of one that is there. */
const of = (
  list: Which,
  part: string,
  operation: string,
  weight: number,
  bodyOf: (args: Args, stage: Stage) => object | null = () => null,
) => ({
  operations: [operation],
  weight,
  plan: (draws: Parameters<typeof drawPlace>[0]) => ({ which: draws.below(4), value: draws.below(8) }),
  says: ({ which }: Args) => `${operation} of number ${which} from the last`,
  async act(args: Args, stage: Stage) {
    const found = latest(stage.known[list], args.which)
    if (found === undefined) return
    const body = bodyOf(args, stage)
    const parts = {
      [part]: found.id,
      ...(found.campaignId !== undefined && { campaignId: found.campaignId }),
    }
    await stage.send({
      operation,
      company: found.company,
      scope: 'manage',
      parts,
      ...(body !== null && { body }),
    })
  },
})

const keyUses = ['getOwnKey', 'listCampaigns', 'listEvents', 'searchLeads', 'reportCalls'] as const

async function useKey(key: Made, { operation, ...args }: Args, { known, cast, send }: Stage): Promise<void> {
  const sending = { operation, company: key.company, scope: 'read', key: key.text } as const
  const leased = leasedAt(known, args)
  const calls = [{ callId: leased?.callId, outcome: 'no_answer' }]
  if (operation === 'searchLeads')
    await send({ ...sending, query: { q: cast.phones[0]?.spellings[0] as string } })
  else if (operation !== 'reportCalls') await send(sending)
  else if (leased?.company === key.company) await send({ ...sending, body: { calls } })
}

type Trespass = (args: Args, stage: Stage) => Omit<Sending, 'operation' | 'company' | 'scope'>

const campaignOf = (args: Args, { cast }: Stage) => ({ campaignId: campaignIdAt(cast, args) })

/** What a key may lack the right to. */
const trespasses: Readonly<Record<string, Trespass>> = {
  createLead: (args, stage) => ({
    body: {
      ...{ ...campaignOf(args, stage), phoneNumber: numberAt(stage.cast, args) },
      externalId: `canary${stage.action}`,
    },
  }),
  suppressNumbers: (args, stage) => ({
    body: { ...campaignOf(args, stage), phoneNumbers: [numberAt(stage.cast, args)] },
  }),
  claimCalls: (args, stage) => ({ body: { ...campaignOf(args, stage), limit: 1 } }),
  changeCampaign: (args, stage) => ({ parts: campaignOf(args, stage), body: { paused: false } }),
  previewCampaign: (args, stage) => ({ parts: campaignOf(args, stage) }),
  createKey: (_, { action }) => ({ body: { name: `key ${action}`, scope: 'manage' } }),
  ...{ listMembers: () => ({}), listCompanies: () => ({}) },
}

async function post(source: Made, args: Args, { cast, sendTo, action }: Stage): Promise<void> {
  const body = {
    phone: numberAt(cast, args),
    name: `canary${action}`,
    ...(args.no && { do_not_call: 'yes' }),
  }
  await sendTo(source.text, body, { source, phone: args.phone, isNo: args.no })
}

/** What it has made is used, and where it is ended used again. */
async function lend(
  list: 'keys' | 'sources',
  answer: Answer | null,
  stage: Stage,
  use: (made: Made) => Promise<void>,
  ends: string | null,
) {
  // Somebody else may have made one meanwhile.
  const id = answer?.body?.data?.[list === 'keys' ? 'keyId' : 'sourceId']
  const made = stage.known[list].find((one) => one.id === id)
  if (made === undefined) return
  await use(made)
  if (ends === null) return
  const parts = { [list === 'keys' ? 'keyId' : 'sourceId']: made.id, campaignId: made.campaignId ?? '' }
  const body = ends === 'rotateKey' ? { body: { graceSeconds: 0 } } : {}
  await stage.send({ operation: ends, company: made.company, scope: 'manage', parts, ...body })
  await use(made)
}

export const administrator: Person = {
  name: 'administrator',
  deeds: {
    createKey: {
      operations: ['createKey'],
      weight: 5,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        scope: draws.pick(['read', 'write', 'agent']),
        isOfCampaign: draws.isOneOf(2),
        ends: draws.pick([null, 'rotateKey', 'revokeKey']),
        operation: draws.pick(keyUses),
        ...drawLeased(draws),
        minutes: draws.child('end').pick([null, null, 1, 5, 60]),
      }),
      says: (args) =>
        `creates a key of scope ${args.scope} ` +
        `${args.isOfCampaign ? `of ${saysPlace(args)}` : `of company ${args.company}`}` +
        (args.minutes === null ? '' : `, for ${args.minutes} min`),
      async act(args, stage) {
        const { cast, send, action, nowMs, wait } = stage
        const endsAtMs = nowMs() + args.minutes * 60_000
        const body = {
          name: `key ${action}`,
          scope: args.operation === 'reportCalls' ? 'agent' : args.scope,
          ...(args.isOfCampaign && { campaignId: campaignIdAt(cast, args) }),
          ...(args.minutes !== null && { expiresAt: new Date(endsAtMs).toISOString() }),
        }
        const made = await send({ operation: 'createKey', company: args.company, scope: 'manage', body })
        const use = (key: Made) => useKey(key, args, stage)
        if (args.ends !== null || args.minutes !== null) await lend('keys', made, stage, use, args.ends)
        if (args.ends !== null || args.minutes === null) return
        await wait(Math.max(0, endsAtMs - nowMs()) + 5_000)
        await lend('keys', made, stage, use, null)
      },
    },
    rotateKey: of('keys', 'keyId', 'rotateKey', 1, ({ value }) => ({ graceSeconds: value * 30 })),
    revokeKey: of('keys', 'keyId', 'revokeKey', 1),
    useKey: {
      operations: ['getOwnKey', 'listCampaigns'],
      weight: 3,
      plan: (draws) => ({
        operation: draws.pick(keyUses),
        ...drawLeased(draws),
      }),
      says: ({ which, operation }) => `sends ${operation} with key ${which} from the last`,
      async act(args, stage) {
        const key = latest(stage.known.keys, args.which)
        if (key !== undefined) await useKey(key, args, stage)
      },
    },
    trespass: {
      operations: Object.keys(trespasses),
      weight: 3,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        which: draws.below(4),
        operation: draws.pick(Object.keys(trespasses)),
      }),
      says: ({ which, operation, campaign }) =>
        `tries ${operation} for campaign ${campaign} with key ${which} from the last`,
      async act(args, stage) {
        const key = latest(stage.known.keys, args.which)
        if (key === undefined) return
        const { company, text } = key
        const of = trespasses[args.operation]?.({ ...args, company }, stage)
        await stage.send({ operation: args.operation, company, scope: 'read', key: text, ...of })
      },
    },
    createMember: {
      operations: ['createMember'],
      weight: 1,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        who: draws.below(3),
        scope: draws.pick(['read', 'manage']),
      }),
      says: ({ who, company, scope }) =>
        `makes person ${who} a member of company ${company} with scope ${scope}`,
      async act({ who, company, scope }, { send }) {
        const body = { email: `person${who}@example.com`, scope }
        await send({ operation: 'createMember', company, scope: 'manage', body })
      },
    },
    getMember: of('members', 'memberId', 'getMember', 1),
    updateMember: of('members', 'memberId', 'updateMember', 1, ({ value }) => ({
      scope: value % 2 ? 'read' : 'write',
    })),
    removeMember: of('members', 'memberId', 'removeMember', 1),
    createSource: {
      operations: ['createSource'],
      weight: 2,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        ends: draws.pick([null, null, 'rotateSource', 'deleteSource']),
        no: draws.isOneOf(2),
      }),
      says: (args) =>
        `makes a source for ${saysPlace(args)}, to which ${saysNumber(args)} is posted` +
        (args.no ? ', do not call' : ''),
      async act(args, stage) {
        const { cast, send, action } = stage
        const parts = { campaignId: campaignIdAt(cast, args) }
        const body = {
          name: `form ${action}`,
          countries: ['DE', 'US', 'MX', 'JP'],
          timeZones: { '*': 'campaign' },
        }
        const made = await send({
          ...{ operation: 'createSource', company: args.company, scope: 'manage', parts, body },
        })
        await lend('sources', made, stage, (source) => post(source, args, stage), args.ends)
      },
    },
    getSource: of('sources', 'sourceId', 'getSource', 1),
    changeSource: of('sources', 'sourceId', 'changeSource', 1, ({ value }) => ({ enabled: value > 0 })),
    rotateSource: of('sources', 'sourceId', 'rotateSource', 1),
    deleteSource: of('sources', 'sourceId', 'deleteSource', 1),
    trySource: of('sources', 'sourceId', 'trySource', 1, (_, { cast }) => ({
      contentType: 'application/json',
      body: JSON.stringify({ phone: cast.phones[0]?.spellings[0] }),
    })),
    post: {
      operations: [],
      weight: 3,
      plan: (draws, cast) => ({ ...drawPlace(draws, cast), which: draws.below(3), no: draws.isOneOf(4) }),
      says: (args) =>
        `posts ${saysNumber(args)}${args.no ? ', do not call,' : ''} to source ${args.which} from the last`,
      async act(args, stage) {
        const source = latest(stage.known.sources, args.which)
        if (source !== undefined) await post(source, args, stage)
      },
    },
    eraseLead: {
      operations: ['eraseLead'],
      weight: 1,
      plan: (draws) => ({ which: draws.below(6) }),
      says: ({ which }) => `erases lead ${which} from the last`,
      async act({ which }, { known, send }) {
        const lead = latest(known.leads, which)
        if (lead === undefined) return
        await send({
          operation: 'eraseLead',
          company: lead.company,
          scope: 'manage',
          parts: { leadId: lead.leadId },
        })
      },
    },
    erasePerson: {
      operations: ['erasePerson', 'liftSuppressions', 'createLead', 'claimCalls'],
      weight: 2,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        suppress: draws.isOneOf(2),
        ofLead: draws.isOneOf(3) ? null : draws.below(4),
        isLifted: draws.isOneOf(3),
        isLiftedInCampaign: draws.child('campaign').isOneOf(2),
        saysNo: draws.isOneOf(3),
        comesAgain: draws.isOneOf(2),
      }),
      says: (args) =>
        `erases the person of ` +
        (args.ofLead === null
          ? `${saysNumber(args)} in company ${args.company}`
          : `lead ${args.ofLead} from the last`) +
        (args.suppress ? ', who must not be called' : '') +
        (args.comesAgain ? ', and who comes again' : ''),
      async act({ ofLead, ...drawn }, { cast, known, send, action }) {
        const lead = ofLead === null ? undefined : latest(known.leads, ofLead)
        const { company, campaign, phone }: Args = lead ?? drawn
        const phoneNumber = lead?.phoneNumber ?? numberAt(cast, drawn)
        const campaignId = campaignIdAt(cast, { company, campaign })
        const sending = { company, scope: 'manage' } as const
        const body = { phoneNumber, suppress: drawn.suppress }
        await send({ ...sending, operation: 'erasePerson', body })
        if (!drawn.comesAgain) return
        const lifted = { phoneNumbers: [phoneNumber], ...(drawn.isLiftedInCampaign && { campaignId }) }
        if (drawn.isLifted) await send({ ...sending, operation: 'liftSuppressions', body: lifted })
        const leased = known.leased.findLast(({ callId }) => {
          const call = known.calls.find((one) => one.callId === callId)
          return call?.company === company && call?.phone === phone
        })
        const calls = [{ callId: leased?.callId, outcome: 'do_not_call' }]
        if (drawn.saysNo && leased !== undefined)
          await send({ ...sending, operation: 'reportCalls', scope: 'agent', body: { calls } })
        const externalId = `canary${action}`
        const again = { campaignId, phoneNumber, externalId }
        await send({ ...sending, operation: 'createLead', scope: 'write', body: again })
        await send({ ...sending, operation: 'claimCalls', scope: 'agent', body: { campaignId, limit: 2 } })
      },
    },
  },
}
