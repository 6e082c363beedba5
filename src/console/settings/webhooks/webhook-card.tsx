// One webhook: its state, events, last deliveries and actions.
import { useState } from 'preact/hooks'
import type { Campaign, ChangeWebhook, Delivery, Webhook } from '../../../sdk/src/models.ts'
import { type Feedback, feedbackOf, settle } from '../../service/answer.ts'
import { useCampaignNames } from '../../service/names.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { StateLine } from '../../ui/card.tsx'
import { Button } from '../../ui/controls.tsx'
import { FeedbackLine } from '../../ui/feedback.tsx'
import { Question } from '../../ui/question.tsx'
import { countOf } from '../../ui/words/number-words.ts'
import { browserZone, fullTimeInZone, shortTime, zoneOf } from '../../ui/words/zone-time.ts'
import { ChangeEvents } from './change-events.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { describeTest, describeWebhook } from './webhook-state.ts'

type Props = {
  readonly webhook: Webhook
  readonly campaign: Campaign | null
  /** Of the key that created it. Null: no key did. */
  readonly creator: string | null
  readonly onChanged: () => Promise<unknown>
  readonly onSecret: (secret: string) => void
  readonly onRemoved: () => void
}

/** What is asked before it is done. */
type Asked = 'remove' | 'resend' | 'events' | { readonly rotateUntilMs: number }

const deliveriesShown = 20
const dayMs = 86_400_000

export function WebhookCard({ webhook, campaign, creator, onChanged, onSecret, onRemoved }: Props) {
  const { client, keyId } = useSession()
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const [deliveries, setDeliveries] = useState<readonly Delivery[] | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const { webhookId, url, types, campaignId, expiresAt, disabledAt, createdBy } = webhook
  const campaignName = useCampaignNames()
  const reach = campaignId === null ? 'For all campaigns' : `Only for ${campaignName(campaignId)}`
  const zone = campaign === null ? browserZone() : zoneOf(campaign)
  const cancel = () => setAsked(null)
  const run = async <Data,>(request: Promise<Data>, done: string | ((data: Data) => string)) => {
    const answer = await settle(request)
    // The form with the chosen events stays open until they are saved.
    if (asked !== 'events' || answer.error === null) setAsked(null)
    const words = typeof done === 'string' ? done : answer.data === null ? '' : done(answer.data)
    setFeedback(feedbackOf(answer, words))
    return answer
  }
  const change = async (changes: ChangeWebhook, done: string | ((webhook: Webhook) => string)) => {
    const { error } = await run(client.webhooks.update(webhookId, changes), done)
    await onChanged()
    return error
  }

  const test = async () => {
    const { data, error } = await settle(client.webhooks.test(webhookId))
    setFeedback(data === null ? { text: error ?? '', isFailure: true } : describeTest(data))
  }
  const resend = () =>
    run(
      client.webhooks.replay(webhookId, { since: new Date(serviceNow() - dayMs).toISOString() }),
      'Sending the events of the last 24 hours again.',
    )
  const rotate = async (previousEndsAtMs: number) => {
    const previousExpiresAt = new Date(previousEndsAtMs).toISOString()
    const { data } = await run(
      client.webhooks.rotate(webhookId, { previousExpiresAt }),
      `The old secret stays valid until ${fullTimeInZone(previousEndsAtMs, zone)}.`,
    )
    if (data !== null) onSecret(data.secret)
  }
  const turn = () =>
    change({ disabled: disabledAt === null }, disabledAt === null ? 'Turned off.' : 'Turned on.')
  /** It lasts as long as the key in use from then on, if that is longer. */
  const keep = () =>
    change({ disabled: false }, (kept) =>
      kept.expiresAt === expiresAt ? 'Your key ends no later: use one that does.' : 'Kept.',
    )
  const remove = async () => {
    const { status, error } = await run(client.webhooks.delete(webhookId), 'Removed.')
    // Also when somebody else removed it first.
    if (error === null || status === 404) onRemoved()
    await onChanged()
  }
  const load = async () => {
    const list = client.webhooks.deliveries(webhookId, { limit: deliveriesShown })
    const { data, error } = await settle(list)
    setDeliveries(data ?? [])
    if (error !== null) setFeedback({ text: error, isFailure: true })
  }

  return (
    <article class="webhook group" aria-label={url}>
      <p class="cut">
        <strong>{url}</strong>
      </p>
      <WebhookState webhook={webhook} zone={zone} />
      <p class="muted small">{reach + (creator === null ? '' : ` · created by ${creator}`)}</p>
      <p class="muted small cut">Events: {types === null ? 'all' : types.join(', ')}</p>
      <div class="line">
        <Button onClick={test}>Test</Button>
        <Button aria-expanded={deliveries !== null} onClick={load}>
          Last deliveries
        </Button>
        <Button onClick={() => setAsked('resend')}>Send again…</Button>
        <Button onClick={() => setAsked('events')}>Change events</Button>
        <Button onClick={() => setAsked({ rotateUntilMs: serviceNow() + dayMs })}>New secret…</Button>
        <Button onClick={turn}>{disabledAt === null ? 'Turn off' : 'Turn on'}</Button>
        {expiresAt !== null && disabledAt === null && createdBy !== keyId && (
          <Button onClick={keep}>Keep</Button>
        )}
        <Button class="danger" onClick={() => setAsked('remove')}>
          Remove…
        </Button>
      </div>
      <FeedbackLine feedback={feedback} />
      {asked === 'remove' ? (
        <Question
          text="Remove this webhook? It gets no more events."
          yes="Yes, remove it"
          isDangerous
          onYes={remove}
          onCancel={cancel}
        />
      ) : asked === 'resend' ? (
        <Question
          text="Send the events of the last 24 hours again? The receiver gets those that it already has a second time, with the same id."
          yes="Yes, send them again"
          onYes={resend}
          onCancel={cancel}
        />
      ) : asked === 'events' ? (
        <ChangeEvents
          types={types}
          onSave={(chosen) => change({ types: chosen && [...chosen] }, 'Saved.')}
          onCancel={cancel}
        />
      ) : asked !== null ? (
        <Question
          text={`Create a new secret? The old one stays valid until ${fullTimeInZone(asked.rotateUntilMs, zone)}: \
update the receiver before then.`}
          yes="Yes, create a new secret"
          onYes={() => rotate(asked.rotateUntilMs)}
          onCancel={cancel}
        />
      ) : null}
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
