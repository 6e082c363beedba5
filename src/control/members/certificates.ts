// The certificates of the provider that signs people in, in this isolate's memory: for an hour, and fetched before that
// for a key that is not among them, at most once a minute.
import { scheduler } from 'node:timers/promises'
import { limits, waits } from '../../base/limits.ts'

/** What `verifyWithJwks` takes. */
type Certificate = JsonWebKey & { readonly kid?: string }

type Kept = { readonly keys: readonly Certificate[]; readonly atMs: number; triedAtMs: number }

/** By URL. */
const kept = new Map<string, Kept>()

/** URLs that a request fetches. */
const fetching = new Set<string>()
const lookMs = 50

const isWithin = (sinceMs: number, nowMs: number, ms: number) => nowMs >= sinceMs && nowMs < sinceMs + ms

/** Null: none was fetched within the hour, and the issuer cannot be reached. */
export async function certificatesFor(
  url: string,
  kid: string,
  nowMs: number,
): Promise<readonly Certificate[] | null> {
  const known = freshOf(url, nowMs)
  if (
    known?.keys.some((key) => key.kid === kid) ||
    (known && isWithin(known.triedAtMs, nowMs, limits.minuteMs))
  )
    return known.keys
  // Before it is sent: requests that arrive meanwhile send none.
  if (known) known.triedAtMs = nowMs
  else if (fetching.has(url) && (await hasOtherFetched(url))) return freshOf(url, nowMs)?.keys ?? null
  fetching.add(url)
  const keys = await fetchCertificates(url)
  fetching.delete(url)
  if (keys !== null) kept.set(url, { keys, atMs: nowMs, triedAtMs: nowMs })
  return keys ?? known?.keys ?? null
}

function freshOf(url: string, nowMs: number): Kept | null {
  const known = kept.get(url)
  return known !== undefined && isWithin(known.atMs, nowMs, limits.hourMs) ? known : null
}

/** Whether the other request is done. Its promise is not awaited: it never settles where that request is cut off. */
async function hasOtherFetched(url: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < waits.certificatesMs; waitedMs += lookMs) {
    await scheduler.wait(lookMs)
    if (!fetching.has(url)) return true
  }
  return false
}

export async function fetchCertificates(url: string): Promise<readonly Certificate[] | null> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(waits.certificatesMs) })
    const body = answer.ok ? ((await answer.json()) as { readonly keys?: unknown }) : null
    if (!Array.isArray(body?.keys)) return null
    return body.keys.filter((key) => typeof key === 'object' && key !== null)
  } catch {
    return null
  }
}
