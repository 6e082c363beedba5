// Each number of the contract's limits, the sizes decided where the contract is open (D30, D10), and each time limit.
// Numbers only: the code that applies one says what it means.

const minuteMs = 60_000
const hourMs = 3_600_000

export const limits = {
  leadsPerBulk: 1000,
  leadsPerPage: 1000,

  requestsPerHourPerKey: 1000,
  /** So many in one clock hour are an alert. */
  requestsPerHourAlerted: 900,
  bulkRequestsPerMinutePerKey: 10,
  healthRequestsPerMinutePerAddress: 60,
  refusedKeysPerMinutePerAddress: 60,
  minuteMs,
  hourMs,
  dayMs: 24 * hourMs,

  priorityMax: 100,
  phoneNumberMinDigits: 7,
  phoneNumberMaxDigits: 15,
  campaignIdMaxChars: 128,
  campaignNameMaxChars: 255,
  campaignsPerPage: 1000,
  /** Archived ones too, unless the operator has set another number. */
  campaignsPerCompany: 10_000,
  /** All that there are numbers for. */
  campaignsPerCompanyMax: 2 ** 21 - 1,
  companiesPerPage: 1000,
  /** With the queue and the activity of each. */
  overviewsPerPage: 25,
  /** How many queued and leased leads such a page counts in each campaign. */
  leadsCountedPerOverview: 1000,
  externalIdMaxChars: 255,
  importNameMaxChars: 100,
  metadataMaxBytes: 16_384,
  metadataMaxDepth: 32,
  /** Leads whose metadata one request clears of a number, or names. */
  mentionsMax: 1_000,

  /** In one claim, report, extension or release. */
  callsPerRequest: 100,
  /** Of the numbers of a call that comes in, which may be addresses. */
  callerIdMaxChars: 256,
  /** Leads of one phone that an answer to who rings names. */
  callersPerPhone: 10,
  /** From the arrival of a claim. Proxies and clients give up at 30 s or later. */
  waitMaxSeconds: 25,
  /** For all companies together. Each takes some 160 KiB of an isolate's 128 MB, of which a bulk may need 96. */
  waitsPerIsolate: 200,
  /** At once, of all companies; the others wait for their turn. */
  bulksPerIsolate: 2,
  /** In a page of a campaign's calls, and in one without `limit`. */
  callsPerPage: 1000,
  callsShown: 100,
  /** Leads or calls that one request counts. */
  countedOnRequest: 100_000,
  leadsPerRequeue: 1000,
  leadsPerSearch: 100,
  searchMaxChars: 100,
  /** In one request that requeues leads by their ids. */
  leadsPerSelection: 100,
  phoneNumbersPerSuppression: 1000,
  /** Campaigns that the cron looks at in one minute. */
  campaignsPerLook: 500,
  liveCallsPerOverview: 50,
  eventsPerPage: 1000,
  eventsKeptDays: 90,
  /** What one suppression may come to: its cost grows with both. */
  numbersTimesCampaigns: 100_000,
  agentMaxChars: 64,
  reasonMaxChars: 255,
  detailsMaxBytes: 16_384,
  /** How deep a member that a dialer reads may be. */
  detailsMaxDepth: 32,
  durationMaxSeconds: 86_400,
  /** Before the arrival of its report. */
  callbackMaxAgeMs: hourMs,

  /** Active ones. */
  keysPerCompany: 1000,
  /** Created or rotated on behalf of another key. */
  newKeysPerHourPerCompany: 60,
  keyGraceMaxSeconds: 604_800,
  /** For a key that rotates itself. */
  ownKeyGraceMinSeconds: 60,

  consentsPerRequest: 1000,
  /** What an answer shows for one number. */
  consentsShown: 1000,
  consentTextMaxChars: 4000,
  consentUrlMaxChars: 2048,
  consentReferenceMaxChars: 255,
  userAgentMaxChars: 1024,
  /** A time that has passed may be so far ahead: clocks differ. */
  clockAheadMs: 5 * minuteMs,
  /** A consent is kept so long after its giving and its last use, unless the operator has set another number. */
  consentYears: 5,
  consentYearsMax: 10,
  recordEntriesPerPage: 100,

  /** Without those that were removed. */
  membersPerCompany: 500,
  emailMaxChars: 254,
  /** Live ones of one member. */
  sessionsPerMember: 10,
  sessionMs: 8 * hourMs,
  /** How far a token may be past its end, or before its beginning: clocks differ. */
  signInGraceMs: minuteMs,
  activityPerPage: 100,

  webhooksPerCompany: 100,
  webhookUrlMaxChars: 2048,
  /** For each webhook. */
  deliveriesKept: 1000,
  /** While so many wait for an attempt or behind another, a webhook takes no new ones. A page more may wait. */
  waitingEventsMax: 10_000,
  secretOverlapMaxDays: 7,
  /** For one webhook, besides the newest: each signs, so the signature header grows with them. */
  endingSecretsMax: 10,

  dialerTemplateMaxBytes: 16_384,
  /** The longest text in a template. */
  dialerTextMaxChars: 1024,
  dialerVariablesMax: 20,
  dialerSecretMaxBytes: 4096,
  dialerHeadersMax: 30,
  /** Calls at once. */
  dialerLiveMax: 100,
  /** A voice provider's answer. A transcript of an hour with a time for each word has half of this. */
  dialerAnswerMaxBytes: 1024 * 1024,
  /** Six answers are read at once, and must not fill the memory of their object. */
  dialerAnswerMaxContainers: 62_500,
  /** For a campaign without a pace of its own. */
  dialerStartsPerMinute: 60,
  /** For one URL. */
  dialerNudgesPerMinute: 60,
  /** How long an answer of a gate may hold, and how much later it may be asked again. */
  gateKeepHoursMax: 8_760,
  gateLaterMinutesMax: 10_080,
  testCallsPerHourPerCampaign: 5,
  testCallsPerHourPerCompany: 20,

  sourcesPerCampaign: 20,
  sourceNameMaxChars: 100,
  sourceCountriesMax: 250,
  /** The longest name in a post. */
  sourceFieldMaxChars: 255,
  sourcePostsPerMinute: 60,
  sourcePostsPerHour: 1000,
  /** From one address to one source. */
  refusedPostsPerMinute: 20,
  refusedPostsPerHour: 200,
  /** How deep a post may be. */
  postDepthMax: 8,
  postNamesMax: 300,
  postMetadataNamesMax: 100,
  postValueMaxChars: 1000,
  /** That a no suppresses, and of all values that are searched for them: reading takes time. */
  postNumbersMax: 50,
  postNumberCharsMax: 2000,
  /** How many names of the last post a source shows. */
  postNamesShown: 50,
  postNameShownMaxChars: 100,
  /** In one sentence. */
  postNamesListed: 5,

  leadBodyMaxBytes: 64 * 1024,
  bulkBodyMaxBytes: 8 * 1024 * 1024,
  reportBodyMaxBytes: 2 * 1024 * 1024,
  /** Objects and arrays in one body. 8 MiB could hold four million, which take three times a Worker's memory. */
  bodyMaxContainers: 500_000,
} as const

/**
 * How long a request waits for each part. An answer starts within 6 s: the slowest request looks up its key, calls the
 * limiter, learns from the store that the key has expired meanwhile, and calls the limiter for its address. A bulk may
 * wait for its turn before it goes to the store.
 */
export const waits = {
  /** Each for all tries together. */
  keyLookUpMs: 1_400,
  limiterMs: 1_000,
  storeMs: 2_500,
  /** How long a bulk waits for its turn. */
  bulkTurnMs: 10_000,
  /** How long a bulk keeps others from theirs, whatever has become of its request. */
  bulkSlotMs: 30_000,
  /** A bulk that takes longer does not keep the next one in line from beginning beside it. */
  bulkAloneMs: 250,
  /** A monitor needs a quick answer. */
  healthCheckMs: 2_000,
  answerMs: 6_000,
  /** The certificates of the provider that signs people in. */
  certificatesMs: 3_000,
  /** A webhook's Durable Object. */
  senderMs: 2_500,
  /** The bell of a campaign. A claim without it is answered at once. */
  bellMs: 500,
  /** A test delivery, for which a request waits; less when the request has waited before. */
  webhookTestMs: 4_000,
  /** Turnstile's answer, for which a post waits. */
  turnstileMs: 5_000,
  /** Any other delivery attempt. No request waits for it. */
  deliveryMs: 10_000,
  /** How long an isolate gathers uses of keys before it writes them. A Worker may run for 30 s after its answer. */
  keyUseMs: 10_000,

  /** The command line: no client waits, and the deployed database is reached from outside. */
  administrationMs: 20_000,
} as const
