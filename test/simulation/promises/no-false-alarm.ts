// 7b. Each alert that is left in the end has its cause.
import { type Alert, hasCause } from '../model/alert-causes.ts'
import type { Known } from '../model/known.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const noFalseAlarm: Promised = {
  name: 'no false alarm',

  onAnswer: (exchange, known) =>
    exchange.who === 'inspector' && exchange.operation === 'getOverview' && exchange.answer?.status === 200
      ? judgeAlerts(exchange, known)
      : null,
}

function judgeAlerts({ company, answer, sentMs }: Exchange, known: Known): string | null {
  const alerts: readonly Alert[] = answer?.body.data.alerts ?? []
  const empty = alerts.find((alert) => !hasCause(alert, known, company, sentMs))
  return empty === undefined ? null : `there is an alert ${empty.kind} of ${empty.subject}, without its cause`
}
