// `npm run demo:speed`: how soon a waiting agent calls a new lead. Starts a server with a database of its own, and
// leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { LeadExistsError, type LeadIntake, runAgent } from '../../sdk/src/lead-intake.ts'
import { parsePauseSeconds, parsePort } from '../arguments/arguments.ts'
import { CommandFailed } from '../command-failed.ts'
import { answerOf, openService, reachService, type Service } from '../service.ts'
import { logLine, printLine } from '../text/print.ts'
import { campaignId, readLocalKeys } from './local-keys.ts'

const { port, every } = new Command('demo:speed')
  .description('Creates a lead every few seconds, and prints how soon a waiting agent calls it.')
  .option('--port <number>', 'of its server', parsePort, 8787)
  .option(
    '--every <seconds>',
    'from lead to lead. 3, and 15 after the first five, when not set',
    parsePauseSeconds,
  )
  .allowExcessArguments(false)
  .parse()
  .opts<{ port: number; every?: number }>()

const pauseMs = (leads: number) => (every ?? (leads < 5 ? 3 : 15)) * 1000

/** The create, the claim that waits, the claim after it, the report. */
const requestsPerLead = 4
/** What each key sends. The limit is 1,000. */
const requestsPerHour = 900

const stop = new AbortController()
// More than once does no harm: npm forwards what the terminal has sent already.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

const stateDir = await mkdtemp(join(tmpdir(), 'lead-intake-speed-'))
let server: ChildProcess | null = null
try {
  const url = `http://localhost:${port}`
  const isTaken = await reachService(openService(url, 'none')).then(
    () => true,
    () => false,
  )
  if (isTaken)
    throw new CommandFailed(
      `port ${port} is taken: end what runs there, which slows the measurement, or choose another with --port <number>`,
    )
  server = startServer(url)
  const service = openService(url, await manageKeyOf(server))
  await answerOf(service, measure(await clientsOf(service)))
} catch (error) {
  if (!(error instanceof CommandFailed)) throw error
  logLine(`error: ${error.message}`)
  process.exitCode = 1
} finally {
  if (server?.kill('SIGTERM')) await once(server, 'exit')
  await rm(stateDir, { recursive: true, force: true })
}

/** As many as the leads take. */
async function clientsOf({ url, client }: Service): Promise<LeadIntake[]> {
  const count = Math.ceil((3_600_000 / pauseMs(5)) * (requestsPerLead / requestsPerHour))
  const rights = { scope: 'manage', name: 'demo speed' } as const
  const keys = await Promise.all(Array.from({ length: count }, () => client.keys.create(rights)))
  return keys.map(({ key }) => openService(url, key as string).client)
}

/**
 * Not in the process group of the terminal: Ctrl-C ends the agent first. It stops by itself when this process has
 * ended.
 */
function startServer(url: string): ChildProcess {
  printLine(`Starting a server at ${url}`)
  return spawn(
    process.execPath,
    [
      ...['--import', join(import.meta.dirname, '../quick-start.ts'), join(import.meta.dirname, 'start.ts')],
      ...['--port', String(port), '--persist-to', stateDir],
    ],
    { stdio: 'ignore', detached: true },
  )
}

/** Once its demo is complete. */
async function manageKeyOf(started: ChildProcess): Promise<string> {
  while (!stop.signal.aborted) {
    if (started.exitCode !== null) throw new CommandFailed('the server did not start: `npm start` says why')
    const { manage } = await readLocalKeys(stateDir)
    if (typeof manage === 'string') return manage
    await sleep(200)
  }
  return 'none'
}

async function measure(clients: readonly LeadIntake[]): Promise<void> {
  const { signal } = stop
  const calls = new Map<string, PromiseWithResolvers<number>>()
  const tookMs: number[] = []
  printLine('An agent waits. Each line is a new lead: from the answer to its create until `call` is invoked.')
  const agent = runAgent({
    client: clients,
    campaignId,
    agent: 'demo-speed',
    signal,
    call: async ({ phoneNumber }) => {
      calls.get(phoneNumber)?.resolve(performance.now())
      return 'answered'
    },
    onRetry: ({ error, waitMs }) => printLine(`${error.message}: retrying in ${Math.ceil(waitMs / 1000)} s`),
  })
  agent.catch(() => stop.abort())
  for (let leads = 0; ; leads++) {
    await sleep(pauseMs(leads), undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    // 555-0100 to 0199 are reserved for fiction.
    const phoneNumber = `+1${randomInt(200, 1000)}55501${String(randomInt(100)).padStart(2, '0')}`
    // It may be called before the answer to its create has arrived.
    const called = Promise.withResolvers<number>()
    calls.set(phoneNumber, called)
    try {
      await clients[leads % clients.length]?.leads.create({ campaignId, phoneNumber }, { signal })
    } catch (error) {
      if (signal.aborted || error instanceof LeadExistsError) continue
      stop.abort()
      throw error
    }
    const answeredAtMs = performance.now()
    called.promise.then((calledAtMs) => {
      const afterMs = calledAtMs - answeredAtMs
      tookMs.push(Math.max(0, afterMs))
      printLine(`${phoneNumber}  called ${describeMs(afterMs)}`)
    })
  }
  await agent
  // After the terminal's ^C.
  printLine(`\n${summaryOf(tookMs)}`)
}

function describeMs(ms: number): string {
  return ms < 0 ? `${Math.round(-ms)} ms before the answer` : `after ${Math.round(ms)} ms`
}

function summaryOf(tookMs: readonly number[]): string {
  const sorted = tookMs.toSorted((a, b) => a - b)
  const at = (part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)
  return `${sorted.length} leads called: median ${at(0.5)} ms, slowest ${at(1)} ms`
}
