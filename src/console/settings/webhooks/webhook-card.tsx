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
import { Question, type QuestionProps } from '../../ui/question.tsx'
import { DataTable } from '../../ui/tables/data-table.tsx'
import { counted, countOf } from '../../ui/words/number-words.ts'
import { fullTime, fullTimeInZone, shortTime, zoneOf } from '../../ui/words/zone-time.ts'
import type { Types } from './webhook-events.tsx'
import { ChangeEvents } from './webhook-forms.tsx'
import { describeTest, describeWebhook } from './webhook-state.ts'

type Props = {
  readonly webhook: Webhook
  readonly campaign: Campaign | null
  /** The name of the key that created it. Null: no key did. */
  readonly creator: string | null
  readonly onChanged: () => Promise<unknown>
  readonly onSecret: (secret: string) => void
  readonly onRemoved: () => void
}

/** What is asked before it is done. */
type Asked = Pick<QuestionProps, 'text' | 'yes' | 'onYes' | 'isDangerous'>

const resending = {
  text: 'Send the events of the last 24 hours again? A receiver that has them gets them again, with the same ids.',
  yes: 'Yes, send them again',
}
const removing = {
  text: 'Remove this webhook? It gets no more events.',
  yes: 'Yes, remove it',
  isDangerous: true,
}

const deliveriesShown = 20
const dayMs = 86_400_000

export function WebhookCard({ webhook, campaign, creator, onChanged, onSecret, onRemoved }: Props) {
  const { client, keyId } = useSession()
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const [deliveries, setDeliveries] = useState<readonly Delivery[] | null>(null)
  const [asked, setAsked] = useState<Asked | 'events' | null>(null)
  const { webhookId, url, types, campaignId, expiresAt, disabledAt, createdBy } = webhook
  const campaignName = useCampaignNames()
  const reach = campaignId === null ? 'For all campaigns' : `Only for ${campaignName(campaignId)}`
  const zone = zoneOf(campaign)
  const cancel = () => setAsked(null)
  const run = async <Data,>(request: Promise<Data>, done: string) => {
    const answer = await settle(request)
    // The form with the chosen events stays open until they are saved.
    setAsked((before) => (before === 'events' && answer.error !== null ? before : null))
    setFeedback(feedbackOf(answer, done))
    return answer
  }
  const change = async (changes: ChangeWebhook, done: string) => {
    const answer = await run(client.webhooks.update(webhookId, changes), done)
    await onChanged()
    return answer
  }

  const test = async () => {
    const { data, error } = await settle(client.webhooks.test(webhookId))
    setFeedback(data === null ? { text: error ?? '', isFailure: true } : describeTest(data))
  }
  const resend = () => {
    const since = new Date(serviceNow() - dayMs).toISOString()
    return run(client.webhooks.replay(webhookId, { since }), 'Sending the events of the last 24 hours again.')
  }
  const askRotate = () => {
    const untilMs = serviceNow() + dayMs
    const until = fullTimeInZone(untilMs, zone)
    const rotate = async () => {
      const { data } = await run(
        client.webhooks.rotate(webhookId, { previousExpiresAt: new Date(untilMs).toISOString() }),
        `The old secret stays valid until ${until}.`,
      )
      if (data !== null) onSecret(data.secret)
    }
    setAsked({
      text: `Create a new secret? The old one stays valid until ${until}: update the receiver before then.`,
      yes: 'Yes, create a new secret',
      onYes: rotate,
    })
  }
  const turn = () =>
    change({ disabled: disabledAt === null }, disabledAt === null ? 'Turned off.' : 'Turned on.')
  /** It lasts as long as the key in use from then on, if that is longer. */
  const keep = async () => {
    const { data } = await change({ disabled: false }, 'Kept.')
    if (data?.expiresAt === expiresAt)
      setFeedback({ text: 'Your key ends no later: use one that does.', isFailure: false })
  }
  const changeEvents = async (chosen: Types) =>
    (await change({ types: chosen && [...chosen] }, 'Saved.')).error
  const remove = async () => {
    const { data, status } = await run(client.webhooks.delete(webhookId), 'Removed.')
    // Also when somebody else removed it first.
    if (data !== null || status === 404) onRemoved()
    await onChanged()
  }
  const load = async () => {
    const { data, error } = await settle(client.webhooks.deliveries(webhookId, { limit: deliveriesShown }))
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
        <Button onClick={() => setAsked({ ...resending, onYes: resend })}>Send again…</Button>
        <Button onClick={() => setAsked('events')}>Change events</Button>
        <Button onClick={askRotate}>New secret…</Button>
        <Button onClick={turn}>{disabledAt === null ? 'Turn off' : 'Turn on'}</Button>
        {expiresAt !== null && disabledAt === null && createdBy !== keyId && (
          <Button onClick={keep}>Keep</Button>
        )}
        <Button class="danger" onClick={() => setAsked({ ...removing, onYes: remove })}>
          Remove…
        </Button>
      </div>
      <FeedbackLine feedback={feedback} />
      {asked === 'events' ? (
        <ChangeEvents types={types} onSave={changeEvents} onCancel={cancel} />
      ) : (
        asked !== null && <Question {...asked} onCancel={cancel} />
      )}
      {deliveries !== null && <Deliveries deliveries={deliveries} zone={zone} />}
    </article>
  )
}

function WebhookState({ webhook, zone }: { readonly webhook: Webhook; readonly zone: string }) {
  const { disabledAt, failingSince, givenUp } = webhook
  const isBad = disabledAt !== null || failingSince !== null
  return (
    <>
      <StateLine tone={isBad ? 'act' : 'good'}>
        {describeWebhook(webhook, (time) => shortTime(Date.parse(time), zone, serviceNow()))}
      </StateLine>
      {givenUp > 0 && (
        <p class="small">{countOf(givenUp, 'event')} not delivered after eight attempts each.</p>
      )}
    </>
  )
}

type DeliveriesProps = { readonly deliveries: readonly Delivery[]; readonly zone: string }

function Deliveries({ deliveries, zone }: DeliveriesProps) {
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
