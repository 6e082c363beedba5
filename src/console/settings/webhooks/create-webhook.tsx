// Creates a webhook: where events are sent, and which.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign, WebhookCreated } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { FormButtons, Tick } from '../../ui/controls.tsx'
import { Failure } from '../../ui/feedback.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { commonTypes, type Types, typesProblem, WebhookEvents } from './webhook-events.tsx'

type Props = {
  /** Null: the page of the company. */
  readonly campaign: Campaign | null
  readonly onCreated: (created: WebhookCreated) => void
  readonly onCancel: () => void
}

export function CreateWebhook({ campaign, onCreated, onCancel }: Props) {
  const { ask, rights } = useSession()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<Types>(commonTypes)
  const [isOfCampaign, setIsOfCampaign] = useState(!rights.company)
  const [isTried, setIsTried] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const urlProblem = URL.canParse(url) ? null : 'Enter the address of the receiver, with https://'

  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    setIsTried(true)
    if (isBusy || urlProblem !== null || typesProblem(types) !== null) return
    const body = { url, types, ...(isOfCampaign && campaign !== null && { campaignId: campaign.id }) }
    setIsBusy(true)
    const { data, error } = await ask<WebhookCreated>('POST', '/webhooks', { body, isOnce: true })
    setIsBusy(false)
    setFailure(error)
    if (data !== null) onCreated(data)
  }

  return (
    <form class="create" aria-label="Add a webhook" ref={form} onSubmit={create} noValidate>
      <Field label="URL" problem={isTried ? urlProblem : null}>
        {(attributes) => (
          <input
            {...attributes}
            type="url"
            placeholder="https://crm.example.com/hooks"
            spellcheck={false}
            value={url}
            onInput={({ currentTarget }) => setUrl(currentTarget.value.trim())}
          />
        )}
      </Field>
      <WebhookEvents types={types} onTypes={setTypes} problem={isTried ? typesProblem(types) : null} />
      {rights.company && campaign !== null && (
        <Tick checked={isOfCampaign} onTick={setIsOfCampaign}>
          Only for {campaign.name}
        </Tick>
      )}
      <FormButtons submit="Add" onCancel={onCancel} />
      <Failure>{failure}</Failure>
    </form>
  )
}
