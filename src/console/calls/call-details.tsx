// What is known of a call beside its outcome: its summary, what was said, a link to its recording, its cost and the
// rest of its details. Nothing is fetched from where the links lead.
import { indented } from '../leads/metadata-text.ts'
import { type Fact, Facts } from '../ui/card.tsx'

const maxChars = 20_000

/** Shown as what they are; the others are shown as JSON. */
const known = ['summary', 'transcript', 'recordingUrl', 'transcriptUrl', 'costAmount', 'costCurrency']

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, maxChars) : null

/** Null: it leads nowhere that a browser should go by itself. */
const linkOf = (value: unknown): string | null =>
  typeof value === 'string' && value.startsWith('https:') && URL.canParse(value) ? value : null

const Link = ({ url, children }: { readonly url: string; readonly children: string }) => (
  <a href={url} target="_blank" rel="noopener noreferrer" referrerpolicy="no-referrer">
    {children}
  </a>
)

/** Empty: nothing is known. */
export const costText = (amount: unknown, currency: unknown): string =>
  typeof amount !== 'string' && typeof amount !== 'number'
    ? ''
    : `${amount} ${typeof currency === 'string' ? currency : '(unknown currency)'}`

export function CallDetails({ details }: { readonly details: unknown }) {
  if (typeof details !== 'object' || details === null) return null
  const its = details as Readonly<Record<string, unknown>>
  const [recording, transcriptLink] = [linkOf(its.recordingUrl), linkOf(its.transcriptUrl)]
  const [summary, transcript] = [textOf(its.summary), textOf(its.transcript)]
  const cost = costText(its.costAmount, its.costCurrency)
  const facts: readonly (Fact | false)[] = [
    recording !== null && ['Recording', <Link url={recording}>Open the recording</Link>],
    transcriptLink !== null && ['Transcript', <Link url={transcriptLink}>Open the transcript</Link>],
    cost !== '' && ['Cost', cost],
  ]
  const others = Object.fromEntries(Object.entries(its).filter(([name]) => !known.includes(name)))
  return (
    <>
      {summary !== null && <p class="summary">{summary}</p>}
      {facts.some(Boolean) && <Facts kind="fields" facts={facts} />}
      {transcript !== null && (
        <details>
          <summary>Transcript</summary>
          <pre>{transcript}</pre>
        </details>
      )}
      {Object.keys(others).length > 0 && (
        <details>
          <summary>Details</summary>
          <pre>{indented(JSON.stringify(others)).slice(0, maxChars)}</pre>
        </details>
      )}
    </>
  )
}
