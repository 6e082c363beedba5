// The manager of a company: changes campaigns while they call, and looks at them.
import { drawSettings } from '../cast.ts'
import { campaignIdAt, drawPlace, latest, type Person, saysPlace } from './person.ts'

export const manager: Person = {
  name: 'manager',
  deeds: {
    changeCampaign: {
      operations: ['changeCampaign'],
      weight: 2,
      plan: (draws, cast) => {
        const drawn = Object.entries({ ...drawSettings(draws), paused: draws.isOneOf(4) })
        const [name, value] = draws.pick(drawn)
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
    look: {
      operations: ['getCampaign', 'getOverview', 'previewCampaign', 'getStatistics'],
      weight: 1,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        operation: draws.pick(['getCampaign', 'getOverview', 'previewCampaign', 'getStatistics']),
      }),
      says: (args) => `${args.operation} of ${saysPlace(args)}`,
      async act(args, { cast, send }) {
        const parts = { campaignId: campaignIdAt(cast, args) }
        await send({ operation: args.operation, company: args.company, scope: 'manage', parts })
      },
    },
    explainLead: {
      operations: ['explainLead'],
      weight: 1,
      plan: (draws) => ({ which: draws.below(20) }),
      says: ({ which }) => `asks why lead ${which} from the last waits`,
      async act({ which }, { known, send }) {
        const lead = latest(known.leads, which)
        if (lead === undefined) return
        await send({
          operation: 'explainLead',
          company: lead.company,
          scope: 'read',
          parts: { leadId: lead.leadId },
        })
      },
    },
  },
}
