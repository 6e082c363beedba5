// The import of a file: choose it, check its columns and errors, then send it.
import { useRef, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { Card } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { FileQuestion } from './file-question.tsx'
import { ImportCheck } from './import-check.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportReadings } from './import-readings.tsx'
import type { ImportRun } from './run-import.ts'

type Props = { readonly campaign: Campaign; readonly run: ImportRun }

export function ImportPage({ campaign, run }: Props) {
  const { view } = run
  return (
    <div class="import stack">
      <Card
        isMain
        title="Import leads"
        side={
          view.step !== 'pick' && !view.isSending && <Button onClick={run.reset}>Choose another file</Button>
        }
      >
        <Failure>{view.failure}</Failure>
        {view.step === 'pick' ? (
          <PickFile onFile={(file) => run.pick(file, campaign.timeZone)} campaign={campaign} />
        ) : view.question !== null ? (
          <FileQuestion question={view.question} onAnswer={(form) => run.answer(form, campaign.timeZone)} />
        ) : view.step === 'open' ? (
          <p class="muted" role="status">
            Reading {view.fileName}…
          </p>
        ) : (
          <p>
            <strong>{view.fileName}</strong> <span class="muted">into {campaign.name}</span>
          </p>
        )}
        {view.step === 'map' && <ImportColumns run={run} />}
        {view.step === 'map' && <ImportReadings run={run} />}
        {(view.step === 'send' || view.step === 'done') && <ImportProgress run={run} campaign={campaign} />}
      </Card>
      {view.step === 'map' && <ImportCheck run={run} />}
    </div>
  )
}

type PickProps = { readonly onFile: (file: File) => void; readonly campaign: Campaign }

function PickFile({ onFile, campaign }: PickProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file !== undefined) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the pointer; the button does the same.
    <div
      class={isOver ? 'drop group over' : 'drop group'}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        take(event.dataTransfer?.files)
      }}
    >
      <p>
        Drop a CSV file or workbook here, or{' '}
        <Button class="primary" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
      </p>
      <input
        ref={input}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label="CSV file or workbook"
        accept=".csv,.tsv,.txt,.xlsx,.xls,text/csv"
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
      <p class="muted small">
        CSV or .xlsx, phone numbers in any form. You see how each is read before anything is sent. Leads that
        are in {campaign.name} already stay unchanged. To resume an import, choose the same file again.
      </p>
    </div>
  )
}
