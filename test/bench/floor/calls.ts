// The floor of claims and reports: the same rows written to the same tables in one batch, the hour's activity among
// them, with the access check and nothing else. No opening hours, no suppression, no limits of a number, no lease
// that ran out is settled, nothing is repeatable, and a report finds its call as the happy path left it.

const key = `api_keys k where k.hash = ?1 and k.revoked_at_ms is null
  and (k.expires_at_ms is null or k.expires_at_ms > ?2) and k.scope in ('agent', 'manage')`
const granted = `(select c.number, c.company_id from campaigns c, ${key} and c.id = ?3 and c.company_id = k.company_id
  and (k.campaign_number is null or k.campaign_number = c.number)) as granted`

// The limits of -1 keep SQLite from reading all leads for each that is moved. The pick is kept in `claims`, as
// everything after it must act on the same leads.
const pick = `insert into claims (claimed_at_ms, token, campaign_number, request_token, picks)
  select ?2, ?4, granted.number, ?4, (select json_group_array(seq) from (select l.seq from leads l
    where l.campaign_number = granted.number and l.lane = '' and l.due_at_ms <= ?2
    order by l.queue_rank desc, l.due_at_ms limit ?5)) from ${granted}`
const picked = `claims c cross join json_each(c.picks) as pick on c.claimed_at_ms = ?1 and c.token = ?2`
const lease = `update leads set status = 'attempting', attempts = attempts + 1, due_at_ms = null,
    lease_expires_at_ms = ?1 + ?3 * 1000, claim_token = ?2
  from (select pick.value as seq from ${picked} limit -1) as next where leads.seq = next.seq`
// Runs behind the lease: what that has changed is what is leased. All have waited for long, and are claimed for the
// first time.
const countClaim = `insert into campaign_hours
    (campaign_number, hour, claimed, pick_up_later, d_raw, d_attempting, writes)
  select c.campaign_number, cast(?1 as integer) / 3600000, changes(), changes(), -changes(), changes(), 1
  from claims c where c.claimed_at_ms = ?1 and c.token = ?2
  on conflict do update set claimed = claimed + excluded.claimed, pick_up_later = pick_up_later +
    excluded.pick_up_later,
    d_raw = d_raw + excluded.d_raw, d_attempting = d_attempting + excluded.d_attempting, writes = writes + 1`
const call = `insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt)
  select owner.company_id, l.phone_number, ?1, l.seq, ?2, l.attempts
  from ${picked} cross join campaigns owner on owner.number = c.campaign_number cross join leads l
    on l.seq = pick.value`
const endClaim = `update claims set is_done = 1 where claimed_at_ms = ?1 and token = ?2`
const claimed = `select l.* from ${picked} cross join leads l on l.seq = pick.value order by pick.key`

const item = `json_each(?3) as item cross join leads l on l.seq = item.value ->> 0`
// A lead's place begins with its campaign's number.
const countReport = `insert into campaign_hours
    (campaign_number, hour, answered, no_answer, d_attempting, d_concluded, writes)
  select counted.number, cast(?2 as integer) / 3600000, counted.answered, counted.calls - counted.answered,
    -counted.answered, counted.answered, 1
  from (select (item.value ->> 0) >> 32 as number, count(*) as calls, sum(item.value ->> 3 = 'answered') as answered
    from (select company_id from ${key}) as k cross join json_each(?3) as item group by 1) as counted
  where true on conflict do update set answered = answered + excluded.answered,
    no_answer = no_answer + excluded.no_answer, d_attempting = d_attempting + excluded.d_attempting,
    d_concluded = d_concluded + excluded.d_concluded, writes = writes + 1`
const record = `update calls set outcome = report.outcome, is_done = report.outcome = 'answered', ended_at_ms = ?2,
    duration_seconds = report.seconds, report_token = ?4
  from (select k.company_id, l.phone_number, item.value ->> 1 as at, l.seq, item.value ->> 3 as outcome,
      item.value ->> 4 as seconds from (select company_id from ${key}) as k cross join ${item} limit -1) as report
  where calls.company_id = report.company_id and calls.phone_number = report.phone_number
    and calls.claimed_at_ms = report.at and calls.seq = report.seq`
const next = `from (select l.seq, item.value ->> 3 as outcome, item.value ->> 2 as token
  from (select company_id from ${key}) as k cross join ${item} limit -1) as report
  where leads.seq = report.seq and leads.claim_token = report.token`
const retry = `update leads set queue_rank = priority, due_at_ms = ?2 + 3600000, lease_expires_at_ms = null
  ${next} and report.outcome <> 'answered'`
const conclude = `update leads set status = 'concluded', lease_expires_at_ms = null ${next}
  and report.outcome = 'answered'`
const results = `select l.seq, l.token, l.status, l.attempts, l.due_at_ms as dueAtMs
  from (select company_id from ${key}) as k cross join ${item} order by item.key`

type Access = readonly [hash: string, nowMs: number]
type Claim = { campaignId: string; limit: number; leaseSeconds: number }
type Report = { callId: string; outcome: string; durationSeconds: number }
type LeadRow = Record<
  'seq' | 'phone_number' | 'priority' | 'attempts' | 'created_at_ms' | 'token' | 'status',
  string
> & { lease_expires_at_ms: number; external_id: string | null; metadata: string | null }
type ResultRow = { seq: number; token: string; status: string; attempts: number; dueAtMs: number | null }

/** The data of an answer, as JSON. */
export async function claimCalls(db: D1Database, [hash, nowMs]: Access, claim: Claim): Promise<string> {
  const { statements, read } = claimSteps(db, [hash, nowMs], claim)
  return read((await db.batch<never>(statements)).at(-1)?.results ?? [])
}

export async function reportCalls(
  db: D1Database,
  [hash, nowMs]: Access,
  { calls, claim }: { calls: Report[]; claim?: Claim },
): Promise<string> {
  const items = JSON.stringify(
    calls.map(({ callId, outcome, durationSeconds }) => {
      const [seq, atMs, token] = callId.split('-')
      return [Number(seq), Number(atMs), token, outcome, durationSeconds]
    }),
  )
  const access = [hash, nowMs, items]
  const claiming = claim && claimSteps(db, [hash, nowMs], claim)
  const answers = await db.batch<never>([
    db.prepare(countReport).bind(...access),
    db.prepare(record).bind(...access, crypto.randomUUID()),
    db.prepare(retry).bind(...access),
    db.prepare(conclude).bind(...access),
    db.prepare(results).bind(...access),
    ...(claiming?.statements ?? []),
  ])
  const outcomes = ((answers[4]?.results ?? []) as ResultRow[]).map((row, index) => ({
    callId: calls[index]?.callId,
    result: 'recorded',
    leadId: `${row.seq}-${row.token}`,
    status: row.status,
    attempts: row.attempts,
    nextCallAt: row.dueAtMs === null ? null : new Date(row.dueAtMs).toISOString(),
  }))
  const more = claiming ? `,"claim":${claiming.read(answers.at(-1)?.results ?? [])}` : ''
  return `{"results":${JSON.stringify(outcomes)}${more}}`
}

function claimSteps(db: D1Database, [hash, nowMs]: Access, { campaignId, limit, leaseSeconds }: Claim) {
  const token = crypto.randomUUID().slice(-12)
  return {
    statements: [
      db.prepare(pick).bind(hash, nowMs, campaignId, token, limit),
      db.prepare(lease).bind(nowMs, token, leaseSeconds),
      db.prepare(countClaim).bind(nowMs, token),
      db.prepare(call).bind(nowMs, token),
      db.prepare(endClaim).bind(nowMs, token),
      db.prepare(claimed).bind(nowMs, token),
    ],
    read(rows: LeadRow[]): string {
      const calls = rows.map((row) => {
        const until = new Date(row.lease_expires_at_ms).toISOString()
        return (
          `{"callId":"${row.seq}-${nowMs}-${token}","attempt":${row.attempts},"isLastAttempt":false,` +
          `"leaseExpiresAt":"${until}","dialBefore":"${until}","timeZone":"UTC",` +
          `"lead":{"_id":"${row.seq}-${row.token}",` +
          `"campaignId":"${campaignId}","phoneNumber":"${row.phone_number}","externalId":"${row.external_id}",` +
          `"metadata":${row.metadata},"status":"${row.status}","priority":${row.priority},` +
          `"attempts":${row.attempts},"_creationTime":${row.created_at_ms}}}`
        )
      })
      return `{"calls":[${calls.join()}],"reason":null,"retryAfterSeconds":null}`
    },
  }
}
