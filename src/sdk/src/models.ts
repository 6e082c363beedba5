// The types of requests and answers, by name. All come from the API description (api-types.ts), whose texts an editor
// shows for each member.
import type { components, operations } from './api-types.ts'

type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** The `data` of a successful answer. */
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
/** A lead of a list, with its last outcome and due time on request. */
export interface ListedLead extends Schema<'ListedLead'> {}
export type LeadStatus = Lead['status']
export interface LeadList extends Schema<'LeadList'> {}
export type LeadQuery = Readonly<QueryOf<'listLeads'>>
/** A lead that a search found. */
export interface FoundLead extends Schema<'FoundLead'> {}
export type FoundLeadList = DataOf<'searchLeads'>
export type SearchQuery = Readonly<QueryOf<'searchLeads'>>
export type SelectionRequeued = DataOf<'requeueSelection'>
/** The result of one lead of a bulk. */
export type LeadResult = Schema<'LeadResult'>
/** What blocks a lead from being called. */
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
export interface InboundCall extends Schema<'InboundCall'> {}
export interface Caller extends Schema<'Caller'> {}
/** What an agent may report of a call. */
export type Outcome = ReportedCall['outcome']
/** Why a call should end. */
export type StopReason = NonNullable<ExtendedCall['stop']>

export interface SetDialer extends Readonly<Schema<'SetDialer'>> {}
export interface ChangeDialer extends Readonly<Schema<'ChangeDialer'>> {}
export interface PreviewDialer extends Readonly<Schema<'PreviewDialer'>> {}
export interface Dialer extends Schema<'Dialer'> {}
export interface SetGate extends Readonly<Schema<'SetGate'>> {}
export interface ChangeGate extends Readonly<Schema<'ChangeGate'>> {}
export interface Gate extends Schema<'Gate'> {}
export interface TryGate extends Readonly<Schema<'TryGate'>> {}
export interface GateTried extends Schema<'GateTried'> {}
export interface TestDialer extends Readonly<Schema<'TestDialer'>> {}
export interface DialerTest extends Schema<'DialerTest'> {}
export interface DialerExchange extends Schema<'DialerExchange'> {}
export interface DialerPreset extends Schema<'DialerPreset'> {}
export interface DialerProblem extends Schema<'DialerProblem'> {}
export type DialerPreview = DataOf<'previewDialer'>
export type DialerChecked = DataOf<'checkDialer'>

export interface CreateSource extends Readonly<Schema<'CreateSource'>> {}
export interface ChangeSource extends Readonly<Schema<'ChangeSource'>> {}
/** A URL to which a form, ad or CRM posts. */
export interface Source extends Schema<'Source'> {}
/** A post to try. */
export interface TrySource extends Readonly<Schema<'TrySource'>> {}
export type SourceTried = DataOf<'trySource'>

export interface CampaignSettings extends Schema<'CampaignSettings'> {}
export interface Campaign extends Schema<'Campaign'> {}
/** A campaign of a list; with `include: 'overview'` its queue and today's activity too. */
export interface ListedCampaign extends Schema<'ListedCampaign'> {}
export type CampaignList = DataOf<'listCampaigns'>
export type CampaignQuery = Readonly<QueryOf<'listCampaigns'>>
export interface CreateCampaign extends Readonly<Schema<'CreateCampaign'>> {}
export interface Statistics extends Schema<'Statistics'> {}
export type StatisticsQuery = Readonly<Omit<QueryOf<'getStatistics'>, 'by'>>
/** By what leads, calls and costs are counted, and of which time. */
export type GroupedQuery = Readonly<Omit<QueryOf<'getStatistics'>, 'by' | 'bucket'>> & {
  readonly by: GroupedStatistics['by']
}
export interface GroupedStatistics extends Schema<'GroupedStatistics'> {}
/** A call in the table of a campaign's calls. */
export interface CampaignCall extends Schema<'CampaignCall'> {}
export type CampaignCallList = DataOf<'listCallsOfCampaign'>
export type CampaignCallQuery = Readonly<QueryOf<'listCallsOfCampaign'>>
export type OverviewQuery = Readonly<QueryOf<'getOverview'>>
export type PreviewQuery = Readonly<QueryOf<'previewCampaign'>>
/** A campaign at a glance. Parts that the key may not read are null. */
export interface CampaignOverview extends Schema<'CampaignOverview'> {}
export interface LiveCall extends Schema<'LiveCall'> {}
export interface WebhookState extends Schema<'WebhookState'> {}
/** Something that needs attention. */
export interface Alert extends Schema<'Alert'> {}
export interface ChangeCampaign extends Readonly<Schema<'ChangeCampaign'>> {}
export type CampaignPreview = DataOf<'previewCampaign'>
/** Which leads of a campaign to call again. */
export interface RequeueLeads extends Readonly<Schema<'RequeueLeads'>> {}
export type LeadsRequeued = DataOf<'requeueLeads'>

export interface SuppressNumbers extends Readonly<Schema<'SuppressNumbers'>> {}
export type NumbersSuppressed = DataOf<'suppressNumbers'>
export interface LiftSuppressions extends Readonly<Schema<'LiftSuppressions'>> {}
export type SuppressionsLifted = DataOf<'liftSuppressions'>
export interface Suppression extends Schema<'Suppression'> {}
export type SuppressionQuery = Readonly<QueryOf<'listSuppressions'>>

/** A consent to store, of a number. */
export interface NewConsent extends Readonly<Schema<'NewConsent'>> {}
export interface StoreConsents extends Readonly<Schema<'StoreConsents'>> {}
export interface StoredConsent extends Schema<'StoredConsent'> {}
export type ConsentsFound = DataOf<'searchConsents'>
export interface Consent extends Schema<'Consent'> {}
export interface WithdrawConsents extends Readonly<Schema<'WithdrawConsents'>> {}
export type ConsentsWithdrawn = DataOf<'withdrawConsents'>
/** A call that used a consent. */
export interface ConsentUse extends Schema<'ConsentUse'> {}
export type NumberRecord = DataOf<'readRecord'>
/** One thing that is held of a number, by its `type`. */
export type RecordEntry = Schema<'RecordEntry'>

export interface Health extends Schema<'Health'> {}

export type KeyList = DataOf<'listKeys'>
export interface Key extends Schema<'Key'> {}
export interface CreateKey extends Readonly<Schema<'CreateKey'>> {}
export interface RotateKey extends Readonly<Schema<'RotateKey'>> {}
export interface KeyCreated extends Schema<'NewKey'> {}
export interface Member extends Schema<'Member'> {}
export interface CreateMember extends Readonly<Schema<'CreateMember'>> {}
export interface ChangeMember extends Readonly<Schema<'ChangeMember'>> {}
export type MemberChanged = DataOf<'updateMember'>
export type MemberRemoved = DataOf<'removeMember'>
export type Activity = DataOf<'listActivity'>
export type KeyRotated = DataOf<'rotateKey'>
export type KeyRevoked = DataOf<'revokeKey'>
/** The rights of a key, and its company. */
export type KeySelf = DataOf<'getOwnKey'>

export interface LeadChange extends Readonly<Schema<'LeadChange'>> {}
/** The person to erase: by `phoneNumber` or `leadId`. */
export type Erasure = Readonly<Schema<'Erasure'>>
export interface Erased extends Schema<'Erased'> {}

export interface LeadIntakeEvent extends Schema<'Event'> {}
export type EventType = LeadIntakeEvent['type']
export type EventList = DataOf<'listEvents'>
export interface EventQuery extends Readonly<Omit<QueryOf<'listEvents'>, 'types' | 'after'>> {
  /** Where to continue: the `next` of an earlier list, or the `id` of an event. From the oldest event when not set. */
  readonly after?: string | null | undefined
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

/** The body of each operation that is an event. */
type SentEvent<Operation = operations[keyof operations]> = Operation extends {
  requestBody: {
    content: { 'application/json': infer Body extends { type: string; timestamp: string; data: object } }
  }
}
  ? Body
  : never
/** An event that a webhook sends, by its `type`. */
export type WebhookEvent = {
  /** The same in every delivery attempt: use it to recognize duplicates. */
  readonly id: string
} & (SentEvent | { type: 'webhook.test'; timestamp: string; data: { webhookId: string } })
