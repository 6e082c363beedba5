// People who sign in to the console, read with their session, and are removed, may do less, or sign out; and try again.
import { tokenFor } from '../model/identity.ts'
import type { Made } from '../model/known.ts'
import { type Args, campaignIdAt, drawPlace, latest, type Person, type Stage, saysPlace } from './person.ts'

const reads = ['getOwnKey', 'listCampaigns', 'listEvents', 'searchLeads'] as const

async function read(session: Made | undefined, operation: string, { send, cast }: Stage): Promise<void> {
  if (session === undefined) return
  const query = operation === 'searchLeads' ? { query: { q: cast.phones[0]?.spellings[0] as string } } : {}
  await send({ operation, company: session.company, scope: 'read', key: session.text, ...query })
}

const signIn = (member: Made, email: string, { visit, nowMs }: Stage) =>
  visit('signIn', 'GET', member, {
    'sec-fetch-dest': 'document',
    'cf-access-jwt-assertion': tokenFor(email, nowMs()),
  })

const ends: Readonly<Record<string, (session: Made, stage: Stage) => Promise<unknown>>> = {
  removeMember: ({ company, id }, { send }) =>
    send({ operation: 'removeMember', company, scope: 'manage', parts: { memberId: id } }),
  updateMember: ({ company, id }, { send }) =>
    send({
      operation: 'updateMember',
      company,
      scope: 'manage',
      parts: { memberId: id },
      body: { scope: 'read' },
    }),
  signOut: (session, { visit }) => visit('signOut', 'DELETE', session, { 'x-api-key': session.text }),
}

export const member: Person = {
  name: 'member',
  deeds: {
    signIn: {
      operations: ['createMember', 'removeMember', 'updateMember', ...reads],
      weight: 2,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        scope: draws.pick(['read', 'write', 'manage']),
        isOfCampaign: draws.isOneOf(3),
        operation: draws.pick(reads),
        ends: draws.pick([null, ...Object.keys(ends), 'removeMember']),
      }),
      says: (args: Args) =>
        `becomes a member of ${args.isOfCampaign ? saysPlace(args) : `company ${args.company}`} with scope ` +
        `${args.scope}, signs in and reads ${args.operation}` +
        (args.ends === null ? '' : `, then ${args.ends}, and reads again`),
      async act(args, stage) {
        const { cast, known, send, action } = stage
        const email = `visitor${action}@example.com`
        const campaignId = args.isOfCampaign ? { campaignId: campaignIdAt(cast, args) } : {}
        const body = { email, scope: args.scope, ...campaignId }
        const made = await send({ operation: 'createMember', company: args.company, scope: 'manage', body })
        const own = known.members.find(({ id }) => id === made?.body?.data?.memberId)
        if (own === undefined) return
        await signIn(own, email, stage)
        const session = known.sessions.findLast(({ id }) => id === own.id)
        await read(session, 'getOwnKey', stage)
        await read(session, args.operation, stage)
        if (args.ends === null || session === undefined) return
        await ends[args.ends]?.(session, stage)
        await read(session, args.operation, stage)
        await signIn(own, email, stage)
      },
    },
    readOn: {
      operations: [...reads],
      weight: 2,
      plan: (draws) => ({ which: draws.below(4), operation: draws.pick(reads) }),
      says: ({ which, operation }) => `reads ${operation} with session ${which} from the last`,
      act: async ({ which, operation }, stage) => read(latest(stage.known.sessions, which), operation, stage),
    },
  },
}
