// `npm run simulate`: worlds by their seeds, in one process for each core. README.md lists the options.
import { type ChildProcess, fork } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { faultNames } from './faults.ts'
import { plantedFaults } from './planted/all.ts'
import { findPlanted, partOf } from './planted/find.ts'
import type { Done, Message, Order } from './process.ts'
import { hexOf, type PlanOptions, type Story, wordsOf } from './story.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    worlds: { type: 'string' },
    minutes: { type: 'string' },
    processes: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string' },
    story: { type: 'string' },
    long: { type: 'boolean', default: false },
    watched: { type: 'string', default: '20' },
    planted: { type: 'boolean', default: false },
  },
})

/** A fault that never happens in so many worlds proves nothing. */
const worldsForAllFaults = 2_000
const worldsForPlanted = 300

const plan: PlanOptions = { isLong: values.long, only: values.only?.split(',') ?? [] }
const kept = values.story === undefined ? null : (JSON.parse(readFileSync(values.story, 'utf8')) as Story)
const first = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed)
const isTimed = values.minutes !== undefined
const isOne = kept !== null || (values.seed !== undefined && values.worlds === undefined && !isTimed)
const most = isOne ? 1 : Number(values.worlds ?? (isTimed ? Number.POSITIVE_INFINITY : 100))
const endsAtMs = isTimed ? Date.now() + Number(values.minutes) * 60_000 : Number.POSITIVE_INFINITY

let begun = 0
function nextOrder(): Order | null {
  if (begun >= most || Date.now() >= endsAtMs) return null
  const mustWatch = begun < Number(values.watched)
  return {
    story: kept,
    seed: (first + begun++) >>> 0,
    plan,
    planted: null,
    mustShrink: kept === null,
    mustWatch,
  }
}

const startProcess = (): ChildProcess =>
  fork(join(import.meta.dirname, 'process.ts'), { execArgv: process.execArgv })
const all: Done[] = []
if (values.planted) {
  const children = Array.from({ length: Number(values.processes) }, startProcess)
  const seeking = { first: Number(values.seed ?? 1), mostWorlds: Number(values.worlds ?? worldsForPlanted) }
  const isEnough = await findPlanted(partOf(plantedFaults, positionals[0]), children, seeking)
  process.exitCode = isEnough ? 0 : 1
} else {
  const processes = Array.from({ length: Math.min(Number(values.processes), most) }, runAll)
  await Promise.all(processes)
  end()
}

/** Worlds in a process of their own, one after the other. */
function runAll(): Promise<void> {
  const child = startProcess()
  return new Promise((resolve, reject) => {
    const giveNext = () => {
      const order = nextOrder()
      if (order !== null) child.send(order)
      else child.disconnect()
    }
    child.on('message', (message: Message) => {
      if ('done' in message) {
        note(message.done)
        if (message.done.broken === null || kept !== null) giveNext()
      } else {
        tell(message)
        giveNext()
      }
    })
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`A process has ended with ${code}`)),
    )
    giveNext()
  })
}

function note(done: Done): void {
  all.push(done)
  if (done.broken !== null) process.stdout.write(`${hexOf(done.seed)} breaks ${done.broken.promise}\n`)
  if (done.broken !== null && kept !== null) tell({ shortest: kept, broken: done.broken })
}

function tell({ shortest, broken }: Extract<Message, { shortest: Story }>): void {
  const path = values.story ?? join(tmpdir(), `story-${hexOf(shortest.seed)}.json`)
  if (kept === null) writeFileSync(path, `${JSON.stringify(shortest, null, 1)}\n`)
  process.stdout.write(`${wordsOf(shortest).join('\n')}\n${broken.says}\nstory: ${path}\n`)
}

function end(): void {
  const sum = (of: (done: Done) => number) => all.reduce((total, done) => total + of(done), 0)
  const digest = createHash('sha256')
  for (const done of all.toSorted((one, other) => one.seed - other.seed)) digest.update(done.digest)
  process.stdout.write(`digest ${digest.digest('hex').slice(0, 32)}\n`)
  const cpu = (sum(({ cpuMs }) => cpuMs) / 1000).toFixed(1)
  const [actions, requests] = [sum((done) => done.actions), sum((done) => done.requests)]
  process.stdout.write(
    `${all.length} worlds, ${actions} actions, ${requests} requests in ${cpu} s of processor time\n`,
  )
  const counts = new Map<string, number>(faultNames.map((name) => [name, 0]))
  for (const { faults } of all)
    for (const [name, count] of faults) counts.set(name, (counts.get(name) ?? 0) + count)
  for (const [name, count] of counts) process.stdout.write(`${name} ${count}\n`)
  const isMissing = all.length >= worldsForAllFaults && [...counts.values()].includes(0)
  if (isMissing) process.stdout.write('A fault has never happened.\n')
  process.exitCode = isMissing || all.some(({ broken }) => broken !== null) ? 1 : 0
}
