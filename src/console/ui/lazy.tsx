// A part of the console that is loaded when it is first shown.
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from './controls.tsx'

/**
 * The part, once loaded. A tab that was opened before a deployment may find that the file is gone: it offers to reload.
 */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | null = null
  return function Lazy(props: Props): ComponentChildren {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded)
    const [hasFailed, setHasFailed] = useState(false)
    useEffect(() => {
      if (Part !== null) return
      let isOver = false
      load().then(
        (part) => {
          loaded = part
          if (!isOver) setPart(() => part)
        },
        () => !isOver && setHasFailed(true),
      )
      return () => {
        isOver = true
      }
    }, [])
    if (Part !== null) return <Part {...props} />
    if (!hasFailed) return <p class="card muted loading">Loading…</p>
    return (
      <div class="card" role="alert">
        <p>This page could not be loaded. The service may be out of reach, or was updated.</p>
        <Button onClick={() => location.reload()}>Reload</Button>
      </div>
    )
  }
}
