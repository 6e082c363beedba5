// Somebody who runs dialers: sets them, changes them while they call, tests and deletes them. The providers are in
// model/providers.ts.

import { templateOn } from '../../support/dialers/fake-provider.ts'
import type { Cast } from '../cast.ts'
import type { Draws } from '../draws.ts'
import { providerHosts } from '../model/providers.ts'
import {
  type Args,
  campaignIdAt,
  drawPlace,
  latest,
  numberAt,
  type Person,
  type Stage,
  saysNumber,
  saysPlace,
} from './person.ts'

const longestTalkMs = 3_600_000

const partsOf = ({ cast }: Stage, args: Args) => ({ campaignId: campaignIdAt(cast, args) })
const settings = ({ host, maxLive }: Args) => ({
  ...{ enabled: true, maxLive, preset: 'custom', secrets: { apiKey: 'secret of the provider' } },
  template: templateOn(providerHosts[host] as string),
})

/** At times the dialer is one that has a call. */
const drawLivePlace = (draws: Draws, cast: Cast) => ({
  ...drawPlace(draws, cast),
  isLive: draws.child('live').below(5) > 0,
})
const saysDialer = (args: Args) => `${saysPlace(args)}${args.isLive ? ', or of one that has a call' : ''}`
const livePlace = (args: Args, { known }: Stage): Args =>
  (args.isLive && known.calls.findLast(({ outcome, exchange }) => outcome === null && exchange === null)) ||
  args

/** What is sent of a dialer that is there. */
const small = (
  operation: string,
  weight: number,
  body?: (args: Args, stage: Stage) => object | null,
  isOfLive = false,
) => ({
  operations: [operation],
  weight,
  plan: isOfLive ? drawLivePlace : drawPlace,
  says: (args: Args) => `${operation} of ${saysDialer(args)}`,
  async act(args: Args, stage: Stage) {
    const sent = body?.(args, stage)
    if (sent === null) return
    const place = livePlace(args, stage)
    const sending = {
      operation,
      company: place.company,
      scope: 'manage',
      parts: partsOf(stage, place),
    } as const
    await stage.send(sent === undefined ? sending : { ...sending, body: sent })
  },
})

export const voice: Person = {
  name: 'voice',
  deeds: {
    setDialer: {
      operations: ['setDialer'],
      weight: 3,
      plan: (draws, cast) => ({
        ...drawLivePlace(draws, cast),
        isLive: draws.child('live').isOneOf(2),
        host: draws.below(providerHosts.length),
        maxLive: draws.pick([1, 2, 5]),
      }),
      says: (args) => `sets a dialer of ${args.maxLive} at provider ${args.host} for ${saysDialer(args)}`,
      async act(args, stage) {
        const place = livePlace(args, stage)
        const [parts, body] = [partsOf(stage, place), settings(args)]
        await stage.send({ operation: 'setDialer', company: place.company, scope: 'manage', parts, body })
      },
    },
    lendKey: {
      operations: ['createKey', 'setDialer', 'revokeKey'],
      weight: 1,
      plan: (draws, cast) => ({
        ...drawLivePlace(draws, cast),
        host: draws.below(providerHosts.length),
        maxLive: draws.pick([1, 2]),
      }),
      says: (args) =>
        `sets the dialer of ${saysDialer(args)} with a key of its own, which is revoked in its next call`,
      async act(args, stage) {
        const { known, nowMs, send, wait, action } = stage
        const { company, campaign } = livePlace(args, stage)
        const sending = { company, scope: 'manage' } as const
        const body = { name: `dialer ${action}`, scope: 'manage' }
        const { key, keyId } = (await send({ ...sending, operation: 'createKey', body }))?.body?.data ?? {}
        if (key === undefined) return
        const parts = partsOf(stage, { company, campaign })
        await send({ ...sending, operation: 'setDialer', parts, body: settings(args), key })
        const isLive = () =>
          known.rung.some(
            ({ callId, talk }) =>
              talk.endedAtMs > nowMs() &&
              known.calls.some(
                (one) => one.callId === callId && one.company === company && one.campaign === campaign,
              ),
          )
        for (let step = 0; step < 60 && !isLive(); step++) await wait(1_000)
        await send({ ...sending, operation: 'revokeKey', parts: { keyId } })
      },
    },
    changeProvider: {
      operations: ['setDialer'],
      weight: 2,
      plan: (draws) => ({ maxLive: draws.pick([1, 2]) }),
      says: () => 'waits until a dialer has a call, and sets that dialer at the other provider',
      async act({ maxLive }, stage) {
        const { known, nowMs, send, wait } = stage
        for (let step = 0; step < 60; step++) {
          const callOf = (id: string) => known.calls.find(({ callId }) => callId === id)
          const live = known.rung.findLast(
            ({ talk, callId }) => talk.endedAtMs > nowMs() + 5_000 && callOf(callId) !== undefined,
          )
          const call = callOf(live?.callId ?? '')
          if (live !== undefined && call !== undefined) {
            const [parts, body] = [partsOf(stage, call), settings({ host: 1 - live.host, maxLive })]
            await send({ operation: 'setDialer', company: call.company, scope: 'manage', parts, body })
            return
          }
          await wait(1_000)
        }
      },
    },
    changeDialer: {
      operations: ['changeDialer'],
      weight: 1,
      plan: (draws, cast) => ({
        ...drawLivePlace(draws, cast),
        change: draws.pick([
          { enabled: false },
          { enabled: true },
          { maxLive: 1 },
          { variables: { voice: 'b' } },
        ]),
      }),
      says: (args) => `changes the dialer of ${saysDialer(args)}: ${JSON.stringify(args.change)}`,
      async act(args, stage) {
        const place = livePlace(args, stage)
        await stage.send({
          operation: 'changeDialer',
          company: place.company,
          scope: 'manage',
          parts: partsOf(stage, place),
          body: args.change,
        })
      },
    },
    deleteDialer: small('deleteDialer', 1, undefined, true),
    checkDialer: small('checkDialer', 1),
    previewDialer: small('previewDialer', 1, ({ company, campaign }, { known }) => {
      const lead = known.leads.findLast((one) => one.company === company && one.campaign === campaign)
      return lead === undefined ? null : { leadId: lead.leadId }
    }),
    testDialer: {
      operations: ['testDialer', 'readDialerTest'],
      weight: 1,
      plan: drawPlace,
      says: (args) => `tests the dialer of ${saysPlace(args)} with ${saysNumber(args)}`,
      async act(args, stage) {
        const sending = { company: args.company, scope: 'manage' } as const
        const parts = partsOf(stage, args)
        const body = { phoneNumber: numberAt(stage.cast, args) }
        const begun = await stage.send({ ...sending, operation: 'testDialer', parts, body })
        if (begun?.status !== 202) return
        await stage.wait(90_000)
        const { testId } = begun.body.data
        await stage.send({ ...sending, operation: 'readDialerTest', parts: { ...parts, testId } })
      },
    },
    sayNo: {
      operations: ['suppressNumbers', 'withdrawConsents'],
      weight: 4,
      plan: (draws) => ({
        isEarly: draws.isOneOf(2),
        door: draws.pick(['suppressNumbers', 'suppressNumbers', 'withdrawConsents']),
      }),
      says: ({ isEarly, door }) =>
        `waits for a call of a dialer, and sends ${door} for its phone ${isEarly ? 'before it rings' : 'in it'}`,
      async act({ isEarly, door }, { known, nowMs, wait, send }) {
        const [stepMs, steps] = isEarly ? [100, 200] : [1_000, 60]
        const began = known.calls.length
        for (let step = 0; step < steps; step++) {
          const live = known.rung.findLast(({ talk }) => talk.endedAtMs > nowMs())
          const call = isEarly
            ? known.calls.slice(began).find(({ isOfDialer }) => isOfDialer)
            : known.calls.find(({ callId }) => callId === live?.callId)
          if (call !== undefined) {
            const { company, phoneNumber } = call
            const body = door === 'suppressNumbers' ? { phoneNumbers: [phoneNumber] } : { phoneNumber }
            await send({ operation: door, company, scope: 'write', body })
            return
          }
          await wait(stepMs)
        }
      },
    },
    nudge: {
      operations: [],
      weight: 1,
      plan: (draws) => ({ which: draws.below(4), isOfEnd: draws.child('end').isOneOf(2) }),
      says: ({ which, isOfEnd }) =>
        `tells that call ${which} from the last has ${isOfEnd ? 'ended, twice' : 'changed'}`,
      async act({ which, isOfEnd }, { known, nowMs, wait, sendTo, met }) {
        const rung = latest(known.rung, which)
        if (rung?.endUrl === undefined) return
        const leftMs = rung.talk.endedAtMs - nowMs()
        if (isOfEnd && leftMs > 0 && leftMs < longestTalkMs) await wait(leftMs)
        await sendTo(rung.endUrl, {})
        if (!isOfEnd || rung.talk.endedAtMs > nowMs()) return
        met('provider tells twice')
        await sendTo(rung.endUrl, {})
      },
    },
  },
}
