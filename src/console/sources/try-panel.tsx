// Says what would become of a post, by a body that a person pastes. Stores nothing.
import { useState } from 'preact/hooks'
import { type FileField, fieldName } from '../../queue/leads/file/columns.ts'
import type { SourceTried } from '../../sdk/src/models.ts'
import { sentence } from '../import/file/judge-rows.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { Facts } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Form } from '../ui/form.tsx'

type Props = { readonly campaignId: string; readonly sourceId: string }

const isJson = (text: string) => /^\s*[[{]/.test(text)

export function TryPanel({ campaignId, sourceId }: Props) {
  const { client } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const [tried, setTried] = useState<SourceTried | null>(null)
  const action = useAction()
  if (!isOpen)
    return (
      <div class="line">
        <Button onClick={() => setIsOpen(true)}>Try a post…</Button>
      </div>
    )
  const contentType = isJson(text) ? 'application/json' : 'application/x-www-form-urlencoded'
  const post = { contentType, body: text.trim() }
  const send = async () => {
    const { data } = await action.run(() => client.campaigns.sources.try(campaignId, sourceId, post))
    setTried(data)
  }
  return (
    <Form name="Try a post" submit="Try" onSubmit={send} onCancel={() => setIsOpen(false)} {...action}>
      <TextField
        label="What the system sends"
        hint="JSON, or a form such as name=Ada&phone=0171+1234567. Nothing is stored."
        rows={4}
        value={text}
        onText={setText}
      />
      {tried !== null && <Tried {...tried} />}
    </Form>
  )
}

function Tried({ phoneNumber, fields, metadata, consent, suppresses, problem, leftOut }: SourceTried) {
  const listed = (names: readonly string[]) => names.join(', ') || 'none'
  return (
    <div role="status" class="group">
      <p class={problem === null ? undefined : 'failure'}>
        {problem !== null
          ? `It would be refused: ${sentence(problem.message)}`
          : suppresses
            ? 'It says do not call: its numbers would be suppressed in this campaign.'
            : 'It would become a lead.'}
      </p>
      <Facts
        kind="fields"
        facts={[
          phoneNumber !== null && ['Phone number', `${phoneNumber.value}, from ${phoneNumber.from}`],
          ...Object.entries(fields).map(
            ([field, { from, value }]) => [fieldName(field as FileField), `${value}, from ${from}`] as const,
          ),
          ['Metadata', listed(Object.keys(metadata))],
          ['Consent', consent ? 'yes' : 'no'],
          leftOut.length > 0 && ['Left out', listed(leftOut)],
        ]}
      />
    </div>
  )
}
