// Adds do-not-call numbers, pasted or from a file, after a preview. What was not added stays in the box or in a file to
// download.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { FileQuestion as Question } from '../../../queue/leads/file/open/opened-file.ts'
import type { Campaign } from '../../../sdk/src/models.ts'
import { FileQuestion } from '../../import/file-question.tsx'
import type { FromWorker, ToWorker } from '../../import/import-messages.ts'
import { startWorker } from '../../import/start-worker.ts'
import type { Feedback } from '../../service/answer.ts'
import { useSession } from '../../service/session.ts'
import { Button, Tick } from '../../ui/controls.tsx'
import { CountryField } from '../../ui/fields/country-field.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { loadNumberRules, type NumberChoices, rulesMissing } from '../number-rules.ts'
import { NumbersFile, type Opened } from './numbers-file.tsx'
import { type NumbersInText, readNumbers } from './numbers-in-text.ts'
import { addNumbers } from './suppressed-numbers.ts'

type Props = {
  /** Null: numbers are for the whole company. */
  readonly campaign: Campaign | null
  readonly onAdded: () => unknown
  readonly onFeedback: (feedback: Feedback | null) => void
  /** The result of the last action. */
  readonly children: ComponentChildren
}

/** Reads numbers, and keeps what it learns: which countries there are, and of which one they seem to be. */
function useNumbersRead(fail: (text: string) => void) {
  const [countries, setCountries] = useState<readonly string[]>([])
  const [guess, setGuess] = useState<string | null>(null)
  /** Null: not read, and the person knows why. */
  const read = async (text: string, choices: NumberChoices): Promise<NumbersInText | null> => {
    const rules = await loadNumberRules(choices)
    if (rules === null) fail(rulesMissing)
    if (rules === null) return null
    const found = await readNumbers(text, rules.read)
    setCountries(rules.countries)
    if (text !== '') setGuess(rules.guess())
    return found
  }
  return { countries, guess, read }
}

export function SuppressNumbers({ campaign, onAdded, onFeedback, children }: Props) {
  const { client, rights } = useSession()
  const [text, setText] = useState('')
  // The law's scope: who asks not to be called means every campaign.
  const [isForCompany, setIsForCompany] = useState(rights.company || campaign === null)
  const [choices, setChoices] = useState<NumberChoices>({ country: null, turnedOff: [] })
  const fail = (text: string) => onFeedback({ text, isFailure: true })
  const { countries, guess, read } = useNumbersRead(fail)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [asked, setAsked] = useState<{ readonly file: File; readonly question: Question } | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const isLeft = opened?.added == null || opened.found.invalid.length + opened.added.left.length > 0
  useUnsaved(text.trim() !== '' || (opened !== null && isLeft))
  const choose = async (next: NumberChoices) => {
    setChoices(next)
    if (opened === null || opened.added !== null) return
    const found = await read(opened.text, next)
    if (found !== null) setOpened((now) => now && { ...now, found })
  }
  const target = campaign === null || isForCompany ? null : campaign
  const send = async (numbers: readonly string[]) => {
    const added = await addNumbers(client, numbers, target === null ? {} : { campaignId: target.id })
    onAdded()
    return added
  }
  const busy = async (work: () => Promise<void>) => {
    if (isBusy) return
    setIsBusy(true)
    onFeedback(null)
    await work()
    setIsBusy(false)
  }
  const sendOpened = (file: Opened) =>
    busy(async () => {
      const { found, added: before } = file
      const added = await send(before?.left ?? found.valid.map(({ number }) => number))
      if (added.error !== null) fail(added.error)
      const sum = sumOf(added, before)
      const left = [...found.invalid.map(({ value }) => value), ...sum.left].join('\n')
      setOpened({ ...file, text: left, added: sum })
      if (file.isPasted) setText((now) => (now === file.text ? left : now))
    })
  const preview = async (name: string, text: string, isPasted: boolean) => {
    const found = await read(text, choices)
    if (found !== null) setOpened({ name, isPasted, text, found, added: null })
  }
  const checkPasted = () =>
    busy(async () => {
      if (text.trim() === '') fail('Enter phone numbers first.')
      else await preview('Pasted numbers', text, true)
    })
  const open = (file: File, sheet?: string) =>
    busy(async () => {
      setAsked(null)
      const read = await readInWorker(file, sheet)
      if (read.kind === 'text') await preview(file.name, read.text, false)
      else if (read.kind === 'view' && read.view.question) setAsked({ file, question: read.view.question })
      else if (read.kind === 'view') fail(read.view.failure ?? '')
    })

  return (
    <>
      <form
        class="group"
        onSubmit={(event) => {
          event.preventDefault()
          void checkPasted()
        }}
      >
        <TextField
          label="Phone numbers"
          rows={3}
          placeholder="One or many, such as +14155550123"
          value={text}
          onText={(typed) => {
            setText(typed)
            // What is shown is what is added.
            setOpened((now) => (now?.isPasted && now.added === null ? null : now))
          }}
        />
        <CountryField
          countries={countries}
          country={choices.country}
          guess={guess}
          onCountry={(country) => choose({ ...choices, country })}
          onFocus={() => countries.length === 0 && read('', choices)}
        />
        <div class="line">
          {campaign !== null && rights.company && (
            <Tick checked={isForCompany} onTick={setIsForCompany}>
              In all campaigns
            </Tick>
          )}
          <Button type="submit" class={opened === null ? 'primary' : ''} isOff={isBusy}>
            Check numbers
          </Button>
          {/* The result of an earlier file stays until it is closed. */}
          {opened === null && <FileButton onFile={open} />}
        </div>
      </form>
      {children}
      {asked !== null && (
        <FileQuestion question={asked.question} onAnswer={({ sheet }) => open(asked.file, sheet)} />
      )}
      {opened !== null && (
        <NumbersFile
          opened={opened}
          target={target === null ? 'all campaigns' : target.name}
          turnedOff={choices.turnedOff}
          onTurnedOff={(turnedOff) => choose({ ...choices, turnedOff })}
          isSending={isBusy}
          onSend={() => sendOpened(opened)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}

const FileButton = ({ onFile }: { readonly onFile: (file: File) => Promise<void> }) => (
  <label class="file">
    Import a file
    <input
      class="unseen"
      type="file"
      accept=".csv,.tsv,.txt,.xlsx,.xls"
      onChange={async ({ currentTarget }) => {
        const [file] = currentTarget.files ?? []
        if (file !== undefined) await onFile(file)
        currentTarget.value = ''
      }}
    />
  </label>
)

/** Read in the worker of the import, which knows all kinds of files. `sheet`: the answer, where it asks. */
async function readInWorker(file: File, sheet?: string): Promise<FromWorker> {
  const worker = startWorker()
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => resolve(data)
      worker.onerror = () => resolve({ kind: 'view', view: { failure: 'The file could not be read.' } })
      worker.postMessage({ kind: 'text', file, sheet } satisfies ToWorker)
    })
  } finally {
    worker.terminate()
  }
}

type Added = NonNullable<Opened['added']>

const sumOf = (added: Added, before: Added | null): Added => ({
  ...added,
  added: added.added + (before?.added ?? 0),
  existing: added.existing + (before?.existing ?? 0),
})
