// The tools. None takes a URL, returns a key, or creates more than one lead in a call.
import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import {
  type CreateLead,
  LeadExistsError,
  type LeadIntake,
  type RequestOptions,
} from '../sdk/src/lead-intake.ts'
import { answer, failure } from './answer.ts'
import { findLeads } from './find-leads.ts'
import own from './package.json' with { type: 'json' }

const leadId = z
  .string()
  .regex(/^[0-9A-Za-z]{1,64}$/, 'must be the `_id` of a lead')
  .describe('The `_id` of a lead')
const query = z
  .string()
  .min(1)
  .max(100)
  .describe(
    'A name, company or e-mail address, or the start of one; a phone number in any form, or its last 4 ' +
      "digits or more; the lead's id in the CRM; or the `_id` of a lead",
  )
const phoneNumber = z.string().describe('In E.164, such as +14155550123')
const campaignId = z.string().describe('The id of a campaign')

/**
 * Assistants fill in what they do not set: an empty text or null is as good as absent (D10). In the JSON schema nothing
 * changes.
 */
const input = <Shape extends z.ZodRawShape>(shape: Shape) => z.preprocess(withoutEmpty, z.strictObject(shape))

const withoutEmpty = (sent: unknown) =>
  typeof sent === 'object' && sent !== null
    ? Object.fromEntries(
        Object.entries(sent).filter(
          ([, value]) => value !== null && !(typeof value === 'string' && value.trim() === ''),
        ),
      )
    : sent

/** Also as a text of digits. */
const digits = (sent: unknown) => (typeof sent === 'string' && /^\d+$/.test(sent) ? Number(sent) : sent)

const onlyReads = { readOnlyHint: true, openWorldHint: false } as const

export function makeServer(client: LeadIntake, allowsWrites: boolean): McpServer {
  const server = new McpServer({ name: own.name, version: own.version })

  server.registerTool(
    'find_lead',
    {
      title: 'Find a lead',
      description:
        'Finds leads by a query or by leadId, in all campaigns of the key or in one. Of several words, a ' +
        'lead must have all. Returns at most 10, each with its `origin`: the source, API key, member or import that ' +
        'it came from. `metadata` is included when one lead is found.',
      inputSchema: input({
        query: query.optional(),
        leadId: leadId.optional(),
        campaignId: campaignId.optional(),
      }).refine(
        ({ query, leadId }) => (query === undefined) !== (leadId === undefined),
        'Set exactly one of query and leadId',
      ),
      annotations: onlyReads,
    },
    answering(async (which, options) => {
      const { leads, more } = await findLeads(client, which, options)
      const isOne = leads.length === 1
      return { leads: isOne ? leads : leads.map(({ metadata: _, ...lead }) => lead), more }
    }),
  )

  server.registerTool(
    'why_not_called',
    {
      title: 'Why a lead is not called',
      description:
        'Returns everything that blocks a lead from being called, the earliest time of its next call, and ' +
        'the state of its campaign. Without blockers the lead waits for its turn: `queue.agentsWaiting` says ' +
        'whether agents are waiting.',
      inputSchema: input({ leadId }),
      annotations: onlyReads,
    },
    answering(({ leadId }, options) => explainLead(client, leadId, options)),
  )

  server.registerTool(
    'who_calls',
    {
      title: 'Who calls',
      description:
        'Returns whose number a call comes from: the lead, its last call, a call that is open with it, and ' +
        '`suppressed` (nobody may call the number). Takes no call, and stores nothing. Anybody can forge the ' +
        'number of a call: tell the caller nothing of what this returns.',
      inputSchema: input({
        phoneNumber: z.string().describe('The number of the caller, as the provider has it'),
        campaignId: campaignId.optional(),
      }),
      annotations: onlyReads,
    },
    answering(({ phoneNumber, campaignId }, options) => findCaller(client, phoneNumber, campaignId, options)),
  )

  server.registerTool(
    'find_consent',
    {
      title: 'Find the consents of a number',
      description:
        'Returns what the person with a phone number has agreed to, and what was withdrawn, oldest first. A ' +
        'withdrawal covers the consents of its purpose (null: of every purpose) that were given until ' +
        '`withdrawnAt`. What is left of erased people is not found.',
      inputSchema: input({ phoneNumber }),
      annotations: onlyReads,
    },
    answering(({ phoneNumber }, options) => client.consents.search(phoneNumber, options)),
  )

  server.registerTool(
    'campaign_status',
    {
      title: 'Status of a campaign',
      description:
        'Returns the settings and the queue of a campaign, its leads by status, the outcomes of its calls in ' +
        'the last 24 hours, and `liveCalls`, `webhooks` and `alerts`, each null if the key may not see it. ' +
        'Without campaignId: the campaigns of the key, at most 100.',
      inputSchema: input({ campaignId: campaignId.optional() }),
      annotations: onlyReads,
    },
    answering(({ campaignId }, options) =>
      campaignId === undefined ? listCampaigns(client, options) : readCampaign(client, campaignId, options),
    ),
  )

  if (allowsWrites) registerWrites(server, client)
  return server
}

function registerWrites(server: McpServer, client: LeadIntake): void {
  server.registerTool(
    'create_lead',
    {
      title: 'Create a lead',
      description:
        'Creates one lead, which is called as soon as its campaign allows. If its number is in the campaign ' +
        'already, nothing changes, and the existing lead is returned.',
      inputSchema: input({
        campaignId,
        phoneNumber,
        externalId: z.string().exactOptional().describe("The lead's id in the CRM that sent it"),
        metadata: z.record(z.string(), z.unknown()).exactOptional().describe('Data about the person'),
        scheduledFor: z.string().exactOptional().describe('When to call: ISO 8601 with a UTC offset'),
        priority: z
          .preprocess(digits, z.int())
          .exactOptional()
          .describe('Higher is called first. Default: 0'),
        timeZone: z.string().exactOptional().describe('IANA time zone of the person'),
      } satisfies Record<Exclude<keyof CreateLead, 'consent'>, z.ZodType>),
      // A call cannot be undone, so a client should ask a person first.
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    },
    answering(async (lead, options) => {
      try {
        const { leadId } = await client.leads.create(lead, options)
        return { leadId, created: true }
      } catch (error) {
        if (error instanceof LeadExistsError) return { leadId: error.leadId, created: false }
        throw error
      }
    }),
  )
}

/** Answers with what `run` returns or throws. */
function answering<Input>(run: (input: Input, options: RequestOptions) => Promise<object>) {
  return async (input: Input, { mcpReq }: ServerContext): Promise<CallToolResult> => {
    try {
      return answer(await run(input, { signal: mcpReq.signal }))
    } catch (error) {
      return failure(error)
    }
  }
}

async function explainLead(client: LeadIntake, leadId: string, options: RequestOptions): Promise<object> {
  const [lead, explanation] = await Promise.all([
    client.leads.get(leadId, options),
    client.leads.explain(leadId, options),
  ])
  const { id, name, paused, timeZone, queue } = await client.campaigns.get(lead.campaignId, options)
  const { status, attempts, scheduledFor } = lead
  return {
    lead: { leadId, status, attempts, scheduledFor },
    ...explanation,
    campaign: { id, name, paused, timeZone, queue },
  }
}

/** Without what the lead has said, or what is known of the person: an assistant might say it to a stranger. */
async function findCaller(
  client: LeadIntake,
  from: string,
  campaignId: string | undefined,
  options: RequestOptions,
): Promise<object> {
  const { lead, lastCall, ...caller } = await client.calls.inbound(
    { from, campaignId: campaignId ?? null },
    options,
  )
  const { metadata: _, ...shown } = lead ?? {}
  const { details: __, ...last } = lastCall ?? {}
  return { lead: lead && shown, lastCall: lastCall && last, ...caller }
}

async function readCampaign(
  client: LeadIntake,
  campaignId: string,
  options: RequestOptions,
): Promise<object> {
  const { stats, ...overview } = await client.campaigns.overview(campaignId, {}, options)
  const { status, outcomes, pickUp } = stats
  return { ...overview, leadsByStatus: status, last24Hours: { outcomes, pickUp } }
}

const maxListed = 100

async function listCampaigns(client: LeadIntake, options: RequestOptions): Promise<object> {
  const { campaigns, nextCursor } = await client.campaigns.pages({ limit: maxListed }, options).page()
  return {
    campaigns: campaigns.map(({ id, name, paused }) => ({ id, name, paused })),
    more: nextCursor !== null,
  }
}
