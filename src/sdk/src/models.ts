// What is sent and answered, by name. All of it is read from the API description (api-types.ts); the words of each
// member show in an editor.
import type { components, operations } from './api-types.ts'

type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** What success of an operation tells. */
export type DataOf<Name extends keyof operations> = operations[Name]['responses'] extends infer Answers
  ? Answers[keyof Answers] extends { content: { 'application/json': { data: infer Data } } }
    ? Data
    : never
  : never

export type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>

/** A lead to create, within a campaign. */
export interface NewLead extends Readonly<Schema<'NewLead'>> {}
/** A lead to create, and its campaign. */
export interface CreateLead extends Readonly<Schema<'CreateLead'>> {}
export interface Lead extends Schema<'Lead'> {}
export type LeadStatus = Lead['status']
export interface LeadList extends Schema<'LeadList'> {}
export type LeadQuery = Readonly<QueryOf<'listLeads'>>
/** What became of one lead of many. */
export type LeadResult = Schema<'LeadResult'>
/** Why a lead is not called now. */
export type Explanation = DataOf<'explainLead'>
export interface PastCall extends Schema<'PastCall'> {}

export interface ClaimCalls extends Readonly<Schema<'ClaimCalls'>> {}
export interface ClaimedCall extends Schema<'ClaimedCall'> {}
export interface ClaimedCalls extends Schema<'ClaimedCalls'> {}
export interface ReportCalls extends Readonly<Schema<'ReportCalls'>> {}
export interface ReportedCall extends Readonly<Schema<'ReportedCall'>> {}
export interface CallsReported extends Schema<'CallsReported'> {}
export interface CallResult extends Schema<'CallResult'> {}
export interface ExtendCalls extends Readonly<Schema<'ExtendCalls'>> {}
export interface ExtendedCall extends Schema<'ExtendedCall'> {}
export interface ReleaseCalls extends Readonly<Schema<'ReleaseCalls'>> {}
export type CallsReleased = DataOf<'releaseCalls'>
export interface OpenCall extends Schema<'OpenCall'> {}
/** What an agent may report of a call. */
export type Outcome = ReportedCall['outcome']
/** Why a call should end. */
export type StopReason = NonNullable<ExtendedCall['stop']>

export interface CampaignSettings extends Schema<'CampaignSettings'> {}
export interface Campaign extends Schema<'Campaign'> {}
export interface ChangeCampaign extends Readonly<Schema<'ChangeCampaign'>> {}

export interface SuppressNumbers extends Readonly<Schema<'SuppressNumbers'>> {}
export type NumbersSuppressed = DataOf<'suppressNumbers'>
export interface LiftSuppressions extends Readonly<Schema<'LiftSuppressions'>> {}
export type SuppressionsLifted = DataOf<'liftSuppressions'>
export interface Suppression extends Schema<'Suppression'> {}
export type SuppressionQuery = Readonly<QueryOf<'listSuppressions'>>

export interface Health extends Schema<'Health'> {}

/** What is to be different. */
export interface ChangeLead {
  readonly externalId?: string | null
  readonly metadata?: Readonly<Record<string, unknown>> | null
  readonly scheduledFor?: string | null
  readonly priority?: number | null
  readonly timeZone?: string | null
}
export type ErasePerson = ({ readonly phoneNumber: string } | { readonly leadId: string }) & {
  readonly suppress?: boolean
}
export interface Erased {
  readonly leadsErased: number
  readonly suppressed: boolean
}
export interface LeadIntakeEvent {
  id: string
  type: string
  timestamp: string
  actor: string
  data: Record<string, unknown>
}
export interface EventList {
  events: LeadIntakeEvent[]
  next: string
}
export interface EventQuery {
  /** The `id` of an event. Without it: from the oldest that is kept. */
  readonly after?: string
  /** Only these. */
  readonly types?: string | readonly string[]
  readonly limit?: number
}

export interface CreateWebhook {
  readonly url: string
  readonly types: readonly string[]
  readonly campaignId?: string | null
  readonly include?: readonly ('phoneNumber' | 'metadata' | 'details')[] | null
}
export interface ChangeWebhook extends Partial<CreateWebhook> {
  readonly disabled?: boolean
}
export interface Webhook {
  webhookId: string
  url: string
  types: string[]
  campaignId: string | null
  include: string[]
  createdAt: string
  disabledAt: string | null
  disabledReason: 'gone' | 'dead' | 'operator' | null
  previousExpiresAt: string | null
  lag: number
}
export interface RotateWebhook {
  readonly previousExpiresAt?: string
}
export interface ReplayWebhook {
  readonly since: string
}
export interface WebhookCreated {
  webhookId: string
  secret: string
}
export interface WebhookRotated extends WebhookCreated {
  previousExpiresAt: string
}
export interface WebhookReplayed {
  webhookId: string
  since: string
}
export interface WebhookTested {
  eventId: string
  status: number | null
  milliseconds: number
  error: string | null
}
export interface Delivery {
  eventId: string
  type: string
  attempt: number
  status: number | null
  time: string
  milliseconds: number
  error: string | null
}
