// Saves the leads that the filter gives as CSV, with its progress, and says when it is not all of them.
import { useRef, useState } from 'preact/hooks'
import type { Feedback } from '../../service/answer.ts'
import { useSession } from '../../service/session.ts'
import { Button } from '../../ui/controls.tsx'
import { FeedbackLine } from '../../ui/feedback.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { csvFile, csvName } from '../../ui/text-file.ts'
import { counted, countOf } from '../../ui/words/number-words.ts'
import { partsOf, readLines } from './read-csv.ts'
import type { Filter } from './read-leads.ts'

type Props = { readonly campaignId: string | null; readonly filter: Filter }

export function ExportLeads({ campaignId, filter }: Props) {
  const session = useSession()
  const [saved, setSaved] = useState<number | null>(null)
  const [feedback, setFeedback] = useState<Feedback | null>(null)
  const stop = useRef<AbortController | null>(null)

  const run = async () => {
    const aborter = new AbortController()
    stop.current = aborter
    setFeedback(null)
    setSaved(0)
    const watch = { signal: aborter.signal, onProgress: setSaved }
    const read = await readLines(session, campaignId, filter, watch)
    const parts = typeof read === 'string' ? [] : await partsOf(read.lines)
    setSaved(null)
    if (aborter.signal.aborted) return setFeedback({ text: 'Stopped. No file was saved.', isFailure: false })
    if (typeof read === 'string') return setFeedback({ text: `${read} No file was saved.`, isFailure: true })
    saveFile(csvFile(parts), csvName('leads', campaignId))
    const [count, isWhole] = [read.lines.length, read.isWhole]
    const text = isWhole
      ? `${countOf(count, 'lead')} saved.`
      : `The file has the newest ${countOf(count, 'lead')}, not all of them. Narrow the filter to get the others.`
    setFeedback({ text, isFailure: !isWhole })
  }

  return (
    <div class="line export">
      <FeedbackLine
        feedback={saved === null ? feedback : { text: `Saving… ${counted(saved)} so far`, isFailure: false }}
      />
      {saved === null ? (
        <Button onClick={run}>Export CSV</Button>
      ) : (
        <Button onClick={() => stop.current?.abort()}>Stop</Button>
      )}
    </div>
  )
}
