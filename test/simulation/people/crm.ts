// A CRM: sends leads, one or many, again where no answer came, reads and changes them.
import {
  campaignIdAt,
  drawPlace,
  evidenceOf,
  latest,
  numberAt,
  type Person,
  saysNumber,
  saysPlace,
} from './person.ts'

const inMs = [null, null, null, null, null, null, -3_600_000, 60_000, 5 * 3_600_000, 30 * 3_600_000]
const zones = [null, null, null, 'Asia/Tokyo', 'America/New_York']
const timestamp = (nowMs: number, ms: number) => new Date(nowMs + ms).toISOString()

/** In metadata, by which a person says that nobody may call. */
const noes = [
  { do_not_call: 'yes' },
  { dnc: true },
  { doNotCall: 'Ja' },
  { 'Bitte nicht anrufen': 'x' },
  { phone_opt_out: '1' },
  { opt_out: { phone: true } },
] as const

export const crm: Person = {
  name: 'crm',
  deeds: {
    createLead: {
      operations: ['createLead'],
      weight: 16,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        inMs: draws.pick(inMs),
        priority: draws.pick([0, 0, 5, 100]),
        zone: draws.pick(zones),
        consent: draws.isOneOf(3),
        key: draws.isOneOf(2),
        again: draws.isOneOf(3),
        isOther: draws.child('other').isOneOf(3),
      }),
      says: (args) =>
        `sends ${saysNumber(args)} to ` +
        saysPlace(args) +
        (args.inMs === null ? '' : `, scheduled in ${args.inMs / 60_000} min`) +
        (args.consent ? ', with a consent' : ''),
      async act(args, { cast, send, action, nowMs }) {
        const now = nowMs()
        const canary = `canary${action}`
        const sending = {
          operation: 'createLead',
          company: args.company,
          scope: 'write',
          body: {
            campaignId: campaignIdAt(cast, args),
            phoneNumber: numberAt(cast, args),
            externalId: canary,
            metadata: { name: canary },
            priority: args.priority,
            ...(args.inMs !== null && { scheduledFor: timestamp(now, args.inMs) }),
            ...(args.zone !== null && { timeZone: args.zone }),
            ...(args.consent && {
              consent: { purpose: 'calls', givenAt: timestamp(now, -60_000), ...evidenceOf(action) },
            }),
          },
          headers: args.key ? { 'idempotency-key': `lead-${action}` } : {},
        } as const
        const first = await send(sending)
        if (first === null || (args.key && args.again)) await send(sending)
        // The key is of another request.
        if (args.key && args.isOther)
          await send({ ...sending, body: { ...sending.body, priority: args.priority + 1 } })
      },
    },
    tryLead: {
      operations: ['createLead'],
      weight: 1,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        word: draws.pick(['dryRun', 'dryRun', 'dryrun', 'dry_run']),
      }),
      says: (args) =>
        `tries with ${args.word} what sending ${saysNumber(args)} to ${saysPlace(args)} would do`,
      async act(args, { cast, send, action }) {
        const body = {
          ...{ campaignId: campaignIdAt(cast, args), phoneNumber: numberAt(cast, args) },
          externalId: `canary${action}`,
        }
        const sending = { operation: 'createLead', company: args.company, scope: 'write', body } as const
        await send({ ...sending, query: { [args.word]: 'true' } })
      },
    },
    createLeads: {
      operations: ['createLeads'],
      weight: 2,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        items: Array.from({ length: 1 + draws.below(3) }, () => {
          const { phone, spelling } = drawPlace(draws, cast)
          return { phone, spelling }
        }),
        results: draws.isOneOf(2),
      }),
      says: (args) => `sends a bulk of ${args.items.map(saysNumber).join(', ')} to ${saysPlace(args)}`,
      async act(args, { cast, send, action }) {
        const sending = {
          operation: 'createLeads',
          company: args.company,
          scope: 'write',
          query: args.results ? { results: 'true' } : {},
          body: {
            campaignId: campaignIdAt(cast, args),
            leads: args.items.map((item: object, index: number) => ({
              phoneNumber: numberAt(cast, item),
              externalId: `canary${action}x${index}`,
            })),
          },
        } as const
        if ((await send(sending)) === null) await send(sending)
      },
    },
    changeLead: {
      operations: ['changeLead'],
      weight: 2,
      plan: (draws) => ({
        which: draws.below(20),
        inMs: draws.pick(inMs),
        priority: draws.pick([0, 5, 100]),
      }),
      says: ({ which, inMs: ms }) =>
        `changes lead ${which} from the last: ${ms === null ? 'its priority' : `scheduled in ${ms / 60_000} min`}`,
      async act({ which, inMs: ms, priority }, { known, send, nowMs }) {
        const lead = latest(known.leads, which)
        if (lead === undefined) return
        const body = ms === null ? { priority } : { scheduledFor: timestamp(nowMs(), ms) }
        await send({
          operation: 'changeLead',
          company: lead.company,
          scope: 'write',
          parts: { leadId: lead.leadId },
          body,
        })
      },
    },
    sayNo: {
      operations: ['createLead', 'createLeads', 'changeLead'],
      weight: 2,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        door: draws.pick(['createLead', 'createLeads', 'changeLead']),
        words: draws.pick(noes),
        which: draws.below(4),
      }),
      says: ({ door, words, ...args }) =>
        `${door} of ${saysNumber(args)} in ${saysPlace(args)} with ${JSON.stringify(words)}`,
      async act({ door, words: metadata, which, ...args }, { cast, known, send, action }) {
        const [phoneNumber, externalId] = [numberAt(cast, args), `canary${action}`]
        const campaignId = campaignIdAt(cast, args)
        const sending = {
          operation: door,
          company: args.company,
          scope: 'write',
          about: { saysNo: true },
        } as const
        if (door === 'createLead')
          await send({ ...sending, body: { campaignId, phoneNumber, externalId, metadata } })
        if (door === 'createLeads') {
          const leads = [
            { phoneNumber, externalId: `${externalId}x0`, metadata },
            { phoneNumber, externalId: `${externalId}x1` },
          ]
          await send({ ...sending, query: { onInvalid: 'skip' }, body: { campaignId, leads } })
        }
        const lead = latest(known.leads, which)
        if (door === 'changeLead' && lead !== undefined)
          await send({
            ...sending,
            company: lead.company,
            parts: { leadId: lead.leadId },
            body: { metadata },
          })
      },
    },
  },
}
