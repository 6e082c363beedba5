// The webhooks of the company, or those that get a campaign's events: created, and listed with their state.
import { useState } from 'preact/hooks'
import { useSession } from '../../service/session.ts'
import { type PanelProps, useData } from '../../service/use-reading.ts'
import { Card } from '../../ui/card.tsx'
import { Button } from '../../ui/controls.tsx'
import { Failure, Result } from '../../ui/feedback.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { keyNames } from '../keys/key-words.ts'
import { WebhookCard } from './webhook-card.tsx'
import { CreateWebhook } from './webhook-forms.tsx'

/** A webhook's secret, which is shown once. */
type Secret = { readonly webhookId: string; readonly secret: string }

export function WebhooksPanel({ campaign, round }: PanelProps) {
  const { client } = useSession()
  const [isCreating, setIsCreating] = useState(false)
  const [result, setResult] = useState('')
  const [secret, setSecret] = useState<Secret | null>(null)
  const list = useData(() => client.webhooks.list(), round)
  const keys = useData(() => client.keys(), round)
  const webhooks = list.data?.filter(
    ({ campaignId }) => campaign === null || (campaignId ?? campaign.id) === campaign.id,
  )
  const create = () => {
    setIsCreating(true)
    setResult('')
  }
  return (
    <Card
      title="Webhooks"
      side={<Button onClick={list.load}>Refresh</Button>}
      add={webhooks !== undefined && !isCreating && ['Add a webhook', create]}
    >
      <Failure>{list.failure}</Failure>
      <Result>{result}</Result>
      {secret !== null && (
        <ShownOnce what="secret" secret={secret.secret} onDone={() => setSecret(null)}>
          The signing secret, for the receiver.
        </ShownOnce>
      )}
      {isCreating && (
        <CreateWebhook
          campaign={campaign}
          onCreated={(created) => {
            setSecret(created)
            setIsCreating(false)
            void list.load()
          }}
          onCancel={() => setIsCreating(false)}
        />
      )}
      {webhooks?.length === 0 && !isCreating && (
        <p class="muted">No webhooks yet. Add one to send call results to your CRM.</p>
      )}
      {webhooks?.map((webhook) => (
        <WebhookCard
          key={webhook.webhookId}
          webhook={webhook}
          campaign={campaign}
          creator={webhook.createdBy && keyNames(keys.data?.keys ?? [])(webhook.createdBy)}
          onChanged={list.load}
          onSecret={(text) => setSecret({ webhookId: webhook.webhookId, secret: text })}
          onRemoved={() => {
            setSecret((before) => (before?.webhookId === webhook.webhookId ? null : before))
            setResult('Removed.')
            list.setData((before) => before?.filter((one) => one !== webhook) ?? null)
          }}
        />
      ))}
    </Card>
  )
}
