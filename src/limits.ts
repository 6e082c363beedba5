// Every number of the contract's Limits table, the sizes decided where the contract is open (D30, D10),
// and every time limit. Numbers only: what one means is told where it is applied.

const minuteMs = 60_000
const hourMs = 3_600_000

export const limits = {
  leadsPerBulk: 1000,
  leadsPerPage: 1000,

  requestsPerHourPerKey: 1000,
  bulkRequestsPerMinutePerKey: 10,
  healthRequestsPerMinutePerAddress: 60,
  refusedKeysPerMinutePerAddress: 60,
  minuteMs,
  hourMs,

  priorityMin: 0,
  priorityMax: 100,
  phoneNumberMinDigits: 7,
  phoneNumberMaxDigits: 15,
  campaignIdMaxChars: 128,
  campaignNameMaxChars: 255,
  externalIdMaxChars: 255,
  metadataMaxBytes: 16_384,
  metadataMaxDepth: 32,

  /** In one claim, report, extension or release. */
  callsPerRequest: 100,
  leadsPerRequeue: 1000,
  phoneNumbersPerSuppression: 1000,
  eventsPerPage: 1000,
  eventsKeptDays: 90,
  /** Of one suppression: what it costs grows with both. */
  numbersTimesCampaigns: 100_000,
  agentMaxChars: 64,
  reasonMaxChars: 255,
  detailsMaxBytes: 16_384,
  durationMaxSeconds: 86_400,

  webhooksPerCompany: 100,
  webhookUrlMaxChars: 2048,
  /** Of each webhook. */
  deliveriesKept: 1000,
  secretOverlapMaxDays: 7,
  /** Of one webhook, beside the newest: each signs, and the header of signatures grows with them. */
  endingSecretsMax: 10,

  leadBodyMaxBytes: 64 * 1024,
  bulkBodyMaxBytes: 8 * 1024 * 1024,
  reportBodyMaxBytes: 2 * 1024 * 1024,
  /** Objects and arrays in one body. Four million, which 8 MiB can hold, take three times the memory of a Worker. */
  bodyMaxContainers: 500_000,
} as const

/**
 * How long a request waits for each part. An answer begins within 6 s: the worst request looks its key up, is counted,
 * is told by the store that the key has ended meanwhile, and counts against its address.
 */
export const waits = {
  /** Each, of all tries together, but for the limiter: it is asked again at once, and that only once. */
  keyLookUpMs: 1_400,
  limiterMs: 1_000,
  storeMs: 2_500,
  /** A monitor wants an answer, not patience. */
  healthCheckMs: 2_000,
  answerMs: 6_000,
  /** A Durable Object that is asked for something else than a limit. */
  senderMs: 2_500,
  /** A try of a webhook that somebody waits for; less where the request has waited before. */
  webhookTestMs: 4_000,
  /** Any other. Nobody waits for it. */
  deliveryMs: 10_000,
  /** How long an isolate gathers how keys are used before it writes that. A Worker may work on for 30 s after its answer. */
  keyUseMs: 10_000,

  /** The command line's: no client waits, and the deployed database is reached from outside. */
  administrationMs: 20_000,
  /** A count reads every lead. D1 itself gives up on a query after 30 s. */
  overviewMs: 30_000,
} as const
