// Whether work of a dialer or a webhook has been due for ten minutes and is not done, by what its object said. Pure.
import { type Alert, alertAfterMs } from './alert-kinds.ts'

/** What an object said of its work: due since then; null: nothing is late. */
export type Looked = Omit<Alert, 'sinceMs'> & { readonly dueSinceMs: number | null }

type StalledChange = Alert & { readonly change: 'raised' | 'cleared' }

const isSame = (one: Omit<Alert, 'sinceMs'>, other: Omit<Alert, 'sinceMs'>) =>
  one.kind === other.kind &&
  one.companyId === other.companyId &&
  one.campaignNumber === other.campaignNumber &&
  one.subject === other.subject

export const isStalled = (dueSinceMs: number | null, nowMs: number): dueSinceMs is number =>
  dueSinceMs !== null && dueSinceMs <= nowMs - alertAfterMs

/** An alert about an object that was not asked, or did not answer, stays. */
export function judgeStalled(
  looked: readonly Looked[],
  raised: readonly Alert[],
  nowMs: number,
): readonly StalledChange[] {
  return looked.flatMap(({ dueSinceMs, ...about }): readonly StalledChange[] => {
    const alert = raised.find((one) => isSame(one, about))
    if (!isStalled(dueSinceMs, nowMs)) return alert ? [{ ...alert, change: 'cleared' }] : []
    return alert ? [] : [{ ...about, sinceMs: dueSinceMs, change: 'raised' }]
  })
}
