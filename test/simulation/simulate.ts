// `npm run simulate`: worlds by their seeds. README.md lists the options.
import { createHash, randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type FaultName, faultNames } from './faults.ts'
import { bundleWorker } from './platform/isolate.ts'
import { hexOf, planStory, type Story, wordsOf } from './story.ts'
import { type Ended, runWorld } from './world.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    worlds: { type: 'string', default: '100' },
    only: { type: 'string' },
    story: { type: 'string' },
    long: { type: 'boolean', default: false },
  },
})

// What the Worker leaves behind rejects when its world is over: workerd would write it to its log.
process.on('unhandledRejection', () => {})

const program = await bundleWorker()
const digest = createHash('sha256')
const totals = { worlds: 0, actions: 0, requests: 0 }
const faults = new Map<FaultName, number>(faultNames.map((name) => [name, 0]))
let isBroken = false

const startedAt = process.cpuUsage()
if (values.story !== undefined) await report(JSON.parse(readFileSync(values.story, 'utf8')) as Story)
else {
  const first = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed)
  const plan = { isLong: values.long, only: values.only?.split(',') ?? [] }
  const count =
    values.seed === undefined ? Number(values.worlds) : Number(values.worlds === '100' ? 1 : values.worlds)
  for (let index = 0; index < count; index++) await report(planStory((first + index) >>> 0, plan))
}
const { user, system } = process.cpuUsage(startedAt)

process.stdout.write(`digest ${digest.digest('hex').slice(0, 32)}\n`)
process.stdout.write(`${totals.worlds} worlds, ${totals.actions} actions, ${totals.requests} requests`)
process.stdout.write(` in ${((user + system) / 1e6).toFixed(1)} s of processor time\n`)
for (const [name, count] of faults) process.stdout.write(`${name} ${count}\n`)
process.exit(isBroken ? 1 : 0)

async function report(story: Story): Promise<void> {
  const ended = await runWorld(program, story)
  count(story, ended)
  if (ended.broken === null) return
  isBroken = true
  const { promise, says } = ended.broken
  const path = join(tmpdir(), `story-${hexOf(story.seed)}.json`)
  writeFileSync(path, JSON.stringify(story, null, 2))
  process.stdout.write(`${hexOf(story.seed)} breaks ${promise}\n  ${says}\n`)
  process.stdout.write(`${wordsOf(story).join('\n')}\nstory: ${path}\n`)
}

function count({ actions }: Story, ended: Ended): void {
  totals.worlds++
  totals.actions += actions.length
  totals.requests += ended.requests
  digest.update(ended.digest)
  for (const [name, times] of ended.faults) faults.set(name, (faults.get(name) ?? 0) + times)
}
