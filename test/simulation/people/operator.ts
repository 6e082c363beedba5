// The operator of the service: companies, their keys, and where they are stored.
import { type Args, campaignIdAt, drawPlace, numberAt, type Person, type Stage } from './person.ts'

type Sent = Pick<Parameters<Stage['send']>[0], 'parts' | 'body'>

/** What no restore takes back, with the last of it that the company has. Null: it has none. */
const ends: Readonly<Record<string, (place: Args, stage: Stage) => Sent | null>> = {
  suppressNumbers: (place, { cast }) => ({ body: { phoneNumbers: [numberAt(cast, place)] } }),
  withdrawConsents: (place, { cast }) => ({ body: { phoneNumber: numberAt(cast, place) } }),
  erasePerson: (place, { cast }) => ({ body: { phoneNumber: numberAt(cast, place), suppress: true } }),
  eraseLead: ({ company }, { known }) => {
    const lead = known.leads.findLast((one) => one.company === company)
    return lead === undefined ? null : { parts: { leadId: lead.leadId } }
  },
  revokeKey: ({ company }, { known }) => {
    const key = known.keys.findLast((one) => one.company === company)
    return key === undefined ? null : { parts: { keyId: key.id } }
  },
  deleteSource: ({ company }, { known }) => {
    const source = known.sources.findLast((one) => one.company === company)
    return source === undefined
      ? null
      : { parts: { sourceId: source.id, campaignId: source.campaignId as string } }
  },
}

async function end(operation: string, place: Args, stage: Stage): Promise<void> {
  const sent = ends[operation]?.(place, stage) ?? null
  if (sent !== null) await stage.send({ operation, company: place.company, scope: 'manage', ...sent })
}

/** Calls, one of them of a lead that a restore takes back. */
async function begin(place: Args, { cast, send, action }: Stage): Promise<void> {
  const { company } = place
  const lead = { phoneNumber: numberAt(cast, place), externalId: `canary${action}` }
  const body = { campaignId: campaignIdAt(cast, place), ...lead }
  await send({ operation: 'createLead', company, scope: 'write', body })
  for (const { id: campaignId } of cast.companies[company]?.campaigns ?? [])
    await send({ operation: 'claimCalls', company, scope: 'agent', body: { campaignId, limit: 2 } })
}

/** Its campaigns call again, and what was ended is used. */
async function goOn(place: Args, stage: Stage): Promise<void> {
  const { cast, send } = stage
  const { company } = place
  for (const { id: campaignId } of cast.companies[company]?.campaigns ?? []) {
    const resumed = { parts: { campaignId }, body: { paused: false } }
    await send({ operation: 'changeCampaign', company, scope: 'manage', ...resumed })
    await send({ operation: 'claimCalls', company, scope: 'agent', body: { campaignId, limit: 5 } })
  }
  const [key, source] = [stage.known.keys, stage.known.sources].map((made) =>
    made.findLast((one) => one.company === company && one.endedBy !== null),
  )
  if (key !== undefined) await send({ operation: 'listCampaigns', company, scope: 'read', key: key.text })
  const session = stage.known.sessions.findLast((one) => one.company === company && one.endedBy !== null)
  if (session !== undefined)
    await send({ operation: 'listCampaigns', company, scope: 'read', key: session.text })
  const post = { phone: numberAt(cast, place), name: 'again' }
  if (source !== undefined) await stage.sendTo(source.text, post, { source, phone: place.phone, isNo: false })
}

const ofCompany = (
  operation: string,
  weight: number,
  says: string,
  bodyOf: (args: Args, stage: Stage) => object | null = () => null,
) => ({
  operations: [operation],
  weight,
  plan: (draws: Parameters<typeof drawPlace>[0], cast: Parameters<typeof drawPlace>[1]) => ({
    company: draws.below(cast.companies.length),
    to: draws.pick(['own', 'shared']),
  }),
  says: ({ company, to }: Args) =>
    `${says} company ${company}${operation === 'moveCompany' ? ` to ${to}` : ''}`,
  async act(args: Args, stage: Stage) {
    const parts = { companyId: stage.cast.companies[args.company]?.id as string }
    const body = bodyOf(args, stage)
    await stage.send({
      operation,
      company: args.company,
      scope: 'operate',
      parts,
      ...(body !== null && { body }),
    })
  },
})

export const operator: Person = {
  name: 'operator',
  deeds: {
    moveCompany: {
      operations: ['moveCompany', 'abortMove', 'createLead', 'suppressNumbers'],
      weight: 1,
      plan: (draws, cast) => ({
        ...{ company: draws.below(cast.companies.length), to: draws.pick(['own', 'shared']) },
        during: Array.from({ length: draws.below(6) }, () => ({
          ...drawPlace(draws, cast),
          ...{ inMs: draws.below(15_000), isNo: draws.isOneOf(3) },
        })),
        abortsAfterMs: draws.child('aborts').pick([null, null, 0, 20, 500]),
      }),
      says: ({ company, to, during, abortsAfterMs }) =>
        `moves company ${company} to ${to}, and ${during.length} leads or noes come meanwhile` +
        (abortsAfterMs === null ? '' : `, aborts that after ${abortsAfterMs} ms`),
      async act({ company, to, during, abortsAfterMs }, { cast, send, wait, action }) {
        const parts = { companyId: cast.companies[company]?.id as string }
        await send({ operation: 'moveCompany', company, scope: 'operate', parts, body: { to } })
        if (abortsAfterMs !== null) {
          await wait(abortsAfterMs)
          await send({ operation: 'abortMove', company, scope: 'operate', parts })
        }
        for (const [index, place] of during.entries()) {
          const [phoneNumber, campaignId] = [numberAt(cast, place), campaignIdAt(cast, { ...place, company })]
          const lead = { campaignId, phoneNumber, externalId: `canary${action}x${index}` }
          await wait(place.inMs)
          if (place.isNo)
            await send({
              ...{ operation: 'suppressNumbers', company, scope: 'write' as const },
              body: { phoneNumbers: [phoneNumber] },
            })
          else await send({ operation: 'createLead', company, scope: 'write', body: lead })
        }
      },
    },
    abortMove: ofCompany('abortMove', 1, 'aborts the move of'),
    restoreCompany: {
      operations: [
        ...['restoreCompany', ...Object.keys(ends), 'createLead', 'changeCampaign', 'claimCalls'],
        'reportCalls',
      ],
      weight: 3,
      isRare: true,
      plan: (draws, cast) => ({
        ...drawPlace(draws, cast),
        company: draws.pick(cast.companies.map((_, index) => index)),
        agoMs: draws.pick([61_000, 120_000, 900_000, 7_200_000]),
        first: draws.pick([null, ...Object.keys(ends)]),
        goesOn: draws.below(3) > 0,
        isUndone: draws.child('undone').isOneOf(4),
        isOnThePhone: draws.child('phone').below(4) > 0,
        hearsNo: draws.child('no').isOneOf(2),
      }),
      says: ({ company, agoMs, first, goesOn, isUndone, isOnThePhone, hearsNo }) =>
        `${isOnThePhone ? 'claims, ' : ''}${first === null ? '' : `sends ${first}, and `}` +
        `restores company ${company} to ${agoMs / 60_000} min ago` +
        (goesOn ? ', which then calls on' : '') +
        (isUndone && hearsNo ? ', hears a no in the last call' : '') +
        (isUndone ? ', and undoes that' : ''),
      async act({ agoMs, first, goesOn, isUndone, isOnThePhone, hearsNo, ...place }, stage) {
        const { cast, known, send, nowMs, wait } = stage
        const { company } = place
        if (isOnThePhone) await begin(place, stage)
        const call = known.leased.findLast((one) => one.company === company)
        if (first !== null) await end(first, place, stage)
        const confirm = cast.companies[company]?.id as string
        const beganMs = nowMs()
        const body = { confirm, to: new Date(nowMs() - agoMs).toISOString() }
        const sending = { operation: 'restoreCompany', company, scope: 'operate', body } as const
        const parts = { companyId: confirm }
        const begun = await send({ ...sending, parts })
        if (begun === null || begun.status === 503) await send({ ...sending, parts })
        if (goesOn) await goOn(place, stage)
        if (!isUndone) return
        if (hearsNo && call !== undefined) {
          const calls = [{ callId: call.callId, outcome: 'do_not_call' }]
          await send({ operation: 'reportCalls', company, scope: 'agent', body: { calls } })
        }
        // No restore is to a time of this minute.
        await wait(62_000)
        const undone = { confirm, to: new Date(beganMs).toISOString() }
        await send({ ...sending, parts, body: undone })
        await goOn(place, stage)
      },
    },
    updateCompany: ofCompany('updateCompany', 1, 'renames', (_, { action }) => ({
      name: `company ${action}`,
    })),
    createCompanyMember: ofCompany('createCompanyMember', 1, 'adds a member to', (_, { action }) => ({
      ...{ email: `member${action}@example.com`, scope: 'read' },
    })),
    rotateCompanyKey: {
      operations: ['createCompanyKey', 'rotateCompanyKey', 'revokeCompanyKey'],
      weight: 1,
      plan: (draws, cast) => ({ company: draws.below(cast.companies.length) }),
      says: ({ company }) => `creates, rotates and revokes a key of company ${company}`,
      async act({ company }, { cast, send, action }) {
        const companyId = cast.companies[company]?.id as string
        const sending = { company, scope: 'operate' } as const
        const body = { name: `operated ${action}`, scope: 'read' }
        const made = await send({ ...sending, operation: 'createCompanyKey', parts: { companyId }, body })
        if (made?.status !== 201) return
        const { keyId } = made.body.data
        const parts = { companyId, keyId }
        await send({ ...sending, operation: 'rotateCompanyKey', parts, body: { graceSeconds: 60 } })
        await send({ ...sending, operation: 'revokeCompanyKey', parts })
      },
    },
  },
}
