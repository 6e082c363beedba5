import type { ReportedOutcome } from '../../../src/queue/campaigns/outcomes.ts'
import { eraseLead, erasePerson } from '../../../src/queue/erasure/store/erase.ts'
import { retainChunk } from '../../../src/queue/erasure/store/retain.ts'
import { createLeads } from '../../../src/queue/leads/store/create-bulk.ts'
import { hashesIn } from '../access/actor.ts'
import { companyDb } from '../database/store.ts'
import { newLead } from '../leads/new-lead.ts'
import { newPhone } from '../world.ts'
import type { CallingWorld } from './calling.ts'

export type InCampaign = Pick<CallingWorld, 'add' | 'claim' | 'report' | 'release' | 'asManager' | 'campaign'>

/** Claims the campaign's next lead and reports it. Returns whether there was one. */
export async function call(world: InCampaign, atMs: number, outcome: ReportedOutcome = 'no_answer') {
  const { calls } = await world.claim(atMs)
  for (const { callId } of calls) await world.report(atMs, [{ callId, outcome }])
  return calls.length === 1
}

export const erase = (world: InCampaign, leadId: string, atMs: number) =>
  eraseLead(companyDb, world.asManager(atMs), leadId, hashesIn(world.campaign.companyId))

export const erasePhone = (world: InCampaign, phoneNumber: string, atMs: number) =>
  erasePerson(
    companyDb,
    world.asManager(atMs),
    { phoneNumber, suppress: false },
    hashesIn(world.campaign.companyId),
  )

export const retain = (world: InCampaign, atMs: number, hashesOf = hashesIn) =>
  retainChunk(companyDb, world.campaign.number, atMs, hashesOf)

/** The first of the moments at which the campaign's next lead is claimed; null: at none of them. */
export async function firstClaim(world: InCampaign, moments: readonly number[]) {
  // A claim that finds its candidates blocked moves them away, and the next one finds what is behind them.
  for (const atMs of moments)
    if ((await world.claim(atMs)).calls.length > 0 || (await world.claim(atMs)).calls.length > 0) return atMs
  return null
}

export const importAgain = async (world: CallingWorld, phoneNumber: string, atMs: number) => {
  const origin = {
    ...world.access(world.writeKeyId, atMs),
    token: `bulk${newPhone()}`.slice(0, 11),
    requestKey: null,
    hashes: hashesIn(world.companyId),
  }
  const options = { withSkippedIds: true, isDryRun: false, invalid: 0 }
  const outcome = await createLeads(companyDb, origin, [newLead({ phoneNumber })], options)
  if (outcome.kind !== 'imported') throw new Error(outcome.kind)
  return outcome.results[0]
}

export const countRows = (table: string, companyId: string, where = '1') =>
  companyDb
    .prepare(`select count(*) as n from ${table} where company_id = ?1 and ${where}`)
    .bind(companyId)
    .first('n')
