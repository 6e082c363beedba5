// Installs missing dependencies before any other script runs. This file and local-secrets.js must run on a bare Node
// 20: JavaScript, no dependencies. All others run on the installed Node 24.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, utimesSync } from 'node:fs'

const lockFile = 'package-lock.json'
// npm writes it last, so an interrupted installation has none.
const installed = 'node_modules/.package-lock.json'

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockFile).mtimeMs) {
  process.stderr.write('Installing dependencies, once: one to four minutes ...\n')
  // loglevel: the tools require a newer Node than this one, and get it from the `node` package.
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    // A program may read the script's output: this is not part of it.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  // npm says nothing until it is done where there is no terminal.
  const startedAtMs = Date.now()
  const progress = setInterval(() => {
    process.stderr.write(`Still installing, for ${Math.round((Date.now() - startedAtMs) / 1000)} s ...\n`)
  }, 15_000)
  const [status] = await once(npm, 'close').catch(() => [1])
  clearInterval(progress)
  if (status !== 0) {
    process.stderr.write('error: npm ci failed\n')
    process.exit(status || 1)
  }
  const now = new Date()
  utimesSync(installed, now, now)
}

// Not left to npm: its own scripts may be disabled (--ignore-scripts), and .dev.vars may be deleted.
await import('./local-secrets.js')
