// Somebody who keeps gates: sets, changes, tries and removes them, lets them go on, and undoes what they did.
import { changing, gateHost, keepHours, placeOf } from '../model/gates.ts'
import type { Answer } from '../observed.ts'
import { type Args, campaignIdAt, drawPlace, numberAt, type Person, type Stage, saysPlace } from './person.ts'

/** Each with a question of its own. */
const settings = ({ company, campaign }: Args, question: number) => ({
  ask: {
    method: 'POST',
    url: `https://${gateHost}/`,
    body: { phone: '{{lead.phoneNumber}}', place: placeOf(company, campaign), question },
  },
  no: { pointer: '/litigator', equals: true },
  later: { pointer: '/status', equals: 'in_meeting' },
  yes: { pointer: '/status', equals: 'clear' },
  ...{ keepHours, laterMinutes: 5 },
})

const send = ({ send, cast }: Stage, args: Args, operation: string, body?: object) =>
  send({
    operation,
    ...{ company: args.company, scope: 'manage', parts: { campaignId: campaignIdAt(cast, args) } },
    ...(body && { body }),
  })

const becomesOf = (answer: Answer | null, is: 'none' | 'hold' | 'call') =>
  answer === null || answer.status >= 500 ? 'no answer' : answer.status === 200 ? is : 'none'

const small = (operation: string, weight: number, body?: (args: Args, stage: Stage) => object) => ({
  operations: [operation],
  weight,
  plan: drawPlace,
  says: (args: Args) => `${operation} of ${saysPlace(args)}`,
  act: async (args: Args, stage: Stage) => void (await send(stage, args, operation, body?.(args, stage))),
})

async function remove(args: Args, stage: Stage): Promise<void> {
  const place = placeOf(args.company, args.campaign)
  await changing(stage.known.gates, place, stage, async () => {
    const answer = await send(stage, args, 'deleteGate')
    return becomesOf(answer, 'none')
  })
}

export const gatekeeper: Person = {
  name: 'gatekeeper',
  deeds: {
    setGate: {
      operations: ['setGate', 'deleteGate'],
      weight: 2,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        ...{ suppress: draws.pick(['none', 'none', 'campaign', 'company']), holds: draws.below(4) > 0 },
        endsInMs: draws.child('ends').pick([null, null, null, null, 0, 3_000]),
      }),
      says: (args) =>
        `sets a gate for ${saysPlace(args)}, ${args.holds ? 'hold' : 'call'}, ${args.suppress}` +
        (args.endsInMs === null ? '' : `, and removes it after ${args.endsInMs / 1_000} s`),
      async act(args, stage) {
        const whenSilent = args.holds ? 'hold' : 'call'
        const body = { ...settings(args, stage.action), whenSilent, suppress: args.suppress }
        const place = placeOf(args.company, args.campaign)
        await changing(stage.known.gates, place, stage, async () => {
          const answer = await send(stage, args, 'setGate', body)
          return becomesOf(answer, whenSilent)
        })
        if (args.endsInMs === null) return
        await stage.wait(args.endsInMs)
        await remove(args, stage)
      },
    },
    deleteGate: { ...small('deleteGate', 1), act: remove },
    changeGate: small('changeGate', 1, () => ({ laterMinutes: 10 })),
    tryGate: small('tryGate', 1, (args, { cast }) => ({ phoneNumber: numberAt(cast, args) })),
    letGateGoOn: small('letGateGoOn', 1),
    getGate: small('getGate', 1),
    readGateTrace: small('readGateTrace', 1),
    undoGates: {
      operations: ['liftSuppressions'],
      weight: 1,
      plan: (draws, { companies }) => ({ company: draws.below(companies.length) }),
      says: ({ company }) => `undoes what the gates of company ${company} have done in an hour`,
      async act({ company }, { send, nowMs }) {
        const query = { source: 'gate', since: new Date(nowMs() - 3_600_000).toISOString() }
        await send({ operation: 'liftSuppressions', company, scope: 'manage', query })
      },
    },
  },
}
