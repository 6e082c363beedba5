// The certificates of whoever signs people in, in this isolate's memory: for an hour, and fetched before that for a key that
// is not among them, at most once a minute.
import { limits, waits } from '../limits.ts'

/** What `verifyWithJwks` takes. */
type Certificate = JsonWebKey & { readonly kid?: string }

type Kept = { readonly keys: readonly Certificate[]; readonly atMs: number; triedAtMs: number }

/** By URL. */
const kept = new Map<string, Kept>()

const isWithin = (sinceMs: number, nowMs: number, ms: number) => nowMs >= sinceMs && nowMs < sinceMs + ms

/** Null: none was fetched within the hour, and the issuer cannot be reached. */
export async function certificatesFor(
  url: string,
  kid: string,
  nowMs: number,
): Promise<readonly Certificate[] | null> {
  const known = kept.get(url)
  const isFresh = known !== undefined && isWithin(known.atMs, nowMs, limits.hourMs)
  if (
    isFresh &&
    (known.keys.some((key) => key.kid === kid) || isWithin(known.triedAtMs, nowMs, limits.minuteMs))
  )
    return known.keys
  // Before it is sent: requests that arrive meanwhile send none.
  if (isFresh) known.triedAtMs = nowMs
  const keys = await fetchCertificates(url)
  if (keys !== null) kept.set(url, { keys, atMs: nowMs, triedAtMs: nowMs })
  return keys ?? (isFresh ? known.keys : null)
}

async function fetchCertificates(url: string): Promise<readonly Certificate[] | null> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(waits.certificatesMs) })
    const body = answer.ok ? ((await answer.json()) as { readonly keys?: unknown }) : null
    if (!Array.isArray(body?.keys)) return null
    return body.keys.filter((key) => typeof key === 'object' && key !== null)
  } catch {
    return null
  }
}
