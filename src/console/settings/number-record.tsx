// All that the company holds of a number, oldest first: looked up, read page by page, and saved as one CSV file.
import { useState } from 'preact/hooks'
import type { NumberRecord as RecordPage } from '../../sdk/src/models.ts'
import { useActorNames, useCampaignNames } from '../service/names.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { Card } from '../ui/card.tsx'
import { Button } from '../ui/controls.tsx'
import { CountryField } from '../ui/fields/country-field.tsx'
import { TextField } from '../ui/fields/field.tsx'
import { Form } from '../ui/form.tsx'
import { saveFile } from '../ui/save-file.ts'
import { DataTable } from '../ui/tables/data-table.tsx'
import { csvFile } from '../ui/text-file.ts'
import { browserZone, fullTime, zoneName } from '../ui/words/zone-time.ts'
import { useOneNumber } from './one-number.ts'
import { describeEntry } from './record-words.ts'

const path = '/api/v1/numbers/record'
type Asked = { readonly phoneNumber: string; readonly cursor?: string | null }

export function NumberRecord() {
  const { client, key } = useSession()
  const [number, setNumber] = useState('')
  const [found, setFound] = useState<(RecordPage & Asked) | null>(null)
  const { readNumber, field } = useOneNumber()
  const action = useAction()
  const { isBusy, run, setFeedback } = action
  const zone = browserZone()
  const names = { campaign: useCampaignNames(), actor: useActorNames() }
  const read = async (asked: Asked, before: RecordPage['entries']) => {
    const { data } = await run(() => client.send<RecordPage>({ method: 'POST', path, body: asked }))
    if (data !== null) setFound({ ...asked, ...data.data, entries: [...before, ...data.data.entries] })
  }
  const lookUp = async () => {
    setFound(null)
    const one = await readNumber(number)
    if ('problem' in one) setFeedback({ text: one.problem, isFailure: true })
    else await read({ phoneNumber: one.number }, [])
  }
  const save = async (phoneNumber: string) => {
    const { data: parts } = await run(() => readCsv(key, phoneNumber))
    if (parts === null) return
    const isFailure = typeof parts === 'string'
    setFeedback({ text: isFailure ? `${parts} No file was saved.` : 'Saved.', isFailure })
    if (isFailure) return
    saveFile(csvFile(parts), `record-${phoneNumber.slice(1)}.csv`)
  }
  return (
    <Card title="Record of a number">
      <p class="muted">
        All that is held of a number, also after its leads were erased. Each look-up is logged.
      </p>
      <Form name="Record of a number" submit="Look up" onSubmit={lookUp} {...action}>
        <TextField label="Phone number" value={number} placeholder="+14155550123" onText={setNumber} />
        <CountryField {...field} />
      </Form>
      <p role="status">{found && describeFound(found, zone)}</p>
      {found !== null && found.entries.length > 0 && (
        <>
          <DataTable
            name={`Record of ${found.phoneNumber}`}
            columns={[['Time'], ['What'], ['Details']]}
            rows={found.entries.map((entry, place) => ({
              key: place,
              cells: [fullTime(Date.parse(entry.at), zone), ...describeEntry(entry, zone, names)],
            }))}
          />
          <div class="line">
            {found.nextCursor !== null && (
              <Button
                isOff={isBusy}
                onClick={() =>
                  read({ phoneNumber: found.phoneNumber, cursor: found.nextCursor }, found.entries)
                }
              >
                Show more
              </Button>
            )}
            <Button isOff={isBusy} onClick={() => save(found.phoneNumber)}>
              Save as CSV
            </Button>
          </div>
          <p class="muted small">Times in {zoneName(zone)}.</p>
        </>
      )}
    </Card>
  )
}

function describeFound({ phoneNumber, entries, keptUntil, isPartial }: RecordPage & Asked, zone: string) {
  const more = isPartial ? ' More leads may have the number in their metadata.' : ''
  if (entries.length === 0) return `Nothing is held of ${phoneNumber}.${more}`
  if (keptUntil === null) return `No consent is stored.${more}`
  return `The last consent is kept until ${fullTime(Date.parse(keptUntil), zone)}.${more}`
}

/** The CSV of all pages, of which the first has the header. A text is the error: a part would pass for the whole. */
async function readCsv(key: string, phoneNumber: string): Promise<readonly string[] | string> {
  const headers = { 'x-api-key': key, accept: 'text/csv', 'content-type': 'application/json' }
  const parts: string[] = []
  let cursor: string | null = null
  try {
    do {
      const body: string = JSON.stringify({ phoneNumber, cursor } satisfies Asked)
      const page = await fetch(path, { method: 'POST', headers, body, cache: 'no-store' })
      if (!page.ok) return `The service answered ${page.status}.`
      parts.push(await page.text())
      cursor = page.headers.get('next-cursor')
    } while (cursor !== null)
  } catch {
    return 'Cannot reach the service.'
  }
  return parts
}
