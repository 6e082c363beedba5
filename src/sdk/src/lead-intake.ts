// Everything the package exports.

export { type AgentOptions, type CallOutcome, CallStopped } from './agent/agent-options.ts'
export { runAgent } from './agent/run-agent.ts'
export type { Calls, ClaimOptions, OpenCallList } from './calls.ts'
export { LeadIntake } from './client.ts'
export type { CreateManyOptions, ManyResult } from './create-many.ts'
export * from './errors.ts'
export type { Created, CreateOptions, LeadRead, Leads, UpdateOptions } from './leads.ts'
export type * from './models.ts'
export type { Campaigns, Events, Keys, Suppressions, Webhooks } from './operations.ts'
export type { EventPages, Pages } from './paging.ts'
export type { Answer, Call, ClientOptions, RequestOptions, Retry } from './send.ts'
export { verifyWebhook, WebhookRefusedError, type WebhookRequest } from './verify-webhook.ts'
