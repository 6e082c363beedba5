// Whoever gives and takes rights: keys and members of a company, sources of leads, and the rights of people to be forgotten.
import {
  type Args,
  campaignIdAt,
  drawLeased,
  drawPlace,
  latest,
  leasedAt,
  numberAt,
  type Person,
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

export const administrator: Person = {
  name: 'administrator',
  deeds: {
    createKey: {
      operations: ['createKey'],
      weight: 1,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        scope: draws.pick(['read', 'write', 'agent']),
        isOfCampaign: draws.isOneOf(2),
      }),
      says: (args) =>
        `creates a key of scope ${args.scope} ${args.isOfCampaign ? `of ${saysPlace(args)}` : `of company ${args.company}`}`,
      async act(args, { cast, send, action }) {
        const body = {
          name: `key ${action}`,
          scope: args.scope,
          ...(args.isOfCampaign && { campaignId: campaignIdAt(cast, args) }),
        }
        await send({ operation: 'createKey', company: args.company, scope: 'manage', body })
      },
    },
    rotateKey: of('keys', 'keyId', 'rotateKey', 1, ({ value }) => ({ graceSeconds: value * 30 })),
    revokeKey: of('keys', 'keyId', 'revokeKey', 1),
    useKey: {
      operations: ['getOwnKey', 'listCampaigns'],
      weight: 3,
      plan: (draws) => ({
        which: draws.below(6),
        operation: draws.pick(['getOwnKey', 'listCampaigns', 'listEvents', 'searchLeads', 'reportCalls']),
        ...drawLeased(draws),
      }),
      says: ({ which, operation }) => `sends ${operation} with key ${which} from the last`,
      async act({ operation, ...args }, { known, cast, send }) {
        const key = latest(known.keys, args.which)
        if (key === undefined) return
        const sending = { operation, company: key.company, scope: 'read', key: key.text } as const
        const leased = leasedAt(known, args)
        const calls = [{ callId: leased?.callId, outcome: 'no_answer' }]
        if (operation === 'searchLeads')
          await send({ ...sending, query: { q: cast.phones[0]?.spellings[0] as string } })
        else if (operation !== 'reportCalls') await send(sending)
        else if (leased?.company === key.company) await send({ ...sending, body: { calls } })
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
      weight: 1,
      plan: drawPlace,
      says: (args) => `makes a source for ${saysPlace(args)}`,
      async act(args, { cast, send, action }) {
        const parts = { campaignId: campaignIdAt(cast, args) }
        const body = { name: `form ${action}`, countries: ['DE', 'US', 'MX', 'JP'] }
        await send({ operation: 'createSource', company: args.company, scope: 'manage', parts, body })
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
      async act(args, { cast, known, sendTo, action }) {
        const source = latest(known.sources, args.which)
        if (source === undefined) return
        const body = {
          phone: numberAt(cast, args),
          name: `canary-${action}`,
          ...(args.no && { do_not_call: 'yes' }),
        }
        await sendTo(source.text, body, { source, phone: args.phone, isNo: args.no })
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
      operations: ['erasePerson'],
      weight: 1,
      plan: (draws, cast) => ({ ...drawPlace(draws, cast), suppress: draws.isOneOf(2) }),
      says: (args) =>
        `erases the person of ${saysNumber(args)} in company ${args.company}${args.suppress ? ', who must not be called' : ''}`,
      async act(args, { cast, send }) {
        const body = { phoneNumber: numberAt(cast, args), suppress: args.suppress }
        await send({ operation: 'erasePerson', company: args.company, scope: 'manage', body })
      },
    },
  },
}
