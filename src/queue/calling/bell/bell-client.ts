// How the Worker speaks to the bell of a campaign. Nothing here throws: without the bell, a claim is answered at once,
// and a ring is lost.

import { waits } from '../../../base/limits.ts'
import { withTimeLimit } from '../../../base/time-limit.ts'
import type { WaitedCampaign } from '../../campaigns/waited-campaign.ts'
import type { CampaignBell, Rung } from './campaign-bell.ts'
import { rungCode, type Waiter } from './waiters.ts'

/** A wait that the bell knows of. `lost`: the bell was reset. */
export type Registered = { readonly ended: Promise<'rung' | 'lost'>; readonly leave: () => void }

const bellOf = (env: Env, { companyId, number }: WaitedCampaign): DurableObjectStub<CampaignBell> =>
  env.CAMPAIGN_BELLS.getByName(`${companyId}/${number}`)

/** Null: the bell does not answer. */
export async function register(
  env: Env,
  campaign: WaitedCampaign,
  { sinceMs, untilMs }: Waiter,
): Promise<Registered | null> {
  const opening = open(env, campaign, `https://bell/?sinceMs=${sinceMs}&untilMs=${untilMs}`)
  const registered = await answerOf(opening)
  if (registered === null) void opening.then((late) => late.leave()).catch(() => {})
  return registered
}

async function open(env: Env, campaign: WaitedCampaign, url: string): Promise<Registered> {
  const { webSocket } = await bellOf(env, campaign).fetch(url, { headers: { Upgrade: 'websocket' } })
  if (webSocket === null) throw new Error('no socket')
  const ended = new Promise<'rung' | 'lost'>((resolve) => {
    webSocket.addEventListener('close', ({ code }) => resolve(code === rungCode ? 'rung' : 'lost'))
    webSocket.addEventListener('error', () => resolve('lost'))
  })
  webSocket.accept()
  return { ended, leave: () => close(webSocket) }
}

/** Twice does no harm. */
function close(socket: WebSocket): void {
  try {
    socket.close(1000)
  } catch {
    // It is closed.
  }
}

/** Null: the bell does not answer. `momentMs`: see isNewRing. */
export async function ring(
  env: Env,
  campaign: WaitedCampaign,
  count: number,
  momentMs: number | null = null,
): Promise<Rung | null> {
  return answerOf((async () => bellOf(env, campaign).ring(count, momentMs))())
}

/** Null: the bell does not answer. */
export async function countWaiting(env: Env, campaign: WaitedCampaign): Promise<number | null> {
  return answerOf((async () => bellOf(env, campaign).countWaiting())())
}

async function answerOf<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await withTimeLimit(work, waits.bellMs)
  } catch {
    return null
  }
}
