// One webhook: its state, last deliveries and actions.

import { useState } from 'preact/hooks'
import type { Campaign, Delivery, Webhook, WebhookRotated, WebhookTested } from '../../../sdk/src/models.ts'
import { query } from '../../service/api.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { type Feedback, FeedbackLine } from '../../ui/feedback.tsx'
import { countOf } from '../../ui/number-words.ts'
import { Question } from '../../ui/question.tsx'
import { fullTime, shortTime } from '../../ui/zone-time.ts'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { describeWebhook } from './webhook-state.ts'

type Props = {
  readonly webhook: Webhook
  readonly campaign: Campaign
  readonly onChanged: () => Promise<unknown>
  readonly onSecret: (secret: string) => void
  readonly onRemoved: () => void
}

const deliveriesShown = 20
const hourMs = 3_600_000

export function WebhookCard({ webhook, campaign, onChanged, onSecret, onRemoved }: Props) {
  const { ask } = useSession()
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const [deliveries, setDeliveries] = useState<readonly Delivery[] | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  /** When the current secret would expire; null: no rotation is asked about. */
  const [endsAtMs, setEndsAtMs] = useState<number | null>(null)
  const { url, types, disabledAt } = webhook
  const path = `/webhooks/${encodeURIComponent(webhook.webhookId)}`
  const zone = campaign.timeZone ?? 'UTC'
  const showResult = (error: string | null, done: string) =>
    setFeedback({ text: error ?? done, isFailure: error !== null })

  const test = async () => {
    const { data, error } = await ask<WebhookTested>('POST', `${path}/test`)
    if (data === null) return showResult(error, '')
    const isFailure = data.status === null || data.status >= 300
    const result = `${data.status ?? data.error} (${data.milliseconds} ms)`
    setFeedback({ text: `Test ${isFailure ? 'failed' : 'succeeded'}: ${result}`, isFailure })
  }
  const replay = async () => {
    const since = new Date(serviceNow() - 24 * hourMs).toISOString()
    showResult(
      (await ask('POST', `${path}/replay`, { body: { since } })).error,
      'Resending the last 24 hours.',
    )
  }
  const rotate = async (previousEndsAtMs: number) => {
    setEndsAtMs(null)
    const previousExpiresAt = new Date(previousEndsAtMs).toISOString()
    const { data, error } = await ask<WebhookRotated>('POST', `${path}/rotate`, {
      body: { previousExpiresAt },
    })
    if (data !== null) onSecret(data.secret)
    showResult(error, `The old secret stays valid until ${fullTime(previousEndsAtMs, zone)}.`)
  }
  const setDisabled = async (disabled: boolean) => {
    showResult(
      (await ask('PATCH', path, { body: { disabled } })).error,
      disabled ? 'Turned off.' : 'Turned on.',
    )
    await onChanged()
  }
  const remove = async () => {
    setIsAsking(false)
    const { status, error } = await ask('DELETE', path)
    showResult(error, 'Removed.')
    // Also when somebody else removed it first.
    if (error === null || status === 404) onRemoved()
    await onChanged()
  }
  const load = async () => {
    const { data, error } = await ask<{ deliveries: readonly Delivery[] }>(
      'GET',
      `${path}/deliveries${query({ limit: deliveriesShown })}`,
    )
    setDeliveries(data?.deliveries ?? [])
    if (error !== null) showResult(error, '')
  }

  return (
    <article class="webhook" aria-label={url}>
      <p class="cut">
        <strong>{url}</strong>
      </p>
      <WebhookState webhook={webhook} zone={zone} />
      <p class="muted small">{types.join(', ')}</p>
      {webhook.createdBy !== null && <p class="muted small">Created by {webhook.createdBy}</p>}
      <div class="line actions">
        <button type="button" onClick={test}>
          Test
        </button>
        <button type="button" onClick={replay}>
          Resend the last 24 hours
        </button>
        <button type="button" aria-expanded={deliveries !== null} onClick={load}>
          Last deliveries
        </button>
        <button type="button" onClick={() => setDisabled(disabledAt === null)}>
          {disabledAt === null ? 'Turn off' : 'Turn on'}
        </button>
        <button type="button" onClick={() => setEndsAtMs(serviceNow() + 24 * hourMs)}>
          New secret…
        </button>
        <button type="button" class="danger" onClick={() => setIsAsking(true)}>
          Remove…
        </button>
      </div>
      <FeedbackLine feedback={feedback} />
      {isAsking && (
        <Question text="Remove this webhook? It gets no more events." onCancel={() => setIsAsking(false)}>
          <button type="button" class="danger" onClick={remove}>
            Yes, remove it
          </button>
        </Question>
      )}
      {endsAtMs !== null && (
        <Question
          text={`Create a new secret? The old one stays valid until ${fullTime(endsAtMs, zone)}: update the receiver before then.`}
          onCancel={() => setEndsAtMs(null)}
        >
          <button type="button" class="primary" onClick={() => rotate(endsAtMs)}>
            Yes, create a new secret
          </button>
        </Question>
      )}
      {deliveries !== null && <WebhookDeliveries deliveries={deliveries} zone={zone} />}
    </article>
  )
}

function WebhookState({ webhook, zone }: { readonly webhook: Webhook; readonly zone: string }) {
  const { lag, disabledAt, failingSince, givenUp } = webhook
  const isBad = disabledAt !== null || failingSince !== null
  return (
    <>
      <p class={`state ${isBad ? 'act' : lag > 0 ? 'wait' : 'good'}`}>
        <span class="dot" aria-hidden="true" />
        {describeWebhook(webhook, (time) => shortTime(Date.parse(time), zone, serviceNow()))}
      </p>
      {givenUp > 0 && (
        <p class="small">{countOf(givenUp, 'event')} not delivered after eight attempts each.</p>
      )}
    </>
  )
}
