// The alarm of a Durable Object, and since when its work is due. The platform may drop an alarm without running it: its
// time then passes, and `getAlarm` shows it for ever. So an alarm that is late is set again, by whatever reaches the
// object next.

/** An alarm that is on its way is not so late. */
const lateMs = 5_000
const dueSinceKey = 'dueSince'

type ObjectStorage = Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'kv'>

/** Runs the alarm at this time, or earlier where it is set so. Within `alarm()`, one of the past might be dropped. */
export async function armAlarm(storage: ObjectStorage, atMs: number): Promise<void> {
  const nowMs = Date.now()
  const currentMs = await storage.getAlarm()
  const isLate = currentMs !== null && currentMs < nowMs - lateMs
  const wantedMs = isLate ? nowMs + 1 : Math.max(atMs, nowMs + 1)
  if (isLate) noteDue(storage, currentMs)
  else if (currentMs !== null && currentMs <= wantedMs) return
  await storage.setAlarm(wantedMs)
}

/** In place of the one that is set. */
export function replaceAlarm(storage: ObjectStorage, atMs: number): Promise<void> {
  return storage.setAlarm(Math.max(atMs, Date.now() + 1))
}

/** Work that was due then is not done yet. */
export function noteDue({ kv }: ObjectStorage, atMs: number): void {
  if (kv.get(dueSinceKey) === undefined) kv.put(dueSinceKey, atMs)
}

export function noteDone({ kv }: ObjectStorage): void {
  if (kv.get(dueSinceKey) !== undefined) kv.delete(dueSinceKey)
}

/** Null: nothing is late, as far as the object knows. */
export const dueSince = ({ kv }: ObjectStorage): number | null => kv.get<number>(dueSinceKey) ?? null
