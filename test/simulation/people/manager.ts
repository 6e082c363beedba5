// The manager of a company: changes campaigns while they call, and has leads called again.
import { drawSettings } from '../cast.ts'
import {
  campaignIdAt,
  drawPlace,
  evidenceOf,
  latest,
  leasedAt,
  numberAt,
  type Person,
  saysNumber,
  saysPlace,
} from './person.ts'

export const manager: Person = {
  name: 'manager',
  deeds: {
    changeCampaign: {
      operations: ['changeCampaign'],
      weight: 2,
      plan: (draws, cast) => {
        const drawn = Object.entries(drawSettings(draws))
        const [name, value] = draws.isOneOf(4) ? ['paused', draws.isOneOf(2)] : draws.pick(drawn)
        return { ...drawPlace(draws, cast), change: { [name]: value } }
      },
      says: (args) => `changes ${saysPlace(args)}: ${JSON.stringify(args.change)}`,
      async act(args, { cast, send }) {
        const parts = { campaignId: campaignIdAt(cast, args) }
        await send({
          operation: 'changeCampaign',
          company: args.company,
          scope: 'manage',
          parts,
          body: args.change,
        })
      },
    },
    requeueLead: {
      operations: ['requeueLead', 'requeueSelection', 'suppressNumbers'],
      weight: 6,
      plan: (draws) => ({
        which: draws.below(6),
        isSelection: draws.isOneOf(2),
        isInCall: draws.child('call').isOneOf(3),
        saysNo: draws.child('no').isOneOf(6),
      }),
      says: ({ which, isInCall, saysNo }) =>
        `requeues ${isInCall ? 'the lead of open call' : 'lead'} ${which} from the last` +
        (saysNo ? ', who has said no' : ''),
      async act({ which, isSelection, isInCall, saysNo }, { known, send }) {
        const called = isInCall ? leasedAt(known, { which, isOpen: true }) : undefined
        const ofCall = known.leads.find(({ externalId }) => externalId === called?.externalId)
        const lead = ofCall ?? latest(known.leads, which)
        if (lead === undefined) return
        const sending = { company: lead.company, scope: 'write' } as const
        if (saysNo)
          await send({ ...sending, operation: 'suppressNumbers', body: { phoneNumbers: [lead.phoneNumber] } })
        if (isSelection)
          await send({ ...sending, operation: 'requeueSelection', body: { leadIds: [lead.leadId] } })
        else await send({ ...sending, operation: 'requeueLead', parts: { leadId: lead.leadId } })
      },
    },
    easeConsent: {
      operations: ['changeCampaign', 'createLead', 'storeConsents', 'claimCalls'],
      weight: 1,
      plan: (draws, cast) => ({ ...drawPlace(draws, cast), maxAgeDays: draws.pick([null, 30]) }),
      says: (args) =>
        `requires a consent of at most a day in ${saysPlace(args)}, has ${saysNumber(args)} held there, ` +
        `whose consent is older, and requires one of ${args.maxAgeDays === null ? 'any age' : 'at most 30 days'}`,
      async act(args, { cast, send, nowMs, action }) {
        const [campaignId, phoneNumber] = [campaignIdAt(cast, args), numberAt(cast, args)]
        const sending = { company: args.company, scope: 'write' } as const
        const requires = (maxAgeDays: number | null) =>
          send({
            ...{ ...sending, operation: 'changeCampaign', scope: 'manage', parts: { campaignId } },
            body: { requireConsent: { purpose: 'calls', maxAgeDays } },
          })
        await requires(1)
        const body = { campaignId, phoneNumber, externalId: `canary${action}` }
        await send({ ...sending, operation: 'createLead', body })
        const givenAt = new Date(nowMs() - 3 * 86_400_000).toISOString()
        const given = { phoneNumber, purpose: 'calls', givenAt, ...evidenceOf(action) }
        await send({ ...sending, operation: 'storeConsents', body: { consents: [given] } })
        await send({ ...sending, operation: 'claimCalls', scope: 'agent', body: { campaignId, limit: 5 } })
        await requires(args.maxAgeDays)
      },
    },
    revive: {
      operations: ['liftSuppressions', 'storeConsents', 'createLead', 'requeueLead'],
      weight: 14,
      plan: drawPlace,
      says: (args) => `has ${saysNumber(args)} called again in ${saysPlace(args)}, whatever it has said`,
      async act({ company, campaign, ...phone }, { cast, known, send, nowMs, action }) {
        const campaignId = campaignIdAt(cast, { company, campaign })
        const phoneNumber = numberAt(cast, phone)
        const sending = { company, scope: 'write' } as const
        const isOfPhone = (number: string) => cast.phones[phone.phone]?.spellings.includes(number) ?? false
        if (known.seen[company]?.suppressed.some((one) => isOfPhone(one.phoneNumber)))
          for (const scope of [{}, { campaignId }])
            await send({
              ...{ company, scope: 'manage', operation: 'liftSuppressions' },
              body: { phoneNumbers: [phoneNumber], ...scope },
            })
        const givenAt = new Date(nowMs()).toISOString()
        const given = { phoneNumber, purpose: 'calls', givenAt, ...evidenceOf(action) }
        if (cast.companies[company]?.campaigns[campaign]?.settings.requireConsent)
          await send({ ...sending, operation: 'storeConsents', body: { consents: [given] } })
        const lead = known.leads.findLast(
          (one) =>
            one.company === company &&
            one.campaign === campaign &&
            one.phone === phone.phone &&
            one.erasedBy === null,
        )
        const body = { campaignId, phoneNumber, externalId: `canary${action}` }
        if (lead === undefined) await send({ ...sending, operation: 'createLead', body })
        else await send({ ...sending, operation: 'requeueLead', parts: { leadId: lead.leadId } })
      },
    },
    requeueLeads: {
      operations: ['requeueLeads', 'suppressNumbers'],
      weight: 1,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        status: draws.pick(['exhausted', 'concluded']),
        saysNo: draws.child('no').isOneOf(2),
      }),
      says: (args) =>
        `requeues all that are ${args.status} in ${saysPlace(args)}` +
        (args.saysNo ? `, once ${saysNumber(args)} has said no` : ''),
      async act(args, { cast, send, nowMs }) {
        const said = { phoneNumbers: [numberAt(cast, args)] }
        if (args.saysNo)
          await send({ operation: 'suppressNumbers', company: args.company, scope: 'write', body: said })
        const body = { status: args.status, since: new Date(nowMs() - 86_400_000).toISOString() }
        const parts = { campaignId: campaignIdAt(cast, args) }
        await send({ operation: 'requeueLeads', company: args.company, scope: 'write', parts, body })
      },
    },
    createCampaign: {
      operations: ['createCampaign'],
      weight: 1,
      plan: drawPlace,
      says: ({ company }) => `creates another campaign of company ${company}`,
      async act({ company }, { send, action }) {
        const body = { id: `other-${action}`, name: 'another', timeZone: 'UTC' }
        await send({ operation: 'createCampaign', company, scope: 'manage', body })
      },
    },
  },
}
