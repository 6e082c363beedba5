// A key or secret that is shown once, until the person says that it was copied. It is in memory only.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './controls.tsx'
import { CopyButton } from './copy-button.tsx'
import { focusOn } from './keep-focus.ts'
import { useShownOnce } from './unsaved.ts'

type Props = {
  /** "key" or "secret". */
  readonly what: string
  readonly secret: string
  readonly onDone: () => void
  /** What it is, and where it belongs. */
  readonly children: ComponentChildren
}

export function ShownOnce({ what, secret, onDone, children }: Props) {
  const box = useRef<HTMLFieldSetElement>(null)
  useShownOnce(true)
  useLayoutEffect(() => focusOn(box.current), [secret])
  return (
    <fieldset class="notice group" ref={box}>
      <legend class="unseen">The new {what}</legend>
      <p>{children} Copy it now: it is shown only once.</p>
      <pre class="secret">{secret}</pre>
      <div class="line">
        <CopyButton text={secret} what={`the ${what}`} />
        <Button onClick={onDone}>Done</Button>
      </div>
    </fieldset>
  )
}
