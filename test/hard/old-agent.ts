// The calling agent of old.ts: claims and reports over HTTP, holds what it is given against what it must be given, and
// remembers how every lead stands since. What is stored, and by which version, is decided in old.ts.
import { isDeepStrictEqual } from 'node:util'
import { compareTurns, isOfTomorrow, type ListedLead, type Place, placesOf } from './old-leads.ts'
import type { Service } from './old-service.ts'
import type { Findings } from './report.ts'

/** How many leads without a place a claim queues, at the least (D50). */
const queuedPerClaim = 1_000

export type Call = { readonly callId: string; readonly lead: ListedLead }
type Claimed = { readonly calls: readonly Call[]; readonly reason: string | null }
type Standing = { readonly status: string; readonly attempts: number }

export function createAgent(service: Service, key: string, findings: Findings) {
  const suppressed = new Set<string>()
  const changed = new Map<string, Standing>()
  const counts = { claims: 0, handedOut: 0 }

  return { suppressed, counts, standingOf, expectNothing, claimAll, checkTomorrow, report }

  /** As every version must list the lead. */
  function standingOf(leadId: string): Standing {
    return changed.get(leadId) ?? { status: 'raw', attempts: 0 }
  }

  async function claim(campaignId: string): Promise<Claimed> {
    const body = { campaignId, limit: 100 }
    return (await service.ask<Claimed>({ key, method: 'POST', path: '/calls/claim', body })).data
  }

  async function expectNothing(campaignId: string, expected: string): Promise<void> {
    const { calls, reason } = await claim(campaignId)
    if (calls.length > 0 || reason !== expected)
      findings.add('claimed twice, or wrongly', `${calls.length} calls, ${reason}`)
  }

  /** `stored` in the order of storing, as they were listed. Waits for those that are due soon. */
  async function claimAll(campaignId: string, stored: readonly ListedLead[]): Promise<readonly Call[]> {
    const places = placesOf(stored)
    const due = places.filter((place) => !isOfTomorrow(place))
    const lastDueAtMs = Math.max(...due.map(({ dueAtMs }) => dueAtMs))
    await new Promise((resolve) => setTimeout(resolve, lastDueAtMs + 1 - Date.now()))
    const left = new Map(
      due.filter(({ phoneNumber }) => !suppressed.has(phoneNumber)).map((place) => [place.leadId, place]),
    )
    const all: Call[] = []
    for (let turn = 1; ; turn++) {
      const { calls, reason } = await claim(campaignId)
      counts.claims++
      if (calls.length === 0 && reason !== 'waiting') findings.add('wrong reason', `${reason}`)
      if (calls.length === 0) break
      const given = calls.flatMap(({ lead }) => left.get(lead._id) ?? [])
      for (const { lead } of calls) {
        const place = left.get(lead._id)
        if (place === undefined) findings.add('claimed twice, or wrongly', lead._id)
        else checkLead(lead, stored[place.index])
        left.delete(lead._id)
        changed.set(lead._id, { status: 'attempting', attempts: 1 })
      }
      // What is behind those that the claims so far must have queued may wait for the next.
      const queued = places.slice(0, turn * queuedPerClaim).filter(({ leadId }) => left.has(leadId))
      checkOrder([...given, ...queued.sort(compareTurns).slice(0, 1)])
      counts.handedOut += given.length
      all.push(...calls)
    }
    for (const { leadId } of left.values()) findings.add('never claimed', leadId)
    return all
  }

  function checkLead({ timeZone: _, ...lead }: ListedLead, stored: ListedLead | undefined): void {
    if (!isDeepStrictEqual(lead, { ...stored, status: 'attempting', attempts: 1 }))
      findings.add('listed otherwise', `${lead._id} as it is claimed`)
  }

  function checkOrder(turns: readonly Place[]): void {
    turns.forEach((place, index) => {
      const next = turns[index + 1]
      if (next !== undefined && compareTurns(place, next) > 0) findings.add('out of order', next.leadId)
    })
  }

  /** They wait for their time. */
  async function checkTomorrow(places: readonly Place[]): Promise<void> {
    for (const { leadId, phoneNumber, dueAtMs } of places) {
      const path = `/leads/${leadId}/calling`
      const { nextCallAt } = (await service.ask<{ nextCallAt: string | null }>({ key, path })).data
      const must = suppressed.has(phoneNumber) ? null : dueAtMs
      if ((nextCallAt && Date.parse(nextCallAt)) !== must) findings.add('not called at its time', leadId)
    }
  }

  /** At most a hundred. */
  async function report(calls: readonly Call[], outcome: string, status: string): Promise<void> {
    if (calls.length === 0) return
    const body = { calls: calls.map(({ callId }) => ({ callId, outcome })) }
    const asked = { key, method: 'POST', path: '/calls/report', body } as const
    const { data } = await service.ask<{ results: { result: string; leadId: string }[] }>(asked)
    for (const { result, leadId } of data.results) {
      if (result !== 'recorded') findings.add('report not recorded', result)
      changed.set(leadId, { status, attempts: 1 })
    }
  }
}
