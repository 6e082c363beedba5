// Voice providers, with what goes wrong at them, drawn for each call of a phone; and what has really rung there.
import {
  type Fate,
  openProvider,
  type ProviderCall,
  type StartFate,
  type StatusFate,
} from '../../support/dialers/fake-provider.ts'
import { type Draws, drawsOf } from '../draws.ts'
import type { FaultName } from '../faults.ts'
import type { Service } from '../platform/service.ts'
import type { Known, Rung } from './known.ts'

export const providerHosts = ['voice-a.example.com', 'voice-b.example.com'] as const

const starts: readonly StartFate[] = ['busy', 'busy_without_time', 'no_credit', 'refused'].concat([
  'fails_after_ringing',
  'fails_before_ringing',
  'no_id',
  'late',
]) as StartFate[]
const statuses: readonly StatusFate[] = [
  'errors',
  'missing',
  'garbage',
  'unfinished',
  'no_analysis',
  'never_ends',
]
const outcomes = [null, null, null, 'not_interested', 'do_not_call', 'no_answer', 'voicemail'] as const

function drawFate(draws: Draws): Fate {
  const start = draws.isOneOf(4) ? draws.pick(starts) : 'fine'
  const status = draws.isOneOf(4) ? draws.pick(statuses) : 'fine'
  return {
    start: draws.child('lost').isOneOf(30) ? 'lost' : start,
    status,
    reason: draws.pick(['answered', 'answered', 'answered', 'busy', 'no-answer', 'crashed']),
    outcome: draws.pick(outcomes),
    lengthMs: 1_000 + draws.below(draws.isOneOf(6) ? 1_500_000 : 120_000),
    ...(draws.isOneOf(6) && { said: { doNotCall: true } }),
    // It is asked for an hour what was said.
    ...(status === 'no_analysis' && { faultMs: draws.child('fault').pick([faultMs, 5 * faultMs]) }),
  }
}

/** What takes longer may not be heard. */
const patienceMs = 5_000
const hourMs = 3_600_000
/** How long a fault of the status lasts after the call. */
const faultMs = 300_000

const faultsOfStart: Readonly<Partial<Record<StartFate, FaultName>>> = {
  ...{ busy: 'provider busy', busy_without_time: 'provider busy', no_credit: 'provider without credit' },
  ...{ refused: 'provider refuses', no_id: 'provider without id' },
  ...{ fails_before_ringing: 'provider fails before', fails_after_ringing: 'provider fails after' },
  ...{ lost: 'provider lost before', late: 'provider lost after' },
}

/** What goes wrong when somebody asks for it now. Null: nothing. */
function faultOfStatus(
  { status, startedAtMs, endedAtMs, faultMs: ofCall }: ProviderCall,
  nowMs: number,
): FaultName | null {
  if (status === 'never_ends') return nowMs > startedAtMs + hourMs ? 'provider never ends' : null
  if (nowMs >= endedAtMs + (ofCall ?? faultMs)) return null
  if (status === 'errors') return 'provider errors'
  if (status === 'missing') return 'provider forgets'
  if (status === 'garbage') return 'provider garbage'
  if (nowMs < endedAtMs) return null
  if (status === 'unfinished') return 'provider ends late'
  return status === 'no_analysis' ? 'provider ends early' : null
}

/** Answers in time but for one in ten, which is late by up to 40 s. */
const drawDelayMs = (draws: Draws) => (draws.isOneOf(10) ? draws.below(40_000) : draws.below(400))

export function openProviders(service: Service, known: Known, seed: number): void {
  for (const [index, host] of providerHosts.entries()) {
    const met = new Map<string, number>()
    /** Each company, and each call, has draws of its own. */
    const drawsFor = (whom: string) => {
      const nth = (met.get(whom) ?? 0) + 1
      met.set(whom, nth)
      return drawsOf(seed, `${host} ${whom} ${nth}`)
    }
    let company = ''
    const fateOf = (phoneNumber: string): Fate => {
      const fate = drawFate(drawsFor(`${company} ${phoneNumber}`))
      const fault = faultsOfStart[fate.start]
      if (fault !== undefined) service.met(fault)
      return fate
    }
    const provider = openProvider({ now: service.agenda.nowMs, fateOf, faultMs })
    service.hosts.set(host, async (url, init, leftMs) => {
      const rung = provider.rung.length
      const sent = typeof init.body === 'string' ? JSON.parse(init.body) : {}
      company = /[^/]*(?=~\d+~)/.exec(sent.endUrl ?? '')?.[0] ?? ''
      if (typeof sent.ref === 'string') known.startsAsked.add(sent.ref)
      const named = provider.rung.find(({ id }) => url.split('/').includes(id))
      // Who checks a dialer sends no URL of its own.
      const asker = company === '' ? service.agenda.context().exchange?.company : company
      const takesMs = drawDelayMs(drawsFor(`request of ${named?.callId ?? asker}`))
      const answered = await provider.send(url, init).catch((error: Error) => error)
      const call = provider.rung[rung]
      if (call !== undefined)
        known.rung.push({
          ...{ callId: call.callId, phoneNumber: call.phoneNumber, host: index },
          ...{ atMs: call.startedAtMs, leftMs },
          ...{ at: service.agenda.moment(), endUrl: sent.endUrl, saidNoAt: null },
          ...{ talk: call, isAnswered: call.start === 'fine' && takesMs < patienceMs },
        })
      const asked = init.method === 'GET' ? named : undefined
      const fault = asked === undefined ? null : faultOfStatus(asked, service.agenda.nowMs())
      if (fault !== null) service.met(fault)
      if (takesMs >= patienceMs) service.met('provider slow')
      const isOver = asked !== undefined && asked.endedAtMs <= service.agenda.nowMs()
      if (isOver && fault === null && takesMs < patienceMs && saysNo(asked))
        for (const one of known.rung)
          if (one.callId === asked.callId) one.saidNoAt ??= service.agenda.moment()
      return { takesMs, answered: answered instanceof Error ? null : answered }
    })
  }
}

const byReason = new Map(Object.entries({ busy: 'busy', 'no-answer': 'no_answer', crashed: 'failed' }))

export const saysNo = ({ outcome, said }: ProviderCall) =>
  outcome === 'do_not_call' || said?.doNotCall === true

/** What is told of it. An analysis may come too late, and of a call that nobody took it is invented, but for a no. */
export function outcomeOf({ talk }: Rung): string {
  const { status, reason, outcome, hungUpAtMs } = talk
  if (status === 'never_ends' && hungUpAtMs === null) return 'unknown'
  const plain = byReason.get(reason) ?? 'answered'
  if (status === 'no_analysis') return plain
  if (saysNo(talk)) return 'do_not_call'
  return plain === 'busy' || plain === 'no_answer' ? plain : (outcome ?? plain)
}
