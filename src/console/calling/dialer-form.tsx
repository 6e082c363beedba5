// Sets who calls, in one form: the customer's own agents, which removes the dialer, or a preset with its variables and
// secrets. The service judges what is entered.
import { useState } from 'preact/hooks'
import { hashOf } from '../place.ts'
import { settle } from '../service/answer.ts'
import { useAction } from '../service/use-action.ts'
import { useEdits } from '../settings/edits.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Tick } from '../ui/controls.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Radio } from '../ui/fields/select.tsx'
import { Form } from '../ui/form.tsx'
import { Question } from '../ui/question.tsx'
import { useUnsaved } from '../ui/unsaved.ts'
import { changeOf, kinds, nameOf, ownAgents, type Values, valuesOf } from './dialer-change.ts'
import { SecretField, VariableField } from './dialer-field.tsx'
import type { Dialer, DialerPreset, DialerRequests } from './dialer-requests.ts'

type Props = {
  readonly campaignId: string
  /** Null: the campaign has none. */
  readonly dialer: Dialer | null
  readonly presets: readonly DialerPreset[]
  readonly requests: DialerRequests
  /** Null: it was removed. */
  readonly onDialer: (dialer: Dialer | null) => void
}

export function DialerForm({ campaignId, dialer, presets, requests, onDialer }: Props) {
  const edits = useEdits<Values>(valuesOf(dialer, presets))
  const { shown, edited, isEdited } = edits
  const [isAsked, setIsAsked] = useState(false)
  const { isBusy, feedback, run, setFeedback } = useAction()
  const { who } = shown
  const preset = presets.find(({ name }) => name === who)
  const isSame = who === dialer?.preset
  const isRemoval = who === ownAgents && dialer !== null
  const edit = (members: Partial<Values>) => {
    setFeedback(null)
    edits.edit(members)
  }

  /** Null: saved. */
  const save = async (): Promise<string | null> => {
    const change = changeOf(shown, edited, isSame, preset)
    const { data, error } = await run(
      () => (isSame ? requests.update(change) : requests.set(change)),
      'Saved.',
    )
    if (data === null) return error
    edits.settle(edited)
    onDialer(data)
    return null
  }
  const submit = () => {
    if (isRemoval) setIsAsked(true)
    else if (isEdited && who !== ownAgents) return save()
    else setFeedback({ text: 'Nothing was changed.', isFailure: false })
  }
  const remove = async () => {
    const { error, status } = await settle(requests.remove())
    setIsAsked(false)
    // Also when somebody else removed it first.
    const isRemoved = error === null || status === 404
    setFeedback({ text: isRemoved ? 'Removed.' : error, isFailure: !isRemoved })
    if (!isRemoved) return
    edits.undo()
    onDialer(null)
  }
  useUnsaved(isEdited, who === ownAgents ? null : save)

  const fields = kinds.flatMap((kind) => preset?.[kind].map((field) => ({ ...field, kind })) ?? [])
  const paths = ['maxLive', ...fields.map(({ kind, name }) => `${kind}.${name}`)]
  const failure = feedback?.isFailure ? feedback.text : null
  /** The message of the service begins with the field's name. */
  const wrong = paths.find((path) => failure?.startsWith(`${path} `))
  const problemOf = (path: string) => (path === wrong ? failure : null)
  const choice = (name: string, title: string, about?: string) => (
    <Radio key={name} name="who" checked={who === name} onChoose={() => edit({ who: name })}>
      {title}
      {about && <span class="muted small">{about}</span>}
    </Radio>
  )

  return (
    <>
      <Form
        name="Who calls"
        submit="Save"
        onSubmit={submit}
        isBusy={isBusy}
        feedback={wrong === undefined ? feedback : null}
      >
        <fieldset class="group">
          <legend class="unseen">Who calls</legend>
          {choice(ownAgents, 'Your own agents', 'They claim leads by the API.')}
          {presets.map(({ name, title, secrets }) =>
            choice(
              name,
              title,
              secrets.length > 0 ? 'The service calls by your account there.' : 'Dials nothing.',
            ),
          )}
          {dialer?.template && choice(dialer.preset, 'Your own template')}
        </fieldset>
        {who === ownAgents ? (
          <p>
            <a href={hashOf(campaignId, 'connect', 'agent')}>How to start an agent</a>
          </p>
        ) : (
          <>
            {fields.map((field) => {
              const name = nameOf(who, field.kind, field.name)
              const input = {
                field,
                problem: problemOf(`${field.kind}.${field.name}`),
                value: String(shown[name]),
                onText: (text: string) => edit({ [name]: text.trim() }),
              }
              return field.kind === 'variables' ? (
                <VariableField key={name} {...input} />
              ) : (
                <SecretField key={name} {...input} saved={isSame ? dialer.secrets[field.name] : undefined} />
              )
            })}
            {dialer?.template && isSame && (
              <>
                <p class="muted">Template, variables and secrets are set through the API.</p>
                <CodeBlock text={JSON.stringify(dialer.template, null, 2)} what="the template" />
              </>
            )}
            <TextField
              label="Calls at once"
              hint="1 to 100. The limits and the pace of the campaign hold as well."
              problem={problemOf('maxLive')}
              inputMode="numeric"
              value={shown.maxLive}
              onText={(text) => edit({ maxLive: text.trim() })}
            />
            <Tick checked={shown.enabled} onTick={(enabled) => edit({ enabled })}>
              On: call leads as soon as they may be called
            </Tick>
          </>
        )}
      </Form>
      {isAsked && isRemoval && (
        <Question
          text="Remove the dialer and its secrets? It starts no more calls. Live calls end and are reported."
          yes="Yes, remove it"
          isDangerous
          onYes={remove}
          onCancel={() => setIsAsked(false)}
        />
      )}
    </>
  )
}
