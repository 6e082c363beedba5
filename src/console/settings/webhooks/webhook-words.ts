// How a webhook is doing, in one line. Pure.
import { countOf } from '../../ui/number-words.ts'

type Doing = {
  readonly disabledAt: string | null
  readonly disabledReason: string | null
  readonly failingSince: string | null
  readonly lag: number
}

/** `show` writes a time for people. */
export function webhookState(
  { disabledAt, disabledReason, failingSince, lag }: Doing,
  show: (time: string) => string,
): string {
  const reason = disabledReason === null ? '' : ` (${disabledReason})`
  const behind = lag > 0 ? `${countOf(lag, 'entry', 'entries')} behind` : null
  if (disabledAt !== null) return `Switched off since ${show(disabledAt)}${reason}`
  if (failingSince !== null)
    return `Failing since ${show(failingSince)}${behind === null ? '' : `, ${behind}`}`
  return behind ?? 'Up to date'
}
