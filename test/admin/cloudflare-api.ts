// As much of Cloudflare's API as `npm run deploy` meets: an account that may hold the database, which runs the
// SQL it is sent, and takes the Worker. It remembers what happened, in order.
import { createServer, type IncomingMessage } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'

export type Account = {
  readonly databaseId: string
  /** What changed it: `create database`, `query database`, `upload assets`, `upload worker`. Repeats are left out. */
  readonly changes: string[]
  /** The bindings of the Worker that was uploaded last. */
  readonly bindings: { type: string; name: string; id?: string; text?: string }[]
  readonly tables: () => string[]
  /** The values of the Worker's secrets. Its code is refused while one that it inherits is missing. */
  readonly secrets: Map<string, string>
  /** Runs SQL in the database, as somebody else would. */
  readonly run: (sql: string) => void
  readonly select: (sql: string) => Record<string, unknown>[]
  /** The paths of the static assets that the uploaded Worker has. */
  readonly assets: string[]
  /** What a deployment needs in its environment. */
  readonly env: Record<string, string>
}

/** Not signed: its expiry is all that is read of it here. */
const uploadToken = `e30.${Buffer.from(JSON.stringify({ exp: 32_503_680_000 })).toString('base64url')}.`

/** `hasWorker`: a Worker is deployed that had no secrets. `sql`: the database is there, with what this makes. */
export async function cloudflareAccount({
  hasWorker = false,
  sql = null as string | null,
} = {}): Promise<Account> {
  const databaseId = '11111111-2222-4333-8444-555555555555'
  const changes: string[] = []
  const bindings: Account['bindings'] = []
  const assets: string[] = []
  const secrets = new Map<string, string>()
  let isDeployed = hasWorker
  let database = sql === null ? undefined : new DatabaseSync(':memory:')
  database?.exec(sql ?? '')
  const note = (change: string) => changes.at(-1) === change || changes.push(change)

  const routes: [pattern: RegExp, answer: (body: string) => unknown][] = [
    [/^GET .*\/d1\/database\/[^/]+$/, () => database && { uuid: databaseId, name: 'lead-intake' }],
    [
      /^POST .*\/d1\/database$/,
      () => {
        note('create database')
        database = new DatabaseSync(':memory:')
        return { uuid: databaseId, name: 'lead-intake' }
      },
    ],
    [
      /^POST .*\/d1\/database\/[^/]+\/query$/,
      (body) => {
        note('query database')
        const { sql } = JSON.parse(body) as { sql: string }
        try {
          return statementsOf(sql).map((statement) => ({
            results: database?.prepare(statement).all(),
            success: true,
            meta: { duration: 1 },
          }))
        } catch (error) {
          return error
        }
      },
    ],
    [
      /^POST .*\/scripts\/lead-intake\/assets-upload-session$/,
      (body) => {
        const { manifest } = JSON.parse(body) as { manifest: Record<string, { hash: string }> }
        assets.splice(0, Infinity, ...Object.keys(manifest).sort())
        return { jwt: uploadToken, buckets: [Object.values(manifest).map(({ hash }) => hash)] }
      },
    ],
    [/^POST .*\/workers\/assets\/upload$/, () => note('upload assets') && { jwt: uploadToken }],
    [
      /^GET .*\/scripts\/lead-intake\/secrets$/,
      () => (isDeployed ? [...secrets.keys()].map((name) => ({ name, type: 'secret_text' })) : null),
    ],
    [
      /^GET .*\/workers\/services\/lead-intake$/,
      () => isDeployed && { default_environment: { environment: 'production', script: { tag: 't' } } },
    ],
    [/^GET .*\/workers\/subdomain$/, () => ({ subdomain: 'example' })],
    [
      /^PUT .*\/workers\/scripts\/lead-intake$/,
      (body) => {
        note('upload worker')
        const metadata = /name="metadata"\r\n\r\n(.+)\r\n/.exec(body)?.[1] ?? '{}'
        bindings.splice(0, Infinity, ...(JSON.parse(metadata) as Pick<Account, 'bindings'>).bindings)
        if (bindings.some(({ type, name }) => type === 'inherit' && !secrets.has(name))) return null
        for (const { type, name, text } of bindings) if (type === 'secret_text') secrets.set(name, text ?? '')
        isDeployed = true
        return { id: 'lead-intake', startup_time_ms: 5 }
      },
    ],
    [/^GET .*\/workers\/workers\/lead-intake$/, () => ({ id: 'w', name: 'lead-intake', subdomain: {} })],
    [/^POST .*\/scripts\/lead-intake\/subdomain$/, () => ({ enabled: true })],
    [
      /^PUT .*\/scripts\/lead-intake\/schedules$/,
      (body) => {
        note('set schedules')
        return { schedules: JSON.parse(body) as unknown }
      },
    ],
  ]

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const body = await bodyOf(request)
    const route = routes.find(([pattern]) => pattern.test(`${request.method} ${pathname}`))
    const answer = route?.[1](body) || null
    const failed = answer instanceof Error
    const result = failed ? null : answer
    const code = failed ? 7500 : pathname.includes('/d1/') ? 7404 : 10_007
    const message = failed ? `${answer.message}: SQLITE_ERROR` : 'not found'
    const errors = result === null ? [{ code, message }] : []
    response.writeHead(failed ? 400 : result === null ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: result !== null, result, errors, messages: [] }))
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
  })
  onTestFinished(() => {
    server.close()
  })
  return {
    databaseId,
    changes,
    bindings,
    assets,
    secrets,
    run: (sql) => database?.exec(sql),
    select: (sql) => database?.prepare(sql).all() ?? [],
    tables: () =>
      (database?.prepare("select name from sqlite_schema where type = 'table'").all() ?? []).map((row) =>
        String(row.name),
      ),
    env: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'account',
    },
  }
}

/** Cut at each semicolon but those inside a trigger. */
function statementsOf(sql: string): string[] {
  return sql.match(/(?:create trigger.+?\bend|[^;])+/gis)?.filter((text) => text.trim() !== '') ?? []
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
