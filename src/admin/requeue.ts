// `lead requeue`: one lead by any of its names, or all of a campaign that became exhausted, or concluded, since a time.
// A requeue ends expired leases and sets due times by the clock of the database, since that of this machine may be wrong.
import { asOperator } from '../access/store/named.ts'
import type { RequeueMany } from '../calling/store/requeue-many.ts'
import { readClock } from '../database/database.ts'
import type { NamedLead } from '../leads/store/overview.ts'
import { waits } from '../limits.ts'
import { chooseCampaign } from './arguments/campaign-choice.ts'
import { hashesOf, type OfPlace, pepperMissing } from './deploy/pepper.ts'
import { CommandFailed } from './deploy/wrangler.ts'
import { requeueNamedLead, requeueNamedLeads } from './operator-store.ts'
import { counted, printLine, printResult } from './text/print.ts'

type Options = OfPlace & {
  readonly campaign?: string
  readonly company?: string
  readonly status?: RequeueMany['status']
  readonly since?: number
  readonly json: boolean
}

const clockOf = (db: D1Database) => readClock(db, waits.administrationMs)

export async function requeueOne(
  db: D1Database,
  options: Options,
  { leadId, campaignId, companyId }: NamedLead,
): Promise<void> {
  const who = { campaignId, companyId, ...asOperator(await clockOf(db)) }
  const result = await requeueNamedLead(db, who, leadId, hashesOf(options, companyId))
  if (result.kind === 'pepper_lost') throw pepperMissing(options)
  if (result.kind === 'leased') throw new CommandFailed(`the lead is being called: ${leadId}`)
  if (result.kind === 'suppressed') throw new CommandFailed(`the lead's number is suppressed: ${leadId}`)
  if (result.kind !== 'requeued') throw new CommandFailed(`no such lead: ${leadId}`)
  printLine(options.json ? result.json : `Lead ${leadId} is queued again.`)
}

/** For many leads, in as many statements as it takes. */
export async function requeueSince(db: D1Database, options: Options): Promise<void> {
  const { campaign, company, status, since, json } = options
  if (campaign === undefined || status === undefined || since === undefined)
    throw new CommandFailed('name a lead, or give --campaign, --status and --since')
  const chosen = await chooseCampaign(db, { campaign, ...(company !== undefined && { company }) })
  const hashes = hashesOf(options, chosen.companyId)
  const sum = { requeued: 0, skipped: 0 }
  for (let more = true; more; ) {
    const who = { ...chosen, ...asOperator(await clockOf(db)) }
    const result = await requeueNamedLeads(db, who, { status, sinceMs: since }, hashes)
    if (result.kind === 'pepper_lost') throw pepperMissing(options)
    if (result.kind !== 'requeued') throw new CommandFailed(`unknown campaign: ${campaign}`)
    sum.requeued += result.requeued
    sum.skipped += result.skipped
    more = result.more
  }
  printResult(sum, json, [
    `${counted(sum.requeued, 'lead')} queued again; ${sum.skipped} skipped, because their numbers are suppressed.`,
  ])
}
