// One webhook: whether it keeps up, its last deliveries, and what can be done with it.

import { useState } from 'preact/hooks'
import { query } from '../../service/api.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import type { Campaign } from '../../service/wire.ts'
import { type Told, ToldLine } from '../../ui/feedback.tsx'
import { countOf } from '../../ui/number-words.ts'
import { Question } from '../../ui/question.tsx'
import { fullTime, shortTime } from '../../ui/zone-time.ts'
import { type Delivery, WebhookDeliveries } from './webhook-deliveries.tsx'
import { webhookState } from './webhook-words.ts'

export type Webhook = {
  readonly webhookId: string
  readonly url: string
  readonly types: readonly string[]
  readonly campaignId: string | null
  /** An API key's id, or `operator`; null: unknown. */
  readonly createdBy: string | null
  readonly disabledAt: string | null
  readonly disabledReason: string | null
  /** Entries of the log that it was not told of. */
  readonly lag: number
  /** Since when its receiver is at fault. */
  readonly failingSince: string | null
  /** Events that are tried no more. */
  readonly givenUp: number
}

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
  const [told, setTold] = useState<Told | null>(null)
  const [deliveries, setDeliveries] = useState<readonly Delivery[] | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  /** When the secret of now is to end; null: nobody wants a new one. */
  const [endsAtMs, setEndsAtMs] = useState<number | null>(null)
  const { url, types, disabledAt } = webhook
  const path = `/webhooks/${encodeURIComponent(webhook.webhookId)}`
  const zone = campaign.timeZone ?? 'UTC'
  const tell = (error: string | null, done: string) =>
    setTold({ text: error ?? done, isFault: error !== null })

  const test = async () => {
    const { data, error } = await ask<{ status: number | null; milliseconds: number; error: string | null }>(
      'POST',
      `${path}/test`,
    )
    const isFine = data !== null && data.status !== null && data.status < 300
    setTold({
      text:
        data === null ? (error ?? '') : `Answered ${data.status ?? data.error} in ${data.milliseconds} ms.`,
      isFault: !isFine,
    })
  }
  const replay = async () => {
    const since = new Date(serviceNow() - 24 * hourMs).toISOString()
    tell(
      (await ask('POST', `${path}/replay`, { body: { since } })).error,
      'The last 24 hours are sent again.',
    )
  }
  const rotate = async (previousEndsAtMs: number) => {
    setEndsAtMs(null)
    const previousExpiresAt = new Date(previousEndsAtMs).toISOString()
    const { data, error } = await ask<{ secret: string }>('POST', `${path}/rotate`, {
      body: { previousExpiresAt },
    })
    if (data !== null) onSecret(data.secret)
    tell(error, `The secret of before signs as well until ${fullTime(previousEndsAtMs, zone)}.`)
  }
  const setDisabled = async (disabled: boolean) => {
    tell(
      (await ask('PATCH', path, { body: { disabled } })).error,
      disabled ? 'Switched off.' : 'Switched on.',
    )
    await onChanged()
  }
  const remove = async () => {
    setIsAsking(false)
    const { status, error } = await ask('DELETE', path)
    tell(error, 'Removed.')
    // Also when somebody else was quicker.
    if (error === null || status === 404) onRemoved()
    await onChanged()
  }
  const look = async () => {
    const { data, error } = await ask<{ deliveries: readonly Delivery[] }>(
      'GET',
      `${path}/deliveries${query({ limit: deliveriesShown })}`,
    )
    setDeliveries(data?.deliveries ?? [])
    if (error !== null) tell(error, '')
  }

  return (
    <article class="webhook" aria-label={url}>
      <p class="cut">
        <strong>{url}</strong>
      </p>
      <WebhookState webhook={webhook} zone={zone} />
      <p class="muted small">{types.join(', ')}</p>
      {webhook.createdBy !== null && <p class="muted small">Made by {webhook.createdBy}</p>}
      <div class="line actions">
        <button type="button" onClick={test}>
          Test
        </button>
        <button type="button" onClick={replay}>
          Send the last 24 hours again
        </button>
        <button type="button" aria-expanded={deliveries !== null} onClick={look}>
          Last deliveries
        </button>
        <button type="button" onClick={() => setDisabled(disabledAt === null)}>
          {disabledAt === null ? 'Switch off' : 'Switch on'}
        </button>
        <button type="button" onClick={() => setEndsAtMs(serviceNow() + 24 * hourMs)}>
          New secret…
        </button>
        <button type="button" class="danger" onClick={() => setIsAsking(true)}>
          Remove…
        </button>
      </div>
      <ToldLine told={told} />
      {isAsking && (
        <Question
          text="Remove this webhook? Nothing is sent to it any more."
          onCancel={() => setIsAsking(false)}
        >
          <button type="button" class="danger" onClick={remove}>
            Yes, remove it
          </button>
        </Question>
      )}
      {endsAtMs !== null && (
        <Question
          text={`Make a new secret? The receiver has to know it before ${fullTime(endsAtMs, zone)}: until then the secret of now signs as well.`}
          onCancel={() => setEndsAtMs(null)}
        >
          <button type="button" class="primary" onClick={() => rotate(endsAtMs)}>
            Yes, make a new secret
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
        {webhookState(webhook, (time) => shortTime(Date.parse(time), zone, serviceNow()))}
      </p>
      {givenUp > 0 && (
        <p class="small">
          {countOf(givenUp, 'event was', 'events were')} given up: refused or failed eight times each.
        </p>
      )}
    </>
  )
}
