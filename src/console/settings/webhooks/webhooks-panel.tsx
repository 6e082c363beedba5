// The company's webhooks: created, listed with their state, tested, replayed and removed.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign, Webhook } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { type Round, useData } from '../../service/use-reading.ts'
import { Card } from '../../ui/card.tsx'
import { Button, FormButtons, Tick } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { WebhookCard } from './webhook-card.tsx'

/** The event types that most receivers need; the API takes others too. */
const typesOffered = [
  'leads.created',
  'call.reported',
  'call.expired',
  'lead.concluded',
  'lead.exhausted',
  'lead.changed',
  'lead.erased',
  'suppression.added',
  'campaign.changed',
  'webhook.disabled',
  'webhook.gave_up',
]
const typesChosen = ['call.reported', 'lead.concluded', 'lead.exhausted']

type Props = { readonly campaign: Campaign; readonly round: Round }

type WebhookList = { readonly webhooks: readonly Webhook[] }
/** A webhook's secret, which is shown once. */
type Secret = { readonly webhookId: string; readonly secret: string }

export function WebhooksPanel({ campaign, round }: Props) {
  const { ask, rights } = useSession()
  const [failure, setFailure] = useState<string | null>(null)
  const [isCreating, setIsCreating] = useState(false)
  const [secret, setSecret] = useState<Secret | null>(null)
  const list = useData(() => ask<WebhookList>('GET', '/webhooks'), round)
  const webhooks = list.data?.webhooks
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [isCreating])

  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const types = form.getAll('types').map(String)
    if (types.length === 0) return setFailure('Choose at least one event.')
    const body = {
      url: String(form.get('url') ?? ''),
      types,
      ...((form.get('ofCampaign') !== null || !rights.company) && { campaignId: campaign.id }),
    }
    const { data, error } = await ask<Secret>('POST', '/webhooks', { body })
    setFailure(error)
    if (data === null) return
    setSecret(data)
    setIsCreating(false)
    await list.load()
  }

  return (
    <Card
      title="Webhooks"
      side={webhooks && !isCreating && <Button onClick={() => setIsCreating(true)}>Add a webhook</Button>}
    >
      <Failure>{failure ?? list.failure}</Failure>
      {secret !== null && <SecretNotice secret={secret.secret} onDone={() => setSecret(null)} />}
      {isCreating && (
        <form class="create" aria-label="Add a webhook" ref={form} onSubmit={create}>
          <label>
            URL
            <input
              name="url"
              type="url"
              required
              placeholder="https://crm.example.com/hooks"
              spellcheck={false}
            />
          </label>
          <fieldset>
            <legend>Events</legend>
            <div class="ticks">
              {typesOffered.map((type) => (
                <Tick key={type} name="types" value={type} defaultChecked={typesChosen.includes(type)}>
                  {type}
                </Tick>
              ))}
            </div>
          </fieldset>
          {rights.company && <Tick name="ofCampaign">Only for {campaign.name}</Tick>}
          <FormButtons submit="Add" onCancel={() => setIsCreating(false)} />
        </form>
      )}
      {webhooks?.length === 0 && !isCreating && (
        <p class="muted">No webhooks yet. Add one to send call results to your CRM.</p>
      )}
      {webhooks?.map((webhook) => (
        <WebhookCard
          key={webhook.webhookId}
          webhook={webhook}
          campaign={campaign}
          onChanged={list.load}
          onSecret={(text) => setSecret({ webhookId: webhook.webhookId, secret: text })}
          onRemoved={() => {
            setSecret((before) => (before?.webhookId === webhook.webhookId ? null : before))
            list.setData((before) => before && { webhooks: before.webhooks.filter((one) => one !== webhook) })
          }}
        />
      ))}
    </Card>
  )
}

function SecretNotice({ secret, onDone }: { readonly secret: string; readonly onDone: () => void }) {
  return (
    <div class="notice" role="status">
      <p>The signing secret. Copy it to the receiver now: it is shown only once.</p>
      <pre class="secret">{secret}</pre>
      <Button onClick={onDone}>Done</Button>
    </div>
  )
}
