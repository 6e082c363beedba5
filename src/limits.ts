// Every number of the contract's Limits table, and the sizes decided where the contract is open (D30, D10).
// Numbers only: what a limit means is told where it is applied.

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
  externalIdMaxChars: 255,
  metadataMaxBytes: 16_384,
  metadataMaxDepth: 32,

  leadBodyMaxBytes: 64 * 1024,
  bulkBodyMaxBytes: 8 * 1024 * 1024,
  /** Objects and arrays in one body. Four million, which 8 MiB can hold, take three times the memory of a Worker. */
  bodyMaxContainers: 500_000,
} as const
