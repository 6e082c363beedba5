// Sets a dialer: the variables and secrets of its preset, how many calls at once, and whether it is on. The service
// judges what is entered.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign, CampaignPreview, Dialer, DialerPreset, SetDialer } from '../../sdk/src/models.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { useEdits } from '../settings/edits.ts'
import { Tick } from '../ui/controls.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Form } from '../ui/form.tsx'
import { useUnsaved } from '../ui/unsaved.ts'
import { changeOf, DialerField, fieldsOf, type Values, valuesOf } from './dialer-fields.tsx'
import { describeCalls, describeStart, hearsNothing } from './dialer-words.ts'
import { TemplateField } from './template-field.tsx'
import { fieldsOfText, readText, textOf, type Wrong, wrongAt } from './template-text.ts'

type Props = {
  /** The name of a preset, or `custom`. */
  readonly who: string
  readonly preset: DialerPreset | undefined
  /** Null: the campaign has none. */
  readonly dialer: Dialer | null
  readonly campaign: Campaign
  /** What a new template begins as. */
  readonly startsAs: object | undefined
  readonly onDialer: (dialer: Dialer) => void
}

export function DialerForm({ who, preset, dialer, campaign, startsAs, onDialer }: Props) {
  const { campaigns } = useSession().client
  const isSame = dialer?.preset === who
  const isOwn = preset === undefined
  const saved = isSame && dialer.template ? textOf(dialer.template) : null
  const [template, setTemplate] = useState(saved ?? textOf(startsAs ?? {}))
  const isTemplateEdited = isOwn && template !== saved
  const fields = fieldsOf(preset ?? fieldsOfText(template))
  const { shown, edited, isEdited, edit, settle } = useEdits<Values>(valuesOf(dialer, isSame, fields))
  const { isBusy, feedback, run, setFeedback } = useAction()
  const [preview, setPreview] = useState<CampaignPreview>()
  const [badJson, setBadJson] = useState<Wrong | null>(null)
  // Not with each round: it looks at thousands of leads. Where it cannot be read, nothing is missing.
  useEffect(() => {
    if (shown.enabled) campaigns.preview(campaign.id).then(setPreview, () => {})
  }, [shown.enabled])
  const change = (members: Partial<Values>) => {
    setFeedback(null)
    setBadJson(null)
    edit(members)
  }
  /** Null: saved. */
  const save = async (): Promise<string | null> => {
    const read = isTemplateEdited ? readText(template) : null
    if (read !== null && 'problem' in read) {
      setBadJson(read)
      return read.problem
    }
    const { data, error } = await run(
      () =>
        isSame
          ? campaigns.dialer.update(campaign.id, { ...changeOf(edited, true), ...read })
          : campaigns.dialer.set(campaign.id, {
              ...changeOf(shown, false),
              ...read,
              preset: who as SetDialer['preset'],
            }),
      'Saved.',
    )
    if (data === null) return error
    settle(edited)
    onDialer(data)
    return null
  }
  useUnsaved(isEdited || isTemplateEdited || !isSame, save)
  const failure = feedback?.isFailure ? feedback.text : null
  /** The message of the service begins with the field's name. */
  const wrong = ['maxLive', ...fields.map(({ path }) => path)].find((path) => failure?.startsWith(`${path} `))
  const problemOf = (path: string) => (path === wrong ? failure : null)
  const wrongText = badJson ?? (isOwn && failure?.startsWith('template') ? wrongAt(template, failure) : null)
  return (
    <Form
      name="The dialer"
      submit={shown.enabled ? describeStart(preview?.callableNow) : 'Save'}
      onSubmit={save}
      isBusy={isBusy}
      feedback={wrong === undefined && wrongText === null ? feedback : null}
    >
      {preset?.isProven === false && (
        <p class="muted">
          Built from its maker’s documentation, not yet proven by a call: test it with your own phone, and
          tell us what you see.
        </p>
      )}
      {isOwn && (
        <TemplateField
          text={template}
          wrong={wrongText}
          onText={(text) => {
            setTemplate(text)
            change({})
          }}
        />
      )}
      {fields.map((field) => (
        <DialerField
          key={field.path}
          field={field}
          value={String(shown[field.path])}
          problem={problemOf(field.path)}
          saved={isSame && field.isSecret && !isTemplateEdited ? dialer.secrets[field.name] : undefined}
          onText={(text) => change({ [field.path]: text })}
        />
      ))}
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
      {shown.enabled && preview !== undefined && (
        <p role="status">{describeCalls(preview, campaign, serviceNow())}</p>
      )}
      {preset?.hearsNo === false && <p class="failure">{hearsNothing}</p>}
    </Form>
  )
}
