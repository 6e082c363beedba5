// The clock of a local service that was started with --clock, on every page: what time it is there, and buttons that
// run it ahead. Other services have none, and their answers do not say so: then nothing is shown or asked.
import { useEffect, useState } from 'preact/hooks'
import { noteChange } from './service/activity.ts'
import { hasTestClock, noteServiceTime } from './service/service-clock.ts'
import { Button } from './ui/controls.tsx'
import { browserZone, fullTimeInZone } from './ui/words/zone-time.ts'

type Shown = { readonly now: string; readonly state: 'real' | 'running' | 'jumping' | 'paused' }

const lookEveryMs = 1_000
const dayMs = 86_400_000

export function ClockBar() {
  const [shown, setShown] = useState<Shown | null>(null)
  const ask = async (body?: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const post = body && { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch('/test/clock', post).catch(() => null)
    if (!answer?.ok) return
    const { data } = (await answer.json()) as { data: Shown }
    noteServiceTime(data.now)
    setShown(data)
    // The page shows soon what that brings.
    if (data.state !== 'real') noteChange()
  }
  useEffect(() => {
    if (!hasTestClock()) return
    void ask()
    const timer = setInterval(ask, lookEveryMs)
    return () => clearInterval(timer)
  }, [])
  if (shown === null) return null
  const atMs = Date.parse(shown.now)
  const run = (text: string, body: object) => <Button onClick={() => ask(body)}>{text}</Button>
  const runFor = (text: string, days: number) =>
    run(text, { runTo: new Date(atMs + days * dayMs).toISOString() })
  const isMoving = shown.state === 'running' || shown.state === 'jumping'
  return (
    <section class="bar" aria-label="Test clock">
      <div class="bar-in">
        <time dateTime={shown.now}>{fullTimeInZone(atMs, browserZone())}</time>
        {isMoving ? (
          run('Pause', { pause: true })
        ) : (
          <>
            {run('Next event', { nextEvent: true })}
            {runFor('A day', 1)}
            {runFor('Two weeks', 14)}
          </>
        )}
      </div>
    </section>
  )
}
