// Part of wrangler's build command (wrangler.toml): before the first `wrangler dev` on a fresh clone it has the demo
// made, so that what wrangler serves has tables, keys and a form. It runs again at each change of the source, and then
// does nothing: JavaScript without dependencies, which starts at once. A deployment builds with another
// WRANGLER_COMMAND.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const { WRANGLER_COMMAND, LEAD_INTAKE_SEEDING, CLOUDFLARE_ENV } = process.env

if (WRANGLER_COMMAND === 'dev' && !LEAD_INTAKE_SEEDING && !CLOUDFLARE_ENV && !hasDatabase()) {
  const words = wordsOfWrangler()
  // A program that is no `wrangler dev`, such as a test; or one that serves other data than these, or none on this
  // machine.
  const isAnother = words === null || / --(?:persist-to|remote|env)\b| -[er]\b/.test(words)
  if (!isAnother) seed(/ --port[ =](\d+)/.exec(words)?.[1])
}

/** Below the default of --persist-to. */
function hasDatabase() {
  const dir = '.wrangler/state/v3/d1/miniflare-D1DatabaseObject'
  return existsSync(dir) && readdirSync(dir).some((file) => file.endsWith('.sqlite'))
}

/**
 * Of the process that runs this build, above a shell or two; null: it is none. Empty where no process can be looked at.
 */
function wordsOfWrangler() {
  let pid = process.ppid
  for (let level = 0; level < 4 && pid > 1; level++) {
    const [parent, words] = lookAt(pid)
    if (parent === 0) return ''
    if (/wrangler.* dev(?: |$)/.test(words)) return words
    pid = parent
  }
  return null
}

/**
 * Its parent and its words. By `ps`, or where that is missing, as in small containers, by the files of Linux.
 * @param {number} pid
 * @returns {[number, string]}
 */
function lookAt(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
  const [, parent, words] = /^\s*(\d+) (.*)/.exec(stdout ?? '') ?? []
  if (parent !== undefined && words !== undefined) return [Number(parent), words]
  try {
    const [, ofLinux] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return [Number(ofLinux), readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
  } catch {
    return [0, '']
  }
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
