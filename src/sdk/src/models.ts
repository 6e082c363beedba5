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
export type PastCallList = DataOf<'listCallsOfLead'>
export type PastCallQuery = Readonly<QueryOf<'listCallsOfLead'>>

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
export interface Statistics extends Schema<'Statistics'> {}
export type StatisticsQuery = Readonly<QueryOf<'getStatistics'>>
export interface ChangeCampaign extends Readonly<Schema<'ChangeCampaign'>> {}
/** Which leads of a campaign to call again. */
export interface RequeueLeads extends Readonly<Schema<'RequeueLeads'>> {}
export type LeadsRequeued = DataOf<'requeueLeads'>

export interface SuppressNumbers extends Readonly<Schema<'SuppressNumbers'>> {}
export type NumbersSuppressed = DataOf<'suppressNumbers'>
export interface LiftSuppressions extends Readonly<Schema<'LiftSuppressions'>> {}
export type SuppressionsLifted = DataOf<'liftSuppressions'>
export interface Suppression extends Schema<'Suppression'> {}
export type SuppressionQuery = Readonly<QueryOf<'listSuppressions'>>

export interface Health extends Schema<'Health'> {}

export type KeyList = DataOf<'listKeys'>
export interface Key extends Schema<'Key'> {}
/** What a key may do, and of which company. */
export type KeySelf = DataOf<'getOwnKey'>

/** What is to be different. */
export interface LeadChange extends Readonly<Schema<'LeadChange'>> {}
/** Who is erased: by `phoneNumber` or `leadId`. */
export type Erasure = Readonly<Schema<'Erasure'>>
export interface Erased extends Schema<'Erased'> {}

export interface LeadIntakeEvent extends Schema<'Event'> {}
export type EventType = LeadIntakeEvent['type']
export type EventList = DataOf<'listEvents'>
export interface EventQuery extends Readonly<Omit<QueryOf<'listEvents'>, 'types' | 'after'>> {
  /** Go on after this place: the `next` of an earlier list, or the `id` of an event. From the oldest one when not set. */
  readonly after?: string | null | undefined
  /** Only these. */
  readonly types?: string | readonly EventType[]
}

export interface CreateWebhook extends Readonly<Schema<'CreateWebhook'>> {}
export interface ChangeWebhook extends Readonly<Schema<'ChangeWebhook'>> {}
export interface Webhook extends Schema<'Webhook'> {}
export interface RotateWebhook extends Readonly<Schema<'RotateWebhook'>> {}
export interface ReplayWebhook extends Readonly<Schema<'ReplayWebhook'>> {}
export type WebhookCreated = DataOf<'createWebhook'>
export type WebhookRotated = DataOf<'rotateWebhook'>
export type WebhookReplayed = DataOf<'replayWebhook'>
export type WebhookTested = DataOf<'testWebhook'>
export interface Delivery extends Schema<'Delivery'> {}

type Told = { [Name in keyof operations & `told${string}`]: BodyOf<Name> }[keyof operations & `told${string}`]
type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
/** What a webhook tells, by its `type`. */
export type WebhookEvent = {
  /** The same in every try: what came twice is told by it. */
  readonly id: string
} & (Told | { type: 'webhook.test'; timestamp: string; data: { webhookId: string } })
