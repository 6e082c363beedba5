// `company move`: requests to move a company between the shared database and a store of its own, and shows how far the
// move is. The store carries it out (src/companies/move); this command may be interrupted and run again.
import { setTimeout } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { findCompany } from '../../access/store/directory.ts'
import { countRows } from '../../companies/move/count-rows.ts'
import { emptiedAfterMs, type Move, readMove, requestMove } from '../../companies/store/move-state.ts'
import { abortMove } from '../../companies/store/move-steps.ts'
import { type PlaceOptions, storeNameOf, withPlace } from '../arguments/store-place.ts'
import { CommandFailed } from '../command-failed.ts'
import type { OnDatabase } from '../on-database.ts'
import { openStatusLine, printResult, type StatusLine, timestamp } from '../text/print.ts'

export function addMoveCommand(company: Command, onDatabase: OnDatabase): void {
  withPlace(onDatabase(company.command('move'), moveCompany))
    .description('Move a company between the shared database and a store of its own, and show how far it is')
    .argument('<id>', 'the company')
    .addOption(new Option('--to <store>', 'where to').choices(['own', 'shared']))
    .addOption(
      new Option('--abort', 'stop the move before it has switched: the company stays where it is')
        .conflicts('to')
        .default(false),
    )
}

type Options = PlaceOptions & {
  readonly to?: 'own' | 'shared'
  readonly abort: boolean
  readonly json: boolean
}

async function moveCompany(db: D1Database, options: Options, id: string): Promise<void> {
  if (options.abort) return abort(db, id, options.json)
  const { to } = options
  if (to === undefined) throw new CommandFailed('--to own, --to shared or --abort is required')
  const isToOwn = to === 'own'
  const toStore = storeNameOf(id, isToOwn, '--to own', options)
  const status = openStatusLine()
  try {
    const move = await follow(
      db,
      (await findRunning(db, id, isToOwn, status)) ?? (await begin()),
      status.show,
    )
    const refusedMs = (move.switchedAtMs ?? 0) - (move.frozenAtMs ?? 0)
    const { progress, switchedAtMs } = move
    const result = {
      id,
      store: to,
      rows: progress.ofRows ?? 0,
      switchedAt: timestamp(switchedAtMs),
      refusedMs,
    }
    printResult(result, options.json, [
      `Company ${id} is in ${nameOf(isToOwn)}. Writes were refused for ${duration(refusedMs)}.`,
      'What is left where it was is deleted five minutes after the switch.',
    ])
  } finally {
    status.close()
  }

  async function begin(): Promise<Move> {
    const company = await findCompany(db, id)
    if (company === null) throw new CommandFailed(`unknown company: ${id}`)
    const there = new CommandFailed(`company ${id} is in ${nameOf(isToOwn)} already`)
    if ((company.store !== null) === isToOwn) throw there
    const ofRows = isToOwn ? await countRows(db, id, async () => true) : null
    status.log(announce(id, ofRows))
    const requested = await requestMove(db, id, toStore, Date.now(), ofRows)
    // Somebody else was quicker.
    if (requested.kind === 'company_unknown' || requested.kind === 'there') throw there
    return requested.move
  }
}

/**
 * The move that has not ended; null: none. One the other way that has switched ends by itself: waits for that. Throws
 * CommandFailed for one that has not.
 */
async function findRunning(db: D1Database, id: string, isToOwn: boolean, { show }: StatusLine) {
  for (let hasShown = false; ; ) {
    const move = await readMove(db, id)
    if (move === null || move.endedAtMs !== null) return null
    if ((move.toStore !== null) === isToOwn) return move
    const there = nameOf(!isToOwn)
    if (move.phase !== 'switched')
      throw new CommandFailed(
        `company ${id} is moving to ${there}: wait until that has ended, or stop it with --abort`,
      )
    const fromMs = (move.switchedAtMs ?? 0) + emptiedAfterMs
    if (!hasShown)
      show(
        `company ${id} has just moved to ${there}: waiting until what it left is deleted, from ${timestamp(fromMs)} on`,
      )
    hasShown = true
    await setTimeout(pollMs)
  }
}

const nameOf = (isOwn: boolean) => (isOwn ? 'a store of its own' : 'the shared database')

/** Of copying and comparing together, measured on this project's machine; how long it takes elsewhere is shown. */
const rowsPerSecond = 5_000

/** How long writes will be refused. `ofRows` null: its store counts them. */
function announce(id: string, ofRows: number | null): string {
  const what = `Writes to company ${id} are refused with 503 while it is copied; reads go on.`
  const stop = 'Until it switches, `company move --abort` stops it.'
  if (ofRows === null) return `${what} Its store counts its rows first, while writes go on. ${stop}`
  const time = duration((ofRows / rowsPerSecond) * 1000 + 1000)
  return `${what} It has ${ofRows.toLocaleString('en')} rows: about ${time}. ${stop}`
}

const pollMs = 1_000

/** Until it has switched. Throws CommandFailed when it has stopped. */
async function follow(db: D1Database, begun: Move, show: (text: string) => void): Promise<Move> {
  const seen: { readonly atMs: number; readonly rows: number }[] = []
  let shown = ''
  for (let move = begun; ; move = (await readMove(db, begun.companyId)) ?? move) {
    const { phase, progress } = move
    if (move.requestedAtMs !== begun.requestedAtMs) throw new CommandFailed('another move has begun')
    if (phase === 'switched' || phase === 'done') return move
    if (phase === 'aborted')
      throw new CommandFailed(`the move has stopped: ${progress.problem ?? 'aborted'}; nothing has changed`)
    const text = describe(move, seen)
    if (text !== shown) show(text)
    shown = text
    await setTimeout(pollMs)
  }
}

function describe(
  { phase, progress }: Move,
  seen: { readonly atMs: number; readonly rows: number }[],
): string {
  const { stage = 'copying', rows = 0, ofRows = 0 } = progress
  if (phase === 'requested' && stage === 'counting') return `counting: ${rows.toLocaleString('en')} rows`
  if (phase === 'requested') return 'waiting for the Worker, which looks each minute'
  if (phase === 'aborting') return `stopping: ${progress.problem ?? 'aborted'}`
  // Both copying and comparing read each row.
  const done = stage === 'copying' ? rows : ofRows + rows
  seen.push({ atMs: Date.now(), rows: done })
  const first = seen.at(-30) ?? seen[0]
  const seconds = first === undefined ? 0 : (Date.now() - first.atMs) / 1000
  const rate = first === undefined || seconds === 0 ? 0 : (done - first.rows) / seconds
  const left = rate > 0 ? `, ${duration(((2 * ofRows - done) / rate) * 1000)} left` : ''
  const [at, all, speed] = [rows, ofRows, Math.round(rate)].map((count) => count.toLocaleString('en'))
  return `${stage}: ${at} of ${all} rows, ${speed} rows a second${left}`
}

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

async function abort(db: D1Database, id: string, isJson: boolean): Promise<void> {
  const before = await readMove(db, id)
  if (before === null || before.endedAtMs !== null) throw new CommandFailed(`company ${id} is not moving`)
  const move = await abortMove(db, id, null, Date.now())
  if (move === null || move.phase === 'switched' || move.phase === 'done')
    throw new CommandFailed(`company ${id} has moved already: move it back instead`)
  const isFromOwn = move.fromStore !== null && move.phase === 'aborting'
  printResult({ id, phase: move.phase }, isJson, [
    `The move of company ${id} is aborted: it stays in ${nameOf(move.fromStore !== null)}.`,
    `Writes are accepted again ${isFromOwn ? 'within a minute' : 'now'}. What was copied is deleted.`,
  ])
}
