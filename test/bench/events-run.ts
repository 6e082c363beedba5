// The part of a run that is about events and webhooks: in which databases it is measured, and how it is reported.
import { startLoad } from './load-process.ts'
import {
  audiences,
  countRows,
  type Listening,
  manyEndpoints,
  measureListening,
  measureSending,
  type Sending,
} from './measures/events.ts'
import { campaigns, type Plan } from './measures/throughput.ts'
import type { Build, RunningWorker } from './runtime.ts'
import { quantile, ratioOfMedians, spread } from './statistics.ts'
import { fixed, ranged, table } from './tables.ts'
import { withRuntime } from './with-runtime.ts'

export async function measureEvents(
  { ours, farOurs }: Readonly<Record<'ours' | 'farOurs', Build>>,
  plan: Plan,
  isQuick: boolean,
  say: (text: string) => void,
): Promise<string> {
  const sending = await withRuntime({ ours: { build: ours } }, ({ workers }) =>
    measureSending(workers.get('ours') as RunningWorker, isQuick ? 3 : 5, isQuick ? 1000 : 3000),
  )
  say('sending of events')
  const setups = Object.fromEntries(audiences.map((name) => [name, { build: ours, campaigns }]))
  const listening = await withRuntime(setups, async (runtime) => {
    const load = startLoad()
    try {
      return await measureListening(runtime, load, plan)
    } finally {
      load.stop()
    }
  })
  say('requests that are listened to')
  const far = { build: farOurs, campaigns }
  const rows = await withRuntime({ nobody: far, log: far }, countRows)
  return textOf(sending, listening, rows)
}

function textOf(
  { perSecondToOne, perSecondToMany, fromCommitMs }: Sending,
  listening: readonly Listening[],
  rows: readonly { nobody: number; log: number }[],
): string {
  const waitsMs = fromCommitMs.toSorted((a, b) => a - b)
  const sent = table([
    ['Events and their receivers', 'Found'],
    ['events a second, to 1 endpoint', ranged(spread(perSecondToOne), 0)],
    [`events a second, to ${manyEndpoints} endpoints, in all`, ranged(spread(perSecondToMany), 0)],
    ['ms from the answer of a create to the receipt: p50', fixed(quantile(waitsMs, 0.5), 0)],
    ['ms from the answer of a create to the receipt: p99', fixed(quantile(waitsMs, 0.99), 0)],
  ])
  const cost = table([
    [
      'Requests per second',
      'Conn.',
      ...audiences,
      'log / nobody',
      'webhook / nobody',
      'CPU ms/request',
      'Rows written: nobody, log',
    ],
    ...listening.map(({ endpoint, connections, perSecond, cpuMs }, i) => [
      endpoint,
      String(connections),
      ...audiences.map((name) => fixed(spread(perSecond[name]).median, 0)),
      ranged(ratioOfMedians(perSecond.log, perSecond.nobody)),
      ranged(ratioOfMedians(perSecond.webhook, perSecond.nobody)),
      audiences.map((name) => fixed(spread(cpuMs[name]).median)).join(' / '),
      `${rows[i]?.nobody}, ${rows[i]?.log}`,
    ]),
  ])
  return [sent, cost].join('\n\n')
}
