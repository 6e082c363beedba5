// Part of wrangler's build command (wrangler.toml): before the first `wrangler dev` on a fresh clone it has the demo made, so that
// what wrangler serves has tables, keys and a form. It runs again at each change of the source, and then does nothing: JavaScript
// without dependencies, which starts at once. A deployment builds with another WRANGLER_COMMAND.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const { WRANGLER_COMMAND, LEAD_INTAKE_SEEDING, CLOUDFLARE_ENV } = process.env

if (WRANGLER_COMMAND === 'dev' && !LEAD_INTAKE_SEEDING && !CLOUDFLARE_ENV && !hasDatabase()) {
  const words = wordsOfWrangler()
  // It serves other data than these, or none on this machine.
  if (!/ --(?:persist-to|remote|env)\b| -[er]\b/.test(words)) seed(/ --port[ =](\d+)/.exec(words)?.[1])
}

/** Below the default of --persist-to. */
function hasDatabase() {
  const dir = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject'
  return existsSync(dir) && readdirSync(dir).some((file) => file.endsWith('.sqlite'))
}

/** Of the process that runs this build, above a shell or two. Empty where `ps` is missing. */
function wordsOfWrangler() {
  let pid = process.ppid
  for (let level = 0; level < 4 && pid > 1; level++) {
    const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
    const [, parent = '0', words = ''] = /^\s*(\d+) (.*)/.exec(stdout ?? '') ?? []
    if (/wrangler.* dev(?: |$)/.test(words)) return words
    pid = Number(parent)
  }
  return ''
}

/** @param {string | undefined} port where wrangler will serve. A failure stops no build. */
function seed(port = '8787') {
  process.stdout.write('Making the demo, once: this takes some seconds ...\n')
  const start = ['--import', './src/admin/quick-start.ts', 'src/admin/local/start.ts']
  const { status } = spawnSync(process.execPath, [...start, '--seed-only', '--port', port], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, LEAD_INTAKE_SEEDING: '1' },
  })
  if (status !== 0) process.stdout.write('The demo was not made: npm start makes what is missing\n')
}
