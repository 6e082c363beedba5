// One service that is deployed and rolled back: now the Worker of one version, now that of another, on one state. Asks
// its API and takes no answer but the one that was to come. What is asked is decided elsewhere.
import type { readMigrations } from '../support/migrations.ts'
import { sendJson } from './client.ts'
import { type Server, startServer } from './server.ts'

export type Version = 'old' | 'new'

/** Of the code that is old: see old.ts. */
export const oldVersion = '1.1.0'

export type Asked = {
  readonly key: string
  readonly method?: 'GET' | 'POST' | 'PATCH'
  /** After /api/v1. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly status?: number
}

export function createService(codes: Readonly<Record<Version, string>>, stateDir: string) {
  let server: Server | undefined
  let version: Version = 'old'
  const running = () => {
    if (server === undefined) throw new Error('No Worker runs')
    return server
  }
  return {
    db: () => running().db,
    stop: () => running().stop(),
    async run(next: Version): Promise<void> {
      await server?.stop()
      server = await startServer(codes[next], stateDir)
      version = next
    },
    /** Under the running Worker, as a deployment does. */
    async migrate(migrations: Awaited<ReturnType<typeof readMigrations>>): Promise<void> {
      const { db } = running()
      for (const { queries } of migrations) await db.batch(queries.map((query) => db.prepare(query)))
    },
    async ask<Data>({ key, method = 'GET', path, body, headers, status = 200 }: Asked) {
      const answer = await sendJson(running().port, key, method, `/api/v1${path}`, body, headers)
      if ((answer.headers['x-api-version'] === oldVersion) !== (version === 'old'))
        throw new Error(`Version ${answer.headers['x-api-version']} answered, not the ${version} one`)
      if (answer.status !== status)
        throw new Error(`${version}: ${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
      return { data: JSON.parse(answer.text).data as Data, headers: answer.headers }
    },
  }
}

export type Service = ReturnType<typeof createService>
