// Suppresses numbers, pasted or from a file. What was not added stays: in the box, or in a file to download.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useSession } from '../../service/session.ts'
import type { Campaign } from '../../service/wire.ts'
import { readTextFile } from '../../ui/text-file.ts'
import { useUnsaved } from '../../ui/unsaved.ts'
import { NotAdded } from './not-added.tsx'
import { describeAdded, NumbersFile, type Opened } from './numbers-file.tsx'
import { type NotTaken, readNumbers } from './numbers-in-text.ts'
import { addNumbers } from './suppressed-numbers.ts'

type Props = {
  readonly campaign: Campaign
  readonly onAdded: () => void
  readonly onResult: (text: string | null) => void
  readonly onFault: (text: string | null) => void
  /** The lines of the last result. */
  readonly children: ComponentChildren
}

export function SuppressNumbers({ campaign, onAdded, onResult, onFault, children }: Props) {
  const { ask, rights } = useSession()
  const [text, setText] = useState('')
  const [isForCompany, setIsForCompany] = useState(false)
  const [kept, setKept] = useState<readonly NotTaken[]>([])
  const [opened, setOpened] = useState<Opened | null>(null)
  const [isSending, setIsSending] = useState(false)
  useUnsaved(text.trim() !== '' || opened !== null)

  const send = async (numbers: readonly string[]) => {
    setIsSending(true)
    const added = await addNumbers(ask, numbers, isForCompany ? {} : { campaignId: campaign.id })
    setIsSending(false)
    onFault(added.error)
    onAdded()
    return added
  }
  const sendPasted = async () => {
    if (isSending) return
    const { taken, notTaken } = readNumbers(text)
    onResult(null)
    setKept(notTaken)
    if (taken.length === 0) return onFault('No phone number found. Write them as +14155550123.')
    const added = await send(taken.map(({ number }) => number))
    const left = [...notTaken.map(({ value }) => value), ...added.left]
    onResult(describeAdded(added, left.length))
    setText((now) => (now === text ? left.join('\n') : now))
  }
  const sendOpened = async ({ name, found, added: before }: Opened) => {
    if (isSending) return
    const added = await send(before?.left ?? found.taken.map(({ number }) => number))
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
    onResult(null)
    onFault(problem)
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
          Never call these
          <textarea
            rows={2}
            value={text}
            placeholder="+14155550123, one or many"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <div class="line">
          {rights.company && (
            <label class="tick">
              <input
                type="checkbox"
                checked={isForCompany}
                onChange={({ currentTarget }) => setIsForCompany(currentTarget.checked)}
              />
              In all campaigns
            </label>
          )}
          <button type="submit" class="primary" aria-disabled={isSending}>
            Suppress
          </button>
          {/* What was not added of a file before is there until it is closed. */}
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
      {kept.length > 0 && opened === null && <NotAdded notTaken={kept} />}
      {opened !== null && (
        <NumbersFile
          opened={opened}
          target={isForCompany ? 'all campaigns' : campaign.name}
          isSending={isSending}
          onSend={() => sendOpened(opened)}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
