// The program: reads its settings, checks the key, and serves MCP over standard input and output. Standard output
// belongs to the protocol; standard error gets neither a key nor a phone number.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { LeadIntake } from '../sdk/src/lead-intake.ts'
import { checkKey } from './check-key.ts'
import { makeServer } from './tools.ts'

const usage = `Usage: lead-intake-mcp [--allow-writes]

LEAD_INTAKE_URL   the address of the service, such as https://leads.example.com
LEAD_INTAKE_KEY   an API key: scope read, or write with --allow-writes
--allow-writes    adds the tool create_lead
`

/** Below the minute that clients give a tool. */
const requestTimes = { timeoutMs: 15_000, retryForMs: 30_000 }

const log = (line: string) => process.stderr.write(`lead-intake-mcp: ${line}\n`)

process.exitCode = await main(process.argv.slice(2), process.env)

async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const allowsWrites = args.includes('--allow-writes')
  if (args.some((arg) => arg !== '--allow-writes')) {
    process.stderr.write(usage)
    return 2
  }
  const { LEAD_INTAKE_URL: baseUrl = '', LEAD_INTAKE_KEY: apiKey = '' } = env
  const wrong = wrongSetting(baseUrl, apiKey)
  if (wrong !== null) {
    log(`error: ${wrong}`)
    return 2
  }
  const client = new LeadIntake({ baseUrl, apiKey, ...requestTimes })
  const checked = await checkKey(client, allowsWrites)
  if (checked.kind === 'refused') {
    log(`error: ${checked.message}`)
    return 1
  }
  for (const warning of checked.warnings) log(`warning: ${warning}`)
  // Only its kind: the text may quote a message, with what is in it.
  serveStdio(() => makeServer(client, allowsWrites), { onerror: ({ name }) => log(`error: ${name}`) })
  return 0
}

function wrongSetting(baseUrl: string, apiKey: string): string | null {
  if (!/^https:\/\/[^?#@]+$|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\/?$/i.test(baseUrl))
    return 'LEAD_INTAKE_URL must be the https address of the service, or an http address of this machine'
  if (!URL.canParse(baseUrl)) return 'LEAD_INTAKE_URL is not a URL'
  if (!/^lk_[!-~]{1,252}$/.test(apiKey)) return 'LEAD_INTAKE_KEY must be an API key (lk_...)'
  if (apiKey.startsWith('lk_op_'))
    return "LEAD_INTAKE_KEY is an operator's key (lk_op_...): give the server a key of a company"
  return null
}
