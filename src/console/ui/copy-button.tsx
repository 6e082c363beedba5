// A button that copies a text, such as a key that is shown once, and says so.
import { useEffect, useState } from 'preact/hooks'
import { Button } from './controls.tsx'

type Props = {
  readonly text: string
  /** What is copied, for screen readers: "Copy the key". */
  readonly what?: string
}

const shownForMs = 4_000

export function CopyButton({ text, what }: Props) {
  const [result, setResult] = useState<'Copied' | 'Not copied: select the text, and copy it' | null>(null)
  useEffect(() => {
    if (result !== 'Copied') return
    const timer = setTimeout(() => setResult(null), shownForMs)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setResult('Copied'),
      () => setResult('Not copied: select the text, and copy it'),
    )
  return (
    <>
      <Button aria-label={what === undefined ? undefined : `Copy ${what}`} onClick={copy}>
        Copy
      </Button>
      <span role="status" class="muted small">
        {result}
      </span>
    </>
  )
}
