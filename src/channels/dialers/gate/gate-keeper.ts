// The object of a gate: asks about the leads of a campaign before anybody may call them. It is of the class of dialers,
// by a name of its own: another class would need a migration of the platform, which no version before could go back
// over. It is woken when a lead may have to be asked about, when a claim has found nothing, and each minute.
import { readInCompany } from '../../../base/access/find-company.ts'
import { armAlarm } from '../../../base/alarm.ts'
import { envOfStore } from '../../../base/database/company-env.ts'
import { problemOf } from '../../../base/database/database.ts'
import { collectNotices } from '../../../base/database/notices.ts'
import type { WaitedCampaign } from '../../../queue/campaigns/waited-campaign.ts'
import { troubleDelayMs } from '../../webhooks/retry-schedule.ts'
import { gatherWrites } from '../rounds/gathered-storage.ts'
import { readGateToRun } from '../store/run-gate.ts'
import { type Exchange, openTrace } from '../trace.ts'
import { tellOthers } from '../wake-dialers.ts'
import { firstMemory, type GateMemory, memoryOf } from './gate-memory.ts'
import { openGateSecrets } from './gate-secrets.ts'
import { takeGateRound } from './take-gate-round.ts'

const memoryKey = 'gate'
/** Wake-ups in a row have one round in this time. */
const roundsApartMs = 1_000

export type GateKeeper = ReturnType<typeof openGateKeeper>

/** The object is one of a gate once it was woken as such. */
export const isGateKeeper = ({ storage }: DurableObjectState) => storage.kv.get(memoryKey) !== undefined

export function openGateKeeper(ctx: DurableObjectState, env: Env) {
  const { storage } = ctx
  const kept = gatherWrites(storage.kv)
  const trace = openTrace(kept)
  let isRunning = false
  let wasWoken = false
  let troubles = 0
  let lastRoundMs = 0
  const recall = (): GateMemory | null => storage.kv.get<GateMemory>(memoryKey) ?? null
  const save = (memory: GateMemory) => storage.kv.put(memoryKey, memory)
  const wakeAt = (atMs: number) => armAlarm(storage, Math.max(atMs, lastRoundMs + roundsApartMs))

  async function run(before: GateMemory): Promise<number | null> {
    const { campaign } = before
    const place = { companyId: campaign.companyId, storeName: before.storeName }
    const nowMs = Date.now()
    const found = await readInCompany(env, place, (db) => readGateToRun(db, campaign, nowMs))
    if (found.row === null) {
      kept.drop()
      await storage.deleteAll()
      return null
    }
    const gate = found.row
    const own = envOfStore(env, found.storeName)
    const owner = { companyId: campaign.companyId, campaignId: gate.campaignId }
    const [waiting, listeners] = [new Set<string>(), new Set<string>()]
    const round = {
      campaign,
      gate,
      secrets: openGateSecrets(own.WEBHOOK_ROOT, owner, gate),
      db: collectNotices(own.DB, { waiting, listeners }),
      send: (url: string, init: RequestInit) => fetch(url, init),
      now: Date.now,
      trace,
      save,
      /** After each commit: a waiting agent gets its lead at once. */
      tell: () => {
        tellOthers(ctx, own, listeners, waiting, null, campaign.number)
        waiting.clear()
        listeners.clear()
      },
    }
    try {
      return await takeGateRound(round, memoryOf({ ...before, storeName: found.storeName }, gate.version))
    } finally {
      round.tell()
      trace.forgetOld(Date.now())
      trace.save()
      kept.write()
    }
  }

  return {
    async wake(campaign: WaitedCampaign, storeName: string | null): Promise<void> {
      const before = recall() ?? firstMemory(campaign, storeName)
      save({ ...before, storeName })
      wasWoken = true
      if (!isRunning) await wakeAt(Date.now())
    },
    async alarm(): Promise<void> {
      const memory = recall()
      if (memory === null) return
      isRunning = true
      wasWoken = false
      lastRoundMs = Date.now()
      try {
        const nextMs = await run(memory)
        troubles = 0
        const soonMs = wasWoken ? Date.now() : nextMs
        if (soonMs !== null) await (soonMs <= lastRoundMs ? armAlarm(storage, soonMs) : wakeAt(soonMs))
      } catch (error) {
        console.error({ event: 'gate_failed', ...memory.campaign, problem: problemOf(error) })
        await armAlarm(storage, Date.now() + troubleDelayMs(troubles, Math.random()))
        troubles++
      } finally {
        isRunning = false
      }
    },
    /** Newest first. */
    readTrace(): readonly Exchange[] {
      trace.forgetOld(Date.now())
      return trace.list()
    },
    forgetLeads: (leadIds: readonly string[]): void => trace.forgetLeads(new Set(leadIds)),
  }
}
