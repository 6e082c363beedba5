// One source: its address in three ways, what arrived, where each field of a lead stands, its consent, and a post to
// try.
import { useState } from 'preact/hooks'
import { sourceFields } from '../../channels/sources/source-settings.ts'
import { leadFieldTable } from '../../queue/leads/field-table.ts'
import type { Campaign, ChangeSource, Source } from '../../sdk/src/models.ts'
import { sentence } from '../import/file/judge-rows.ts'
import { serviceNow } from '../service/service-clock.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { Card, Facts, StateLine } from '../ui/card.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { Button } from '../ui/controls.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Select } from '../ui/fields/select.tsx'
import { Form } from '../ui/form.tsx'
import { Question } from '../ui/question.tsx'
import { counted } from '../ui/words/number-words.ts'
import { shortTime, zoneOf } from '../ui/words/zone-time.ts'
import { NoesSection } from './noes-section.tsx'
import { NumbersSection } from './numbers-form.tsx'
import { fetchCall, htmlForm } from './snippets.ts'
import { TryPanel } from './try-panel.tsx'

type Props = {
  readonly campaign: Campaign
  readonly source: Source
  readonly onChanged: (source: Source) => void
  readonly onRemoved: () => void
}

export function SourceCard({ campaign, source, onChanged, onRemoved }: Props) {
  const { client } = useSession()
  const [asked, setAsked] = useState<'remove' | 'rotate' | null>(null)
  const { isBusy, feedback, run } = useAction()
  const { sourceId, name, url, enabled, consent, hasTurnstile } = source
  const { sources } = client.campaigns
  const change = async (changes: ChangeSource, done: string) => {
    const { data } = await run(() => sources.update(campaign.id, sourceId, changes), done)
    if (data !== null) onChanged(data)
  }
  const rotate = async () => {
    setAsked(null)
    const { data } = await run(
      () => sources.rotate(campaign.id, sourceId),
      'The old address no longer works.',
    )
    if (data !== null) onChanged(data)
  }
  const remove = async () => {
    setAsked(null)
    const { data, status } = await run(() => sources.remove(campaign.id, sourceId))
    if (data !== null || status === 404) onRemoved()
  }
  const isPublic =
    !hasTurnstile &&
    'On a public page, strangers can enter other people’s numbers: they are called \
within the limits per number. Turnstile of Cloudflare keeps robots out.'
  return (
    <Card
      title={name}
      side={
        <div class="line">
          <Button
            isOff={isBusy}
            onClick={() => change({ enabled: !enabled }, enabled ? 'Turned off.' : 'Turned on.')}
          >
            {enabled ? 'Turn off' : 'Turn on'}
          </Button>
          <Button onClick={() => setAsked('rotate')}>New address…</Button>
          <Button class="danger" onClick={() => setAsked('remove')}>
            Remove…
          </Button>
        </div>
      }
    >
      <FeedbackLine feedback={feedback} />
      {asked !== null && (
        <Question
          text={
            asked === 'remove'
              ? `Remove ${name}? What is posted to its address is lost from then on.`
              : 'Replace the address? What is posted to the old one is lost from then on.'
          }
          yes={asked === 'remove' ? 'Yes, remove it' : 'Yes, replace it'}
          isDangerous
          onYes={asked === 'remove' ? remove : rotate}
          isBusy={isBusy}
          onCancel={() => setAsked(null)}
        />
      )}
      <Received source={source} zone={zoneOf(campaign)} />
      <details open={source.received.lastAt === null}>
        <summary>How to post to it</summary>
        <div class="grid">
          <section class="group" aria-label="An HTML form">
            <h3>An HTML form</h3>
            <CodeBlock text={htmlForm(url, consent?.field ?? null, hasTurnstile)} what="the form" />
            {isPublic && <p class="muted small">{isPublic}</p>}
          </section>
          <section class="group" aria-label="Your own script">
            <h3>Your own script</h3>
            <CodeBlock text={fetchCall(url)} what="the script" />
          </section>
          <section class="group" aria-label="A form tool or CRM">
            <h3>A form tool or CRM</h3>
            <p>Paste this address where it asks for a webhook URL.</p>
            <CodeBlock text={url} what="the address" />
            <p class="muted small">
              <a href="/docs/connect">How each system does it</a>
            </p>
          </section>
        </div>
      </details>
      <NumbersSection
        key={JSON.stringify([source.countries, source.nationalCountry, source.timeZones])}
        campaign={campaign}
        source={source}
        onChange={(changes) => change(changes, 'Saved.')}
      />
      <Fields source={source} onChange={(fields) => change({ fields }, 'Saved.')} />
      <NoesSection source={source} onChange={(changes) => change(changes, 'Saved.')} />
      <ConsentForm
        key={JSON.stringify(consent)}
        source={source}
        onChange={(given) => change({ consent: given }, 'Saved.')}
      />
      <TryPanel campaignId={campaign.id} sourceId={sourceId} />
    </Card>
  )
}

function Received({ source, zone }: { readonly source: Source; readonly zone: string }) {
  const { enabled, received, lastProblem } = source
  const { stored, existing, suppressed, dropped, refused, lastAt } = received
  const time = (at: string) => shortTime(Date.parse(at), zone, serviceNow())
  const isStored = stored + existing > 0
  const last =
    lastAt === null
      ? 'Nothing has arrived yet'
      : `Last post ${time(lastAt)}${isStored ? '' : ', and none was stored'}`
  return (
    <>
      <StateLine tone={!enabled || lastAt === null ? 'calm' : isStored ? 'good' : 'act'}>
        {enabled ? last : 'Turned off'}
      </StateLine>
      <Facts
        kind="facts"
        facts={[
          ['Stored in 30 days', counted(stored)],
          ['There before', counted(existing)],
          ['Said do not call', counted(suppressed)],
          ['From robots', counted(dropped)],
          ['Refused', counted(refused)],
          lastProblem !== null && [
            'Last problem',
            `${time(lastProblem.at)}: ${sentence(lastProblem.message)}`,
          ],
        ]}
      />
    </>
  )
}

type FieldsProps = { readonly source: Source; readonly onChange: (fields: Source['fields']) => unknown }

/** Names of the last post, and those that are set. */
const namesOf = ({ lastNames, fields }: Source) =>
  [...new Set([...lastNames, ...Object.values(fields)])].filter(
    (name) => name != null && name !== '(hidden)',
  ) as string[]

function Fields({ source, onChange }: FieldsProps) {
  const { fields } = source
  const names = namesOf(source)
  if (names.length === 0) return null
  const choose = (field: string, name: string) =>
    onChange(
      Object.fromEntries(Object.entries({ ...fields, [field]: name }).filter(([, value]) => value !== '')),
    )
  return (
    <section class="group" aria-label="Where the fields stand">
      <h3>Where the fields stand</h3>
      <p class="muted small">Names of the last post. What is not taken becomes metadata.</p>
      <div class="line">
        {sourceFields.map((field) => (
          <Select
            key={field}
            label={leadFieldTable[field].label}
            value={fields[field] ?? ''}
            options={[
              ['', field === 'phoneNumber' ? 'Found by its name' : 'Not taken'],
              ...names.map((name) => [name, name] as const),
            ]}
            onChoose={(name) => choose(field, name)}
          />
        ))}
      </div>
    </section>
  )
}

type ConsentProps = { readonly source: Source; readonly onChange: (consent: Source['consent']) => unknown }

function ConsentForm({ source, onChange }: ConsentProps) {
  const { consent } = source
  const [isOpen, setIsOpen] = useState(false)
  const [purpose, setPurpose] = useState(consent?.purpose ?? 'calls')
  const [text, setText] = useState(consent?.text ?? 'I agree to be called about my request.')
  const [field, setField] = useState(consent?.field ?? '')
  const words =
    consent === null
      ? 'No consent is stored.'
      : `“${consent.text}” for ${consent.purpose}, ` +
        `${consent.field === null ? 'by every post' : `by a yes in ${consent.field}`}.`
  if (!isOpen)
    return (
      <p>
        {words}{' '}
        <Button class="link" onClick={() => setIsOpen(true)}>
          Change the consent
        </Button>
      </p>
    )
  const save = () =>
    onChange({ purpose, text, field: field || null, expiresAfterDays: consent?.expiresAfterDays ?? null })
  return (
    <Form name="Consent" submit="Save the consent" onSubmit={save} onCancel={() => setIsOpen(false)}>
      <TextField label="Purpose" value={purpose} onText={setPurpose} />
      <TextField label="Text that people agree to" rows={2} spellcheck value={text} onText={setText} />
      <TextField
        label="Name of the box"
        value={field}
        onText={setField}
        hint="A post whose box says yes gives the consent. Empty: every post does that does not refuse a call."
      />
      {consent !== null && <Button onClick={() => onChange(null)}>Store no consent</Button>}
    </Form>
  )
}
