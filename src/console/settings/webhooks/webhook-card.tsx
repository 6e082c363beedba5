// One webhook: its state, last deliveries and actions.

import { useState } from 'preact/hooks'
import type { Campaign, Delivery, Webhook, WebhookRotated, WebhookTested } from '../../../sdk/src/models.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { StateLine } from '../../ui/card.tsx'
import { Button } from '../../ui/controls.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { type Feedback, FeedbackLine } from '../../ui/feedback.tsx'
import { counted, countOf } from '../../ui/number-words.ts'
import { Question } from '../../ui/question.tsx'
import { fullTime, shortTime, zoneOf } from '../../ui/zone-time.ts'
import { describeWebhook } from './webhook-state.ts'

type Props = {
  readonly webhook: Webhook
  readonly campaign: Campaign
  readonly onChanged: () => Promise<unknown>
  readonly onSecret: (secret: string) => void
  readonly onRemoved: () => void
}

const deliveriesShown = 20
const dayMs = 86_400_000

type DeliveryList = { readonly deliveries: readonly Delivery[] }

export function WebhookCard({ webhook, campaign, onChanged, onSecret, onRemoved }: Props) {
  const { ask } = useSession()
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const [deliveries, setDeliveries] = useState<readonly Delivery[] | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  /** When the current secret would expire; null: no rotation is asked about. */
  const [endsAtMs, setEndsAtMs] = useState<number | null>(null)
  const { url, types, disabledAt } = webhook
  const path = `/webhooks/${encodeURIComponent(webhook.webhookId)}`
  const zone = zoneOf(campaign)
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
    const body = { since: new Date(serviceNow() - dayMs).toISOString() }
    const { error } = await ask('POST', `${path}/replay`, { body })
    showResult(error, 'Resending the last 24 hours.')
  }
  const rotate = async (previousEndsAtMs: number) => {
    setEndsAtMs(null)
    const body = { previousExpiresAt: new Date(previousEndsAtMs).toISOString() }
    const { data, error } = await ask<WebhookRotated>('POST', `${path}/rotate`, { body })
    if (data !== null) onSecret(data.secret)
    showResult(error, `The old secret stays valid until ${fullTime(previousEndsAtMs, zone)}.`)
  }
  const setDisabled = async (disabled: boolean) => {
    const { error } = await ask('PATCH', path, { body: { disabled } })
    showResult(error, disabled ? 'Turned off.' : 'Turned on.')
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
    const query = { limit: deliveriesShown }
    const { data, error } = await ask<DeliveryList>('GET', `${path}/deliveries`, { query })
    setDeliveries(data?.deliveries ?? [])
    if (error !== null) showResult(error, '')
  }

  return (
    <article class="webhook" aria-label={url}>
      <p class="cut">
        <strong>{url}</strong>
      </p>
      <WebhookState webhook={webhook} zone={zone} />
      <p class="muted small">{types?.join(', ') ?? 'All events'}</p>
      {webhook.createdBy !== null && <p class="muted small">Created by {webhook.createdBy}</p>}
      <div class="line">
        <Button onClick={test}>Test</Button>
        <Button onClick={replay}>Resend the last 24 hours</Button>
        <Button aria-expanded={deliveries !== null} onClick={load}>
          Last deliveries
        </Button>
        <Button onClick={() => setDisabled(disabledAt === null)}>
          {disabledAt === null ? 'Turn off' : 'Turn on'}
        </Button>
        <Button onClick={() => setEndsAtMs(serviceNow() + dayMs)}>New secret…</Button>
        <Button class="danger" onClick={() => setIsAsking(true)}>
          Remove…
        </Button>
      </div>
      <FeedbackLine feedback={feedback} />
      {isAsking && (
        <Question
          text="Remove this webhook? It gets no more events."
          yes="Yes, remove it"
          isDangerous
          onYes={remove}
          onCancel={() => setIsAsking(false)}
        />
      )}
      {endsAtMs !== null && (
        <Question
          text={`Create a new secret? The old one stays valid until ${fullTime(endsAtMs, zone)}: update the receiver before then.`}
          yes="Yes, create a new secret"
          onYes={() => rotate(endsAtMs)}
          onCancel={() => setEndsAtMs(null)}
        />
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
      <StateLine tone={isBad ? 'act' : lag > 0 ? 'wait' : 'good'}>
        {describeWebhook(webhook, (time) => shortTime(Date.parse(time), zone, serviceNow()))}
      </StateLine>
      {givenUp > 0 && (
        <p class="small">{countOf(givenUp, 'event')} not delivered after eight attempts each.</p>
      )}
    </>
  )
}

function WebhookDeliveries({ deliveries, zone }: DeliveryList & { readonly zone: string }) {
  if (deliveries.length === 0) return <p class="muted">No deliveries yet.</p>
  return (
    <DataTable
      name="Last deliveries"
      columns={[['Time'], ['Answer'], ['Event'], ['ms', 'number extra']]}
      rows={deliveries.map(({ time, type, status, error, milliseconds }, index) => ({
        key: index,
        cells: [fullTime(Date.parse(time), zone), error ?? status, type, counted(milliseconds)],
      }))}
    />
  )
}
