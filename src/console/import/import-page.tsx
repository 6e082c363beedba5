// The import of a CSV file: choose it, check its columns and errors, then send it.
import { useRef, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { zoneOf } from '../ui/words/zone-time.ts'
import { ImportCheck } from './import-check.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportReadings } from './import-readings.tsx'
import type { ImportRun } from './run-import.ts'

type Props = { readonly campaign: Campaign; readonly run: ImportRun }

export function ImportPage({ campaign, run }: Props) {
  const { view } = run
  return (
    <div class="import">
      <section class="card" aria-labelledby="import-title">
        <div class="card-head">
          <h1 id="import-title">Import leads</h1>
          {view.step !== 'pick' && !view.isSending && (
            <button type="button" onClick={run.reset}>
              Choose another file
            </button>
          )}
        </div>
        {view.failure !== null && (
          <p role="alert" class="failure">
            {view.failure}
          </p>
        )}
        {view.step === 'pick' ? (
          <PickFile onFile={(file) => run.pick(file, zoneOf(campaign))} campaign={campaign} />
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
      </section>
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
      class={isOver ? 'drop over' : 'drop'}
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
        Drop a CSV file here, or{' '}
        <button type="button" class="primary" onClick={() => input.current?.click()}>
          Choose a file
        </button>
      </p>
      <input
        ref={input}
        class="unseen"
        type="file"
        tabIndex={-1}
        aria-label="CSV file"
        accept=".csv,.tsv,.txt,.xlsx,.xls,text/csv"
        onChange={({ currentTarget }) => take(currentTarget.files)}
      />
      <p class="muted small">
        CSV in UTF-8, phone numbers in any form. You see how each is read before anything is sent. Leads that
        are in {campaign.name} already stay unchanged. To resume an import, choose the same file again.
      </p>
    </div>
  )
}
