// `npm run test:hard`: the attacks that take minutes, on a real server, within ten minutes in all. Prints figures, and
// ends with 1 when the service did not hold. README.md lists the options.
import { parseArgs } from 'node:util'
import { newStoreName } from '../../src/base/database/company-store.ts'
import { bombard } from './bombs.ts'
import { killCalls } from './calls.ts'
import { campaignPages } from './campaign-pages.ts'
import { clock } from './clock.ts'
import { crash } from './crash.ts'
import { flood } from './flood.ts'
import { fuzz } from './fuzz.ts'
import { gate } from './gate.ts'
import { boundHeap } from './heap.ts'
import { load } from './load.ts'
import { moveCompany } from './move.ts'
import { queue } from './queue.ts'
import type { Report } from './report.ts'
import { search } from './search.ts'
import { bundleWorker } from './server.ts'
import { upgrade } from './upgrade.ts'
import { webhooks } from './webhooks.ts'
import { importWhole } from './whole-import.ts'

const { values } = parseArgs({
  options: {
    only: {
      type: 'string',
      default: 'bombs,heap,crash,calls,webhooks,clock,gate,queue,search,campaigns,upgrade,fuzz,flood,load',
    },
    rounds: { type: 'string', default: '60' },
    requests: { type: 'string', default: '50000' },
    guesses: { type: 'string', default: '100000' },
    'call-rounds': { type: 'string', default: '15' },
    'webhook-events': { type: 'string', default: '10000' },
    'webhook-rounds': { type: 'string', default: '10' },
    'clock-leads': { type: 'string', default: '500' },
    'gate-leads': { type: 'string', default: '10000' },
    'queue-leads': { type: 'string', default: '200000' },
    'search-leads': { type: 'string', default: '100000' },
    'campaign-count': { type: 'string', default: '50000' },
    'move-leads': { type: 'string', default: '100000' },
    'move-kills': { type: 'string', default: 'yes' },
    'load-minutes': { type: 'string' },
  },
})

/** Of the company that the service keeps apart. */
const ownStore = newStoreName('hard', { location: null, jurisdiction: null })

const beganAtMs = Date.now()
const minutesSince = () => (Date.now() - beganAtMs) / 60_000
const code = await bundleWorker()
// On a slow machine the clock ends fuzz and flood before they have sent all: what they did send is reported.
const attacks: Readonly<Record<string, () => Promise<Report>>> = {
  bombs: () => bombard(code),
  heap: () => boundHeap(code),
  crash: () => crash(code, Number(values.rounds)),
  calls: () => killCalls(code, Number(values['call-rounds'])),
  'crash-own': () => crash(code, Number(values.rounds), ownStore),
  'calls-own': () => killCalls(code, Number(values['call-rounds']), ownStore),
  webhooks: () => webhooks(code, Number(values['webhook-events']), Number(values['webhook-rounds'])),
  clock: () => clock(Number(values['clock-leads'])),
  gate: () => gate(Number(values['gate-leads'])),
  queue: () => queue(code, Number(values['queue-leads'])),
  search: () => search(code, Number(values['search-leads'])),
  campaigns: () => campaignPages(code, Number(values['campaign-count'])),
  move: () => moveCompany(code, Number(values['move-leads']), values['move-kills'] === 'yes'),
  upgrade: () => upgrade(code),
  fuzz: () => fuzz(code, Number(values.requests), after(latestMinute(6.5))),
  flood: () => flood(code, Number(values.guesses), after(latestMinute(8.5))),
  import: () => importWhole(),
  load: () => load(code, Number(values['load-minutes'] ?? minutesLeft())),
}

let isHolding = true
for (const name of values.only.split(',')) {
  const attack = attacks[name]
  if (attack === undefined) throw new Error(`No such attack: ${name}`)
  const startedAtMs = Date.now()
  const { figures, broken } = await attack()
  process.stdout.write(`\n${name} (${Math.round((Date.now() - startedAtMs) / 1000)} s)\n`)
  for (const [what, figure] of Object.entries(figures)) {
    process.stdout.write(`  ${what.padEnd(44)} ${figure}\n`)
  }
  for (const finding of broken) process.stdout.write(`  BROKEN  ${finding}\n`)
  if (broken.length > 0) isHolding = false
}
process.stdout.write(isHolding ? '\nThe service held.\n' : '\nThe service did not hold.\n')
process.exit(isHolding ? 0 : 1)

/** Chosen attacks, or a load of a chosen length, may take what they need. */
function latestMinute(minute: number): number {
  return values.only.includes('crash') && values['load-minutes'] === undefined ? minute : Infinity
}

/** At that minute, but in half a minute at the earliest: so it has been tried, however slow the machine is. */
function after(minute: number): () => boolean {
  const endsAtMinute = Math.max(minute, minutesSince() + 0.5)
  return () => minutesSince() > endsAtMinute
}

/** For the load, by default: what is left of the ten minutes, but no more than four. */
function minutesLeft(): number {
  return Math.max(0.5, Math.min(4, 9.5 - minutesSince()))
}
