// Adds do-not-call numbers, pasted or from a file. What was not added stays in the box or in a file to download.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Campaign } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { Button, Tick } from '../../ui/controls.tsx'
import type { Feedback } from '../../ui/feedback.tsx'
import { readTextFile } from '../../ui/text-file.ts'
import { useUnsaved } from '../../ui/unsaved.ts'
import { NotAdded } from './not-added.tsx'
import { describeAdded, NumbersFile, type Opened } from './numbers-file.tsx'
import { type InvalidNumber, readNumbers } from './numbers-in-text.ts'
import { addNumbers } from './suppressed-numbers.ts'

type Props = {
  readonly campaign: Campaign | null
  readonly onAdded: () => unknown
  readonly onFeedback: (feedback: Feedback | null) => void
  /** The result of the last action. */
  readonly children: ComponentChildren
}

export function SuppressNumbers({ campaign, onAdded, onFeedback, children }: Props) {
  const { ask, rights } = useSession()
  const [text, setText] = useState('')
  // The law's scope: who asks not to be called means every campaign.
  const [isForCompany, setIsForCompany] = useState(rights.company)
  const [invalid, setInvalid] = useState<readonly InvalidNumber[]>([])
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isSending, setIsSending] = useState(false)
  useUnsaved(text.trim() !== '' || opened !== null)
  const fail = (text: string) => onFeedback({ text, isFailure: true })

  const send = async (numbers: readonly string[]) => {
    setIsSending(true)
    const added = await addNumbers(
      ask,
      numbers,
      isForCompany || campaign === null ? {} : { campaignId: campaign.id },
    )
    setIsSending(false)
    onAdded()
    return added
  }
  const sendPasted = async () => {
    if (isSending) return
    const { valid, invalid } = readNumbers(text)
    setInvalid(invalid)
    if (valid.length === 0) return fail('No phone number found. Write numbers as +14155550123.')
    onFeedback(null)
    const added = await send(valid.map(({ number }) => number))
    const left = [...invalid.map(({ value }) => value), ...added.left]
    const result = describeAdded(added, left.length)
    onFeedback({ text: `${result} ${added.error ?? ''}`, isFailure: added.error !== null })
    setText((now) => (now === text ? left.join('\n') : now))
  }
  const sendOpened = async ({ name, found, added: before }: Opened) => {
    onFeedback(null)
    const added = await send(before?.left ?? found.valid.map(({ number }) => number))
    if (added.error !== null) fail(added.error)
    setOpened({
      name,
      found,
      added: {
        ...added,
        added: added.added + (before?.added ?? 0),
        existing: added.existing + (before?.existing ?? 0),
      },
    })
  }
  const open = async (file: File) => {
    const { text, problem } = await readTextFile(file)
    onFeedback(problem === null ? null : { text: problem, isFailure: true })
    setOpened(text === null ? null : { name: file.name, found: readNumbers(text), added: null })
  }

  return (
    <>
      <form
        class="suppress"
        onSubmit={(event) => {
          event.preventDefault()
          void sendPasted()
        }}
      >
        <label>
          Phone numbers
          <textarea
            rows={2}
            value={text}
            placeholder="+14155550123, one or many"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <div class="line">
          {rights.company && (
            <Tick checked={isForCompany} onTick={setIsForCompany}>
              In all campaigns
            </Tick>
          )}
          <Button type="submit" class="primary" isOff={isSending}>
            Add numbers
          </Button>
          {/* The result of an earlier file stays until it is closed. */}
          {opened === null && (
            <label class="file">
              Import a file
              <input
                class="unseen"
                type="file"
                accept=".csv,.tsv,.txt"
                onChange={async ({ currentTarget }) => {
                  const [file] = currentTarget.files ?? []
                  if (file !== undefined) await open(file)
                  currentTarget.value = ''
                }}
              />
            </label>
          )}
        </div>
      </form>
      {children}
      {invalid.length > 0 && opened === null && <NotAdded invalid={invalid} />}
      {opened !== null && (
        <NumbersFile
          opened={opened}
          target={isForCompany || campaign === null ? 'all campaigns' : campaign.name}
          isSending={isSending}
          onSend={() => sendOpened(opened)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
