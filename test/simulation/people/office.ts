// The office of a company: hears what people say by letter and telephone, and keeps their consents.
import {
  type Args,
  campaignIdAt,
  drawPlace,
  evidenceOf,
  latest,
  numberAt,
  type Person,
  saysNumber,
  saysPlace,
} from './person.ts'

const saysScope = (args: Record<string, unknown>) =>
  args.isOfCampaign ? `in ${saysPlace(args)}` : `in company ${args.company}`

export const office: Person = {
  name: 'office',
  deeds: {
    suppress: {
      operations: ['suppressNumbers'],
      weight: 2,
      plan: (draws, cast) => ({ ...drawPlace(draws, cast), isOfCampaign: draws.isOneOf(3) }),
      says: (args) => `suppresses ${saysNumber(args)} ${saysScope(args)}`,
      async act(args, { cast, send }) {
        const body = {
          phoneNumbers: [numberAt(cast, args)],
          ...(args.isOfCampaign && { campaignId: campaignIdAt(cast, args) }),
        }
        const sending = { operation: 'suppressNumbers', company: args.company, scope: 'write', body } as const
        if ((await send(sending)) === null) await send(sending)
      },
    },
    lift: {
      operations: ['liftSuppressions'],
      weight: 3,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        isOfCampaign: draws.isOneOf(3),
        ofNo: draws.isOneOf(3) ? null : draws.below(3),
      }),
      says: (args) =>
        args.ofNo === null
          ? `lifts the suppressions of ${saysNumber(args)} ${saysScope(args)}`
          : `lifts no ${args.ofNo} from the last`,
      async act({ ofNo, ...drawn }, { cast, known, send }) {
        const no = ofNo === null ? undefined : latest(known.noes, ofNo)
        const args =
          no === undefined ? drawn : { ...drawn, company: no.company, phone: no.phone, spelling: 0 }
        const body = {
          phoneNumbers: [numberAt(cast, args)],
          ...(args.isOfCampaign && { campaignId: campaignIdAt(cast, args) }),
        }
        await send({ operation: 'liftSuppressions', company: args.company, scope: 'manage', body })
      },
    },
    storeConsents: {
      operations: [
        ...['storeConsents', 'withdrawConsents', 'suppressNumbers', 'liftSuppressions', 'claimCalls'],
        'createLead',
      ],
      weight: 4,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        ofLead: draws.isOneOf(4) ? null : draws.below(4),
        givenInMs: draws.pick([0, 0, -60_000, -3_600_000, -3 * 86_400_000, 120_000]),
        lastsMs: draws.pick([null, null, 30_000, 300_000, 86_400_000]),
        next: draws.pick([null, 'claim', 'withdraw', 'suppress']),
        isNeeded: draws.child('needed').isOneOf(2),
      }),
      says: (args) =>
        `stores a consent of ` +
        (args.ofLead === null
          ? `${saysNumber(args)} in company ${args.company}`
          : `lead ${args.ofLead} from the last`) +
        (args.isNeeded ? ', of whom there is a lead where one is required' : '') +
        `, then ${args.next}`,
      async act(args, { cast, known, send, nowMs, action }) {
        const lead = args.ofLead === null ? undefined : latest(known.leads, args.ofLead)
        const place: Args = lead ?? args
        const phoneNumber = lead?.phoneNumber ?? numberAt(cast, args)
        const other = cast.phones[place.phone]?.spellings.at(-1) as string
        const [company, givenMs] = [place.company, nowMs() + args.givenInMs]
        const consent = {
          ...{
            phoneNumber,
            purpose: 'calls',
            givenAt: new Date(givenMs).toISOString(),
            ...evidenceOf(action),
          },
          ...(args.lastsMs !== null && { expiresAt: new Date(givenMs + args.lastsMs).toISOString() }),
        }
        const sending = { company, scope: 'write' } as const
        const campaigns = cast.companies[company]?.campaigns ?? []
        const needed = args.isNeeded && campaigns.find(({ settings }) => settings.requireConsent !== null)
        const campaignId = needed ? needed.id : campaignIdAt(cast, place)
        if (needed)
          await send({
            ...{ ...sending, operation: 'createLead' },
            body: { campaignId, phoneNumber, externalId: `canary${action}` },
          })
        await send({ ...sending, operation: 'storeConsents', body: { consents: [consent] } })
        if (args.next === 'withdraw')
          await send({ ...sending, operation: 'withdrawConsents', body: { phoneNumber: other } })
        if (args.next === 'suppress') {
          const body = { phoneNumbers: [other] }
          await send({ ...sending, operation: 'suppressNumbers', body })
          await send({ ...sending, operation: 'liftSuppressions', scope: 'manage', body })
        }
        const body = { campaignId, limit: 5 }
        if (args.next !== null) await send({ ...sending, operation: 'claimCalls', scope: 'agent', body })
      },
    },
    withdrawConsents: {
      operations: ['withdrawConsents'],
      weight: 1,
      plan: drawPlace,
      says: (args) => `withdraws the consents of ${saysNumber(args)} in company ${args.company}`,
      async act(args, { cast, send }) {
        const body = { phoneNumber: numberAt(cast, args) }
        await send({ operation: 'withdrawConsents', company: args.company, scope: 'write', body })
      },
    },
  },
}
