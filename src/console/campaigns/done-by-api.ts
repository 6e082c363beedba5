// Which of the first steps are done, by what the API says. Pure.
import type { CampaignOverview, DialerExchange, Statistics } from '../../sdk/src/models.ts'

type Counted = Pick<Statistics, 'status'> & {
  readonly series: readonly Pick<Statistics['series'][number], 'created' | 'claimed'>[]
  readonly queue: Pick<Statistics['queue'], 'leased' | 'agentsWaiting'>
}

export const hasLead = ({ status, series }: Omit<Counted, 'queue'>) =>
  Object.values(status).some((count) => count > 0) || series.some(({ created }) => created > 0)

/** One has claimed, or waits for leads now. */
export const hasAgent = ({ status, series, queue }: Counted) =>
  queue.leased > 0 ||
  (queue.agentsWaiting ?? 0) > 0 ||
  status.attempting + status.concluded > 0 ||
  series.some(({ claimed }) => claimed > 0)

/** One calls as soon as there is a lead. */
export const hasDialer = (dialer: CampaignOverview['dialer']) =>
  dialer !== null && dialer.status !== 'off' && dialer.status !== 'stopped'

/** Somebody has let it call a phone of his own. */
export const hasTest = (exchanges: readonly Pick<DialerExchange, 'step' | 'verdict'>[]) =>
  exchanges.some(({ step, verdict }) => step === 'test' && verdict === 'started')
