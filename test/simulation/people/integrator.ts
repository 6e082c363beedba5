// Somebody who connects other systems: webhooks, which are changed and replayed, and a poller of events.
import { receiverHost } from '../model/receivers.ts'
import { type Args, campaignIdAt, drawPlace, latest, type Person, type Stage, saysPlace } from './person.ts'

/** Of a webhook that is there. */
const ofWebhook = (
  operation: string,
  weight: number,
  bodyOf: (args: Args, stage: Stage) => object | null = () => null,
) => ({
  operations: [operation],
  weight,
  plan: (draws: Parameters<typeof drawPlace>[0]) => ({ which: draws.below(4), disabled: draws.isOneOf(2) }),
  says: ({ which }: Args) => `${operation} of webhook ${which} from the last`,
  async act(args: Args, stage: Stage) {
    const webhook = latest(stage.known.webhooks, args.which)
    if (webhook === undefined) return
    const [parts, body] = [{ webhookId: webhook.webhookId }, bodyOf(args, stage)]
    await stage.send({
      operation,
      company: webhook.company,
      scope: 'manage',
      parts,
      ...(body !== null && { body }),
    })
  },
})

export const integrator: Person = {
  name: 'integrator',
  deeds: {
    createWebhook: {
      operations: ['createWebhook'],
      weight: 1,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        all: draws.below(3) > 0,
        format: draws.pick([null, null, null, null, 'slack', 'teams', 'discord', 'pagerduty']),
        isOfCampaign: draws.isOneOf(2),
      }),
      says: ({ company, campaign, all, format, isOfCampaign }) =>
        `creates a webhook of ${isOfCampaign ? saysPlace({ company, campaign }) : `company ${company}`}` +
        (format ? `, for ${format}` : all ? '' : ', of leads alone'),
      async act({ company, campaign, all, format, isOfCampaign }, { send, action, cast }) {
        const url = `https://${receiverHost}/${action}`
        const types =
          format === null ? ['leads.created', 'lead.concluded'] : ['alert.raised', 'alert.cleared']
        const body = {
          ...{ url, ...(!all && { types }), ...(format !== null && { format }) },
          ...(isOfCampaign && { campaignId: campaignIdAt(cast, { company, campaign }) }),
          ...(format === 'pagerduty' && { secrets: { routingKey: '0123456789abcdef0123456789abcdef' } }),
        }
        await send({ operation: 'createWebhook', company, scope: 'manage', body })
      },
    },
    changeWebhook: ofWebhook('changeWebhook', 1, ({ disabled }) => ({ disabled })),
    deleteWebhook: ofWebhook('deleteWebhook', 1),
    rotateWebhook: ofWebhook('rotateWebhook', 1),
    testWebhook: ofWebhook('testWebhook', 1),
    getWebhook: ofWebhook('getWebhook', 1),
    listDeliveries: ofWebhook('listDeliveries', 1),
    replayWebhook: ofWebhook('replayWebhook', 1, (_, { nowMs }) => ({
      since: new Date(nowMs() - 3_600_000).toISOString(),
    })),
    poll: {
      operations: ['listEvents'],
      weight: 5,
      plan: (draws, cast) => ({
        company: draws.below(cast.companies.length),
        limit: draws.pick([1, 3, 100]),
      }),
      says: ({ company }) => `polls the events of company ${company}`,
      async act({ company, limit }, { known, send }) {
        const after = known.polled[company]?.at(-1)?.next
        const query = { limit, ...(after !== undefined && { after }) }
        await send({ operation: 'listEvents', company, scope: 'manage', query })
      },
    },
  },
}
