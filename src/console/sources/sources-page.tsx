// The sources of a campaign: addresses to which forms, ads and CRMs post, without a key.
import { useEffect, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { type Round, useData } from '../service/use-reading.ts'
import { Card } from '../ui/card.tsx'
import { Failure, Result } from '../ui/feedback.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Form } from '../ui/form.tsx'
import { type Numbers, NumbersFields, useNumbers } from './numbers-form.tsx'
import { SourceCard } from './source-card.tsx'

type Props = { readonly campaign: Campaign; readonly round: Round }

export function SourcesPage({ campaign, round }: Props) {
  const { client } = useSession()
  const list = useData(() => client.campaigns.sources.list(campaign.id), round, true)
  const [isAdding, setIsAdding] = useState(false)
  const [result, setResult] = useState('')
  const sources = list.data
  const isOpen = isAdding || sources?.length === 0
  return (
    <div class="stack">
      <Card
        title="Sources"
        isMain
        add={sources !== null && !isOpen && ['Add a source', () => setIsAdding(true)]}
      >
        <p class="muted">
          An address to which any form, ad or CRM posts a lead as it is, without a key.{' '}
          <a href="/docs/connect/sources">What it reads</a>
        </p>
        <Failure>{list.failure}</Failure>
        <Result>{result}</Result>
        {isOpen && (
          <AddSource
            campaign={campaign}
            onCancel={sources?.length === 0 ? undefined : () => setIsAdding(false)}
            onAdded={() => {
              setIsAdding(false)
              setResult('')
              void list.load()
            }}
          />
        )}
      </Card>
      {sources?.map((source) => (
        <SourceCard
          key={source.sourceId}
          campaign={campaign}
          source={source}
          onChanged={(changed) =>
            list.setData(
              (all) => all?.map((one) => (one.sourceId === changed.sourceId ? changed : one)) ?? null,
            )
          }
          onRemoved={() => {
            setResult(`Removed ${source.name}.`)
            list.setData((all) => all?.filter((one) => one.sourceId !== source.sourceId) ?? null)
          }}
        />
      ))}
    </div>
  )
}

type AddProps = {
  readonly campaign: Campaign
  readonly onAdded: () => void
  readonly onCancel: (() => void) | undefined
}

function AddSource({ campaign, onAdded, onCancel }: AddProps) {
  const { client } = useSession()
  const [name, setName] = useState('Contact form')
  const [guess, setGuess] = useState('')
  /** Null: nobody has said. */
  const [said, setNumbers] = useState<Numbers | null>(null)
  const numbers = said ?? { countries: guess, national: undefined, timeZones: {} }
  useEffect(() => void guessCountry(campaign.timeZone).then(setGuess), [])
  const read = useNumbers(campaign, numbers)
  const [isTried, setIsTried] = useState(false)
  const action = useAction()
  const add = async () => {
    setIsTried(true)
    const sent = await read.findSent()
    if (name.trim() === '' || sent === null) return
    const made = { name: name.trim(), ...sent }
    const { data } = await action.run(() => client.campaigns.sources.create(campaign.id, made))
    if (data !== null) onAdded()
  }
  return (
    <Form name="Add a source" submit="Add" onSubmit={add} onCancel={onCancel} {...action}>
      <TextField
        label="Name"
        maxLength={100}
        value={name}
        onText={setName}
        problem={isTried && name.trim() === '' ? 'Enter a name.' : null}
      />
      <NumbersFields numbers={numbers} read={read} isTried={isTried} onNumbers={setNumbers} />
    </Form>
  )
}

/** The country of the time zone, else of the browser’s language. Empty: it is not known. */
async function guessCountry(timeZone: string | null): Promise<string> {
  // Large: with the rules of phone numbers.
  const { countryOfZone } = await import('../../queue/leads/file/readers.ts')
  const ofZone = timeZone === null ? undefined : countryOfZone(timeZone)
  return ofZone ?? new Intl.Locale(navigator.language).maximize().region ?? ''
}
