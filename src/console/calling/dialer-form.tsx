// Sets a dialer: the variables and secrets of its preset, how many calls at once, and whether it is on. The service
// judges what is entered.
import { useEffect, useState } from 'preact/hooks'
import type { Dialer, DialerPreset, SetDialer } from '../../sdk/src/models.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { useEdits } from '../settings/edits.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Tick } from '../ui/controls.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Form } from '../ui/form.tsx'
import { useUnsaved } from '../ui/unsaved.ts'
import { changeOf, DialerField, fieldsOf, type Values, valuesOf } from './dialer-fields.tsx'
import { describeStart, hearsNothing } from './dialer-words.ts'

type Props = {
  /** The name of a preset, or `custom`. */
  readonly who: string
  readonly preset: DialerPreset | undefined
  /** Null: the campaign has none. */
  readonly dialer: Dialer | null
  readonly campaignId: string
  readonly onDialer: (dialer: Dialer) => void
}

export function DialerForm({ who, preset, dialer, campaignId, onDialer }: Props) {
  const { campaigns } = useSession().client
  const isSame = dialer?.preset === who
  const fields = fieldsOf(preset)
  const { shown, edited, isEdited, edit, settle } = useEdits<Values>(valuesOf(dialer, isSame, fields))
  const { isBusy, feedback, run, setFeedback } = useAction()
  const [callable, setCallable] = useState<number>()
  // Not with each round: it looks at thousands of leads. Where it cannot be read, nothing is missing.
  useEffect(() => {
    if (shown.enabled)
      campaigns.preview(campaignId).then(
        ({ callableNow }) => setCallable(callableNow),
        () => {},
      )
  }, [shown.enabled])
  const change = (members: Partial<Values>) => {
    setFeedback(null)
    edit(members)
  }
  /** Null: saved. */
  const save = async (): Promise<string | null> => {
    const { data, error } = await run(
      () =>
        isSame
          ? campaigns.dialer.update(campaignId, changeOf(edited, true))
          : campaigns.dialer.set(campaignId, {
              ...changeOf(shown, false),
              preset: who as SetDialer['preset'],
            }),
      'Saved.',
    )
    if (data === null) return error
    settle(edited)
    onDialer(data)
    return null
  }
  useUnsaved(isEdited || !isSame, save)
  const failure = feedback?.isFailure ? feedback.text : null
  /** The message of the service begins with the field's name. */
  const wrong = ['maxLive', ...fields.map(({ path }) => path)].find((path) => failure?.startsWith(`${path} `))
  const problemOf = (path: string) => (path === wrong ? failure : null)
  return (
    <Form
      name="The dialer"
      submit={shown.enabled ? describeStart(callable) : 'Save'}
      onSubmit={save}
      isBusy={isBusy}
      feedback={wrong === undefined ? feedback : null}
    >
      {preset?.isProven === false && (
        <p class="muted">
          Built from its maker’s documentation, not yet proven by a call: test it with your own phone, and
          tell us what you see.
        </p>
      )}
      {fields.map((field) => (
        <DialerField
          key={field.path}
          field={field}
          value={String(shown[field.path])}
          problem={problemOf(field.path)}
          saved={isSame && field.isSecret ? dialer.secrets[field.name] : undefined}
          onText={(text) => change({ [field.path]: text })}
        />
      ))}
      {dialer?.template && isSame && (
        <>
          <p class="muted">Template, variables and secrets are set through the API.</p>
          <CodeBlock text={JSON.stringify(dialer.template, null, 2)} what="the template" />
        </>
      )}
      <TextField
        label="Calls at once"
        hint="1 to 100, within the campaign’s limits."
        problem={problemOf('maxLive')}
        inputMode="numeric"
        value={shown.maxLive}
        onText={(text) => change({ maxLive: text.trim() })}
      />
      <Tick checked={shown.enabled} onTick={(enabled) => change({ enabled })}>
        On: call leads as soon as they may be called
      </Tick>
      {preset?.hearsNo === false && <p class="failure">{hearsNothing}</p>}
    </Form>
  )
}
