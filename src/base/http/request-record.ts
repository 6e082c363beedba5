// The record of a request, to which its handlers add, and the log entry made of it. No field may hold a key, a phone
// number or metadata.

export type RequestRecord = {
  limiterMs: number
  databaseMs: number
  /** How long a claim was held for a lead, or a bulk for its turn: it is no part of durationMs. */
  waitedMs?: number
  keyId?: string | undefined
  /** The company that an operator's request is about. */
  companyId?: string
  campaignId?: string
  leadsCreated?: number
  /** What became of a post that is answered as one that was stored. As a code of the use of its source's key. */
  postResult?: string
  leadsSkipped?: number
  callsClaimed?: number
  callsReported?: number
  /** What failed: a limiter that did not answer, a database's reason, an error's name. The name of a log field. */
  problems: string[]
}

export type Entry = Omit<RequestRecord, 'problems'> & {
  event: 'request'
  requestId: string
  problems: string[] | undefined
  method: string
  route: string
  status: number
  errorCode: string | undefined
  durationMs: number
  colo: unknown
  country: unknown
}

/** Awaits the work and adds its time to the record. A wait is no slow request, so its time counts apart. */
export async function timed<T>(
  record: RequestRecord,
  part: 'limiterMs' | 'databaseMs' | 'waitedMs',
  work: Promise<T>,
): Promise<T> {
  const startedAtMs = Date.now()
  try {
    return await work
  } finally {
    record[part] = (record[part] ?? 0) + Date.now() - startedAtMs
  }
}
