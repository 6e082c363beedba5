// The company's webhooks: made, looked at with what they lag behind, tried, replayed, and removed.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../../service/session.ts'
import { type Round, useReading } from '../../service/use-reading.ts'
import type { Campaign } from '../../service/wire.ts'
import { type Webhook, WebhookCard } from './webhook-card.tsx'

/** What most receivers want; a webhook for others is made over the API. */
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

/** Of one webhook, as it is shown once. */
type Secret = { readonly webhookId: string; readonly secret: string }

export function WebhooksPanel({ campaign, round }: Props) {
  const { ask, rights } = useSession()
  const [webhooks, setWebhooks] = useState<readonly Webhook[] | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isMaking, setIsMaking] = useState(false)
  const [secret, setSecret] = useState<Secret | null>(null)
  const [readFault, setReadFault] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [isMaking])

  const load = async () => {
    const { data, error } = await ask<{ webhooks: readonly Webhook[] }>('GET', '/webhooks')
    if (data !== null) setWebhooks(data.webhooks)
    setReadFault(error)
    return data !== null
  }
  useReading(load, round)

  const make = async (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const types = form.getAll('types').map(String)
    if (types.length === 0) return setFault('Choose at least one kind of event.')
    const body = {
      url: String(form.get('url') ?? ''),
      types,
      ...((form.get('ofCampaign') !== null || !rights.company) && { campaignId: campaign.id }),
    }
    const { data, error } = await ask<Secret>('POST', '/webhooks', { body })
    setFault(error)
    if (data === null) return
    setSecret(data)
    setIsMaking(false)
    await load()
  }

  return (
    <section class="card" aria-labelledby="webhooks-title">
      <div class="card-head">
        <h2 id="webhooks-title">Webhooks</h2>
        {webhooks !== null && !isMaking && (
          <button type="button" onClick={() => setIsMaking(true)}>
            Add a webhook
          </button>
        )}
      </div>
      <p role="alert" class="fault">
        {fault ?? readFault}
      </p>
      {secret !== null && <SecretNotice secret={secret.secret} onSeen={() => setSecret(null)} />}
      {isMaking && (
        <form class="make" aria-label="Add a webhook" ref={form} onSubmit={make}>
          <label>
            Address
            <input
              name="url"
              type="url"
              required
              placeholder="https://crm.example.com/hooks"
              spellcheck={false}
            />
          </label>
          <fieldset>
            <legend>Told of</legend>
            <div class="ticks">
              {typesOffered.map((type) => (
                <label key={type} class="tick">
                  <input
                    type="checkbox"
                    name="types"
                    value={type}
                    defaultChecked={typesChosen.includes(type)}
                  />
                  {type}
                </label>
              ))}
            </div>
          </fieldset>
          {rights.company && (
            <label class="tick">
              <input type="checkbox" name="ofCampaign" />
              Only of {campaign.name}
            </label>
          )}
          <div class="line">
            <button type="submit" class="primary">
              Add
            </button>
            <button type="button" class="quiet" onClick={() => setIsMaking(false)}>
              Cancel
            </button>
          </div>
        </form>
      )}
      {webhooks?.length === 0 && !isMaking && (
        <p class="muted">No webhook. Add one to have your CRM told how each call went.</p>
      )}
      {webhooks?.map((webhook) => (
        <WebhookCard
          key={webhook.webhookId}
          webhook={webhook}
          campaign={campaign}
          onChanged={load}
          onSecret={(text) => setSecret({ webhookId: webhook.webhookId, secret: text })}
          onRemoved={() => {
            setSecret((before) => (before?.webhookId === webhook.webhookId ? null : before))
            setWebhooks((before) => before?.filter((one) => one !== webhook) ?? null)
          }}
        />
      ))}
    </section>
  )
}

function SecretNotice({ secret, onSeen }: { readonly secret: string; readonly onSeen: () => void }) {
  return (
    <div class="notice" role="status">
      <p>The secret that signs, shown this once. Give it to the receiver:</p>
      <pre class="secret">{secret}</pre>
      <button type="button" onClick={onSeen}>
        I have it
      </button>
    </div>
  )
}
