// Creates a webhook: where events are sent, and which; and changes which.
import { useState } from 'preact/hooks'
import type { Campaign, WebhookCreated } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { Tick } from '../../ui/controls.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Form } from '../../ui/form.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { commonTypes, type Types, typesProblem, WebhookEvents } from './webhook-events.tsx'

type CreateProps = {
  /** Null: the page of the company. */
  readonly campaign: Campaign | null
  readonly onCreated: (created: WebhookCreated) => void
  readonly onCancel: () => void
}

export function CreateWebhook({ campaign, onCreated, onCancel }: CreateProps) {
  const { client, rights } = useSession()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<Types>(commonTypes)
  const [isOfCampaign, setIsOfCampaign] = useState(!rights.company)
  const [isTried, setIsTried] = useState(false)
  const action = useAction()
  const urlProblem = URL.canParse(url) ? null : 'Enter the address of the receiver, with https://'

  const create = async () => {
    setIsTried(true)
    if (urlProblem !== null || typesProblem(types) !== null) return
    const webhook = {
      url,
      types: types && [...types],
      ...(isOfCampaign && campaign !== null && { campaignId: campaign.id }),
    }
    const { data } = await action.run(() => client.webhooks.create(webhook))
    if (data !== null) onCreated(data)
  }

  return (
    <Form name="Add a webhook" submit="Add" onSubmit={create} onCancel={onCancel} {...action}>
      <TextField
        label="URL"
        problem={isTried ? urlProblem : null}
        type="url"
        placeholder="https://crm.example.com/hooks"
        value={url}
        onText={(text) => setUrl(text.trim())}
      />
      <WebhookEvents types={types} onTypes={setTypes} problem={isTried ? typesProblem(types) : null} />
      {rights.company && campaign !== null && (
        <Tick checked={isOfCampaign} onTick={setIsOfCampaign}>
          Only for {campaign.name}
        </Tick>
      )}
    </Form>
  )
}

type ChangeProps = {
  readonly types: Types
  /** Null: saved, and this form closes. */
  readonly onSave: (types: Types) => Promise<string | null>
  readonly onCancel: () => void
}

const isSame = (one: Types, other: Types) =>
  JSON.stringify(one?.toSorted()) === JSON.stringify(other?.toSorted())

export function ChangeEvents({ types, onSave, onCancel }: ChangeProps) {
  const [chosen, setChosen] = useState<Types>(types)
  const problem = typesProblem(chosen)
  const save = async () => problem ?? onSave(chosen)
  useUnsaved(!isSame(chosen, types), save)
  return (
    <Form name="Change events" submit="Save" onSubmit={save} onCancel={onCancel}>
      <WebhookEvents types={chosen} onTypes={setChosen} problem={problem} />
    </Form>
  )
}
