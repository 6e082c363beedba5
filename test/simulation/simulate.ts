// `npm run simulate`: worlds by their seeds, in one process for each core. README.md lists the options.
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { faultNames } from './faults.ts'
import { addTo, linesOf, neverHappened, noFigures, withFigures } from './figures.ts'
import { allDeeds } from './people/everybody.ts'
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
    write: { type: 'boolean', default: false },
  },
})

const worldsForPlanted = 300
const tested = join(import.meta.dirname, '../../src/docs/tested.md')

const plan: PlanOptions = { isLong: values.long, only: namesOf(values.only) }
const kept = values.story === undefined ? null : storyIn(values.story)
const first = numberOf('seed', 0) ?? randomInt(2 ** 32)
const [worlds, minutes] = [numberOf('worlds', 1), numberOf('minutes', Number.MIN_VALUE)]
const [watched, processCount] = [numberOf('watched', 0) ?? 0, numberOf('processes', 1) ?? 1]
const isOne = kept !== null || (values.seed !== undefined && worlds === null && minutes === null)
const most = isOne ? 1 : (worlds ?? (minutes === null ? 100 : Number.POSITIVE_INFINITY))
const beganAtMs = Date.now()
const endsAtMs = beganAtMs + (minutes ?? Number.POSITIVE_INFINITY) * 60_000
if (values.write && (isOne || values.planted || plan.only.length > 0))
  refuse('--write is for runs of many worlds, with whatever they draw.')
const commit = values.write ? commitOfNow() : ''

let begun = 0
function nextOrder(): Order | null {
  if (begun >= most || Date.now() >= endsAtMs) return null
  const mustWatch = begun < watched
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
const figures = noFigures()
if (values.planted) {
  const children = Array.from({ length: processCount }, startProcess)
  const seeking = { first: values.seed === undefined ? 1 : first, mostWorlds: worlds ?? worldsForPlanted }
  const isEnough = await findPlanted(partOf(plantedFaults, positionals[0]), children, seeking)
  process.exitCode = isEnough ? 0 : 1
} else {
  const processes = Array.from({ length: Math.min(processCount, most) }, runAll)
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
  addTo(figures, done)
  if (done.broken !== null) process.stdout.write(`${hexOf(done.seed)} breaks ${done.broken.promise}\n`)
  if (done.broken !== null && kept !== null) tell({ shortest: kept, broken: done.broken })
}

function tell({ shortest, broken }: Extract<Message, { shortest: Story }>): void {
  const path = values.story ?? join(tmpdir(), `story-${hexOf(shortest.seed)}.json`)
  if (kept === null) writeFileSync(path, `${JSON.stringify(shortest, null, 1)}\n`)
  process.stdout.write(`${wordsOf(shortest).join('\n')}\n${broken.says}\nstory: ${path}\n`)
}

function end(): void {
  const missing = neverHappened(figures, plan.only)
  const lines = [...linesOf(figures)]
  if (missing.length > 0) lines.push(`Has never happened: ${missing.join(', ')}`)
  process.stdout.write(`${lines.join('\n')}\n`)
  if (values.write) write()
  process.exitCode = missing.length > 0 || figures.broken.length > 0 ? 1 : 0
}

/** Also where a promise is broken: the page says so. */
function write(): void {
  const run = {
    ...{ first, isLong: plan.isLong, processes: Math.min(processCount, most), commit },
    day: new Date().toISOString().slice(0, 10),
    minutes: (Date.now() - beganAtMs) / 60_000,
  }
  writeFileSync(tested, withFigures(readFileSync(tested, 'utf8'), figures, run))
}

function commitOfNow(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', ':/src', ':/test', ':!/src/docs/tested.md') !== ''
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' and changes' : ''}`
}

function storyIn(path: string): Story {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Story
  } catch (error) {
    return refuse(`--story ${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Null: it is not given. What is no number would run no world, and break none. */
function numberOf(
  name: 'seed' | 'worlds' | 'minutes' | 'watched' | 'processes',
  least: number,
): number | null {
  const text = values[name]
  if (text === undefined) return null
  const value = text.trim() === '' ? Number.NaN : Number(text)
  const isWhole = name === 'minutes' || Number.isInteger(value)
  if (!(value >= least && value < 2 ** 32 && isWhole)) refuse(`--${name} cannot be ${text}.`)
  return value
}

/** Of deeds and faults. `restore` names restoreCompany too, where no deed is called so. */
function namesOf(only: string | undefined): readonly string[] {
  const all = [...new Set([...allDeeds.map(({ does }) => does), ...faultNames])]
  return (only?.split(',') ?? []).flatMap((name) => {
    const found = all.includes(name)
      ? [name]
      : all.filter((one) => name !== '' && one.startsWith(name) && /^[A-Z]/.test(one.slice(name.length)))
    if (found.length === 0)
      refuse(`--only ${name}: no deed and no fault is called so. There are ${all.join(', ')}.`)
    return found
  })
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}
