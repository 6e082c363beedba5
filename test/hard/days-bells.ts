// The waits of simulated days: who waits for leads of a campaign, what rings for them, and that no lead is left
// meanwhile.

import { readOutlook } from '../../src/queue/calling/bell/store/outlook.ts'
import { ringCount, timerOf } from '../../src/queue/calling/bell/waiters.ts'
import { leadsLeft } from './days-left.ts'
import type { Simulation } from './days-state.ts'
import { campaignZones, capacities, type SimCampaign } from './days-world.ts'

type Wait = { readonly agent: number }

export type Bells = ReturnType<typeof createBells>

/** `wake`: an agent that was rung claims again. */
export function createBells(
  { plain, rings, campaigns, consents, agenda, findings, counts }: Simulation,
  wake: (agent: number, nowMs: number) => Promise<void>,
) {
  /** By campaign: the agents that wait, those that wait longest first. */
  const waits: Wait[][] = campaigns.map(() => [])
  return { wait, deliver, checkLeft }

  function wait(agent: number, campaign: number, nextMs: number | null, nowMs: number): void {
    const own: Wait = { agent }
    waits[campaign]?.push(own)
    counts.waits++
    runTimer(own, campaign, nextMs, nowMs)
  }

  /** The timer of a wait rings, and looks a second later (bell/wait.ts). */
  function runTimer(own: Wait, campaign: number, momentMs: number | null, nowMs: number): void {
    if (momentMs === null) return
    agenda.add(timerOf(momentMs, nowMs), async (atMs) => {
      if (!waits[campaign]?.includes(own)) return
      ring(campaign, atMs)
      agenda.add(atMs + 1_000, async (thenMs) => {
        if (!waits[campaign]?.includes(own)) return
        const outlook = await readOutlook(plain, campaigns[campaign] as SimCampaign, thenMs)
        runTimer(own, campaign, outlook.canLease ? thenMs : outlook.nextMs, thenMs)
      })
    })
  }

  function ring(campaign: number, nowMs: number): void {
    for (const { agent } of waits[campaign]?.splice(0, ringCount) ?? []) {
      counts.rung++
      agenda.add(nowMs, (atMs) => wake(agent, atMs))
    }
  }

  /** What was committed since the last time rings. */
  function deliver(nowMs: number): void {
    for (const text of rings) {
      const [, number, atMs] = JSON.parse(text) as [string, number, number | null]
      const campaign = campaigns.findIndex((each) => each.number === number)
      agenda.add(Math.max(nowMs, atMs ?? 0), async (thenMs) => ring(campaign, thenMs))
    }
    rings.clear()
  }

  /** No lead that could be called is left while an agent waits. A timer may be a second late, and a look another. */
  async function checkLeft(nowMs: number): Promise<void> {
    for (const campaign of campaigns.keys()) {
      if (waits[campaign]?.length === 0) continue
      counts.looksForLeft++
      const left = await leftIn(campaign, nowMs)
      if (left.length === 0) continue
      agenda.add(nowMs + 2_000, async (atMs) => {
        if (waits[campaign]?.length === 0) return
        for (const phone of await leftIn(campaign, atMs))
          if (left.includes(phone))
            findings.add('left while an agent waits', `${campaign} ${phone} ${new Date(atMs).toISOString()}`)
      })
    }
  }

  async function leftIn(campaign: number, nowMs: number): Promise<string[]> {
    const { maxLiveCalls, callsPerMinute } = capacities[campaign] ?? {}
    const { number } = campaigns[campaign] as SimCampaign
    const closedDates = campaign === 0 ? ['2026-10-31'] : []
    const timeZone = campaignZones[campaign] as string
    const queue = { number, timeZone, closedDates, maxLiveCalls, callsPerMinute }
    const left = await leadsLeft(plain, queue, nowMs)
    return left.filter((phone) => consents.isAllowed(campaign, phone, nowMs))
  }
}
