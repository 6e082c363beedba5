// The project's Worker, far from home.
import worker, { RateLimiter as NearRateLimiter } from '../../../src/index.ts'
import { farFromHome } from './far-from-home.ts'

export class RateLimiter extends NearRateLimiter {
  /** All rows that this object's database has ever changed, those of its key-value storage included. */
  rowsWritten(): number {
    return Number(this.ctx.storage.sql.exec('select total_changes() as n').one().n)
  }
}

const far = farFromHome(worker.fetch as never)

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const asked = new URL(request.url).searchParams.get('rows-written-by')
    if (asked === null) return far.fetch(request, env as never, ctx)
    const limiter = env.RATE_LIMITER.getByName(asked) as unknown as { rowsWritten(): Promise<number> }
    return Response.json(await limiter.rowsWritten())
  },
}
