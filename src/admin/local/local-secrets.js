// Creates the secrets of the local server once, in .dev.vars, which git ignores and `wrangler dev` reads. Never
// replaces one: a new pepper would not match the numbers that the old one hashed. Runs before every script, and after
// `npm ci` for those who start wrangler themselves, so it must run on a bare Node 20: JavaScript, no dependencies.
import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs'

const file = '.dev.vars'
const names = ['SUPPRESSION_PEPPER', 'WEBHOOK_ROOT']

const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
const missing = names.filter((name) => !hasValue(name))
if (missing.length > 0) {
  const lines = missing.map((name) => `${name}=${randomBytes(32).toString('base64url')}\n`)
  try {
    // wrangler uses the last of two lines with one name, so two processes that both add them get the same ones.
    appendFileSync(file, (kept === '' || kept.endsWith('\n') ? '' : '\n') + lines.join(''), { mode: 0o600 })
    chmodSync(file, 0o600)
  } catch (error) {
    // Most of the project works without them.
    process.stderr.write(`warning: no local secrets, ${file} cannot be written: ${error}\n`)
  }
}

/** @param {string} name */
function hasValue(name) {
  return new RegExp(`^[ \\t]*(export[ \\t]+)?${name}[ \\t]*=[ \\t]*(?!""|''|\`\`)[^\\s#]`, 'm').test(kept)
}
