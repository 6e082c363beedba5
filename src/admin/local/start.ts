// `npm start` and `npm run dev`, and with --seed-only what `wrangler dev` needs before it: migrates the local database,
// serves it, and creates the demo if it is missing, under `wrangler dev`, which reloads on change, until it is stopped.
// Never touches a deployed database.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stripVTControlCharacters } from 'node:util'
import { Command, Option } from 'commander'
import { LeadIntake, LeadIntakeError } from '../../sdk/src/lead-intake.ts'
import { parsePort } from '../arguments/arguments.ts'
import { clockedBundle, clockStateDir, emptyStateDir, keepClockDriven } from '../clock/start-clock.ts'
import { CommandFailed } from '../command-failed.ts'
import { reasonOf, spawnWrangler } from '../deploy/wrangler.ts'
import { operatorKeyLifeMs } from '../operator-keys.ts'
import { demoMember, ensureDemo, letDemoCall } from './demo.ts'
import { writeForm } from './demo-form.ts'
import { openDevOutput } from './dev-output.ts'
import { startIdentityServer, variablesOf } from './identity-server.ts'
import { runCronByTheMinute } from './local-cron.ts'
import { makeStateDir } from './local-database.ts'
import { campaignId, defaultStateDir, type LocalKeys, writeLocalUrl } from './local-keys.ts'
import { ensureOperatorKey } from './operator-key.ts'

const defaultPort = 8787
const lockName = 'serving.sqlite'

const {
  port,
  clock,
  persistTo = clock ? clockStateDir : defaultStateDir,
  demoStore,
  access,
  seedOnly,
} = new Command('start')
  .description('Serves the local database, with a demo campaign to try it.')
  .option('--port <number>', 'where to listen', parsePort, defaultPort)
  .option(
    '--persist-to <dir>',
    'local state directory; by default .wrangler/state, or with --clock .wrangler/clock',
  )
  .option('--clock', 'with a clock that can be run ahead, and data that are deleted at each start', false)
  .addOption(
    new Option(
      '--demo-store <store>',
      'where the demo has its data: the shared database, or a store of its own; by default where it is, or shared',
    ).choices(['shared', 'own']),
  )
  // What signs people in has the machine's own time.
  .addOption(
    new Option('--access', 'people sign in, with any address, as behind Cloudflare Access')
      .default(false)
      .conflicts('clock'),
  )
  .addOption(
    new Option('--seed-only', 'make what is missing, print the lines for --port, and stop')
      .default(false)
      .hideHelp()
      .conflicts(['clock', 'access']),
  )
  .allowExcessArguments(false)
  .parse()
  .opts<{
    port: number
    clock: boolean
    access: boolean
    seedOnly: boolean
    persistTo?: string
    demoStore?: 'shared' | 'own'
  }>()
const base = `http://localhost:${port}`

try {
  const stateDir = resolve(persistTo)
  await requireUnserved(stateDir)
  if (!seedOnly) await requireFreePort(port)
  if (clock) await emptyStateDir(stateDir, lockName)
  const operatorKey = await ensureOperatorKey(stateDir)
  serve(stateDir, operatorKey)
} catch (error) {
  process.stderr.write(`error: ${describe(error)}\n`)
  process.exitCode = 1
}

function describe(error: unknown): string {
  const isExpected = error instanceof CommandFailed || error instanceof LeadIntakeError
  return isExpected ? error.message : reasonOf(String(error))
}

/** Two servers would write into each other's files. SQLite's lock is held until this process ends, however it ends. */
async function requireUnserved(stateDir: string): Promise<void> {
  await makeStateDir(stateDir)
  const lock = new DatabaseSync(join(stateDir, lockName))
  try {
    lock.exec('begin exclusive')
  } catch {
    throw new CommandFailed(`a server runs on ${stateDir} already: use that, or choose another --persist-to`)
  }
  // Refers to it: what is not referred to is closed at some time.
  process.on('exit', () => lock.close())
}

/** Checked first, since the rest is slow. `localhost` may mean either address. */
async function requireFreePort(wanted: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    const probe = createServer().listen({ port: wanted, host, exclusive: true })
    const code = await once(probe, 'listening').then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    )
    probe.close()
    // Other codes: the machine does not have this kind of address.
    if (code === 'EADDRINUSE') {
      throw new CommandFailed(`port ${wanted} is taken: choose another with \`npm start -- --port <number>\``)
    }
    if (code === 'EACCES') throw new CommandFailed(`port ${wanted} may not be used by this user`)
  }
}

/**
 * With `--access` the service is behind the identity server, on a port that it chooses when it listens: one that was
 * looked for before may be taken by then. With `--seed-only` it is served on any port, and only for as long as that
 * takes.
 */
function serve(stateDir: string, operatorKey: string): void {
  const bundled = clock ? [...clockedBundle, '--ip', 'localhost'] : []
  const dev = [
    'dev',
    ...bundled,
    '--local',
    '--port',
    String(access || seedOnly ? 0 : port),
    '--persist-to',
    stateDir,
  ]
  const portWhenListening = Promise.withResolvers<number>()
  if (access) {
    startIdentityServer(port, portWhenListening.promise)
    dev.push(...variablesOf(port).flatMap((variable) => ['--var', variable]))
  }
  const output = ['--show-interactive-dev-session=false', '--var', 'LOG_FORMAT:line']
  const server = spawnWrangler([...dev, ...output], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      WRANGLER_LOG: 'log',
      // Its own build makes no demo.
      LEAD_INTAKE_SEEDING: '1',
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
    },
  })
  const [filterStdout, filterStderr] = [openDevOutput(), openDevOutput()]
  let hasStarted = false
  let printed = ''
  let isMaking = false
  let client: LeadIntake | null = null
  server.stderr?.setEncoding('utf8').on('data', (piece: string) => process.stderr.write(filterStderr(piece)))
  server.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    const shown = filterStdout(piece)
    // The requests that make the demo are nobody's.
    if (!seedOnly) process.stdout.write(isMaking ? shown.replace(/^[A-Z]+ \/api\/.*\n/gm, '') : shown)
    // The form was sent, for the first time since the start.
    if (client !== null && /^POST \/in\/\S+ (?:200|303),/m.test(shown)) {
      letDemoCall(client).catch((error: unknown) => process.stderr.write(`error: ${describe(error)}\n`))
      client = null
    }
    if (hasStarted) return
    printed += stripVTControlCharacters(shown)
    const [, ready] = /Ready on \S+:(\d+)\s/.exec(printed) ?? []
    if (ready === undefined) return
    hasStarted = true
    portWhenListening.resolve(Number(ready))
    isMaking = true
    const served = seedOnly ? `http://localhost:${ready}` : base
    const driven = clock ? keepClockDriven(base) : null
    if (!clock && !seedOnly) runCronByTheMinute(base)
    writeLocalUrl(stateDir, base)
      .then(() =>
        ensureDemo(served, operatorKey, stateDir, {
          store: demoStore,
          keyLifeMs: clock ? operatorKeyLifeMs : null,
          hasMember: access,
        }),
      )
      .then(async (keys) => {
        client = new LeadIntake({ baseUrl: served, apiKey: keys.manage })
        const form = await writeForm(client, stateDir, fictionalPhoneNumber(), base)
        driven?.bring(new URL(form.url).pathname)
        // Nobody will be here to see the form being sent; and a clock that is run has calls to show.
        if (seedOnly || clock) await letDemoCall(client)
        process.stdout.write(welcome(keys, form.path))
        if (seedOnly) stop()
      })
      .catch((error: unknown) => {
        process.stderr.write(`error: ${describe(error)}\n`)
        stop(1)
      })
      .finally(() => {
        isMaking = false
      })
  })
  let exitCode: number | null = null
  const stop = (code = 0) => {
    exitCode ??= code
    server.kill('SIGTERM')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop())
  stopWithNpm(stop)
  server.on('exit', (code) => process.exit(exitCode ?? code ?? 1))
}

/**
 * npm forwards only SIGINT and SIGTERM, to the shell that runs its scripts, which does not forward them. So this stops
 * by itself when either process has ended.
 */
function stopWithNpm(stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const npm = shellParent(parent) ?? parent
  setInterval(() => {
    if (process.ppid !== parent || !isRunning(npm)) stop()
  }, 500)
}

/** The parent of a process that is a shell; of any other, undefined. */
function shellParent(pid: number): number | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent] = /^\s*(\d+) .*sh\s*$/.exec(stdout ?? '') ?? []
  return parent === undefined ? undefined : Number(parent)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function welcome(keys: LocalKeys, formPath: string): string {
  const list = `${base}/api/v1/leads?campaignId=${campaignId}`
  const openCalls = `${base}/api/v1/calls?campaignId=${campaignId}&agent=me&limit=1`
  const lead = JSON.stringify({ campaignId, phoneNumber: fictionalPhoneNumber(), metadata: { name: 'Ada' } })
  const send = (method: string, path: string, key: string) =>
    `curl -X ${method} ${base}/api/v1${path} -H 'x-api-key: ${key}' -H 'Content-Type: application/json'`
  const post = (path: string, key: string) => send('POST', path, key)
  // The id of the first lead or call of a list comes after the ninth quotation mark.
  const firstOf = (url: string, key: string) =>
    `$(curl -s '${url}' -H 'x-api-key: ${key}' | cut -d '"' -f 10)`
  const dialer = `/campaigns/${campaignId}/dialer`
  const elsewhere = persistTo === defaultStateDir ? '' : ` --persist-to '${resolve(persistTo)}'`
  const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10)
  const reported = `{"calls":[{"callId":"'${firstOf(openCalls, keys.agent)}'","outcome":"answered"}]}`
  return `
  Lead intake at ${base}, with a demo campaign
  API documentation: ${base}/docs
  Console: ${base}/console, best with the manage key

  Open the form in a browser and send it: the demo's dialer calls, and a line here says that a pretended phone rings.
${seedOnly ? withoutCron : ''}
  form          ${formPath}
  campaign      ${campaignId}
  write key     ${keys.write}
  read key      ${keys.read}
  agent key     ${keys.agent}
  manage key    ${keys.manage}   (for the company; the others are for the campaign)
  operator key  ${keys.operator}   (for all companies: their creation, keys and moves)
${access ? `  sign in       ${base}/console/session   (as ${demoMember})\n` : ''}
  Once it has rung, switch the dialer off, to call the leads below yourself:
  ${send('PATCH', dialer, keys.manage)} -d '{"enabled":false}'

  Create a lead:
  ${post('/leads', keys.write)} -d '${lead}'

  List the leads:
  curl '${list}' -H 'x-api-key: ${keys.read}'

  Read the first of them:
  curl "${base}/api/v1/leads/${firstOf(`${list}&limit=1`, keys.read)}" -H 'x-api-key: ${keys.read}'

  Claim a lead to call it:
  ${post('/calls/claim', keys.agent)} -d '{"campaignId":"${campaignId}","agent":"me"}'

  Report the outcome of the call:
  ${post('/calls/report', keys.agent)} -d '${reported}'

  Let the service call again, without a phone (in the console: Calling):
  ${send('PATCH', dialer, keys.manage)} -d '{"enabled":true}'

  Or run a simulated agent, 60 times as fast as people talk:
  npm run admin -- agent pretend --campaign ${campaignId} --speed 60${elsewhere}

  Watch the events that webhooks send, in another terminal:
  npm run admin -- webhook listen --campaign ${campaignId}${elsewhere}
${clock ? `\n  Run its clock ahead:\n  npm run admin -- clock run --to ${inTwoWeeks}${elsewhere}\n` : ''}
`
}

const withoutCron = `  The cron does not run here: lost calls, alerts and retention wait for npm start.
`

const areaCodes =
  `201 202 206 212 213 303 305 312 404 408 415 503 512 602 612 617 702 713 808 813 818 901 914 919`.split(' ')

/** A new one at each start, so that the line creates a lead again. 555-0100 to 0199 are reserved for fiction. */
function fictionalPhoneNumber(): string {
  return `+1${areaCodes[randomInt(areaCodes.length)]}55501${String(randomInt(100)).padStart(2, '0')}`
}
