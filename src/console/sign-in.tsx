// Where the key is given. It is sent to this origin's API and to nobody else.
import { useState } from 'preact/hooks'

type Props = {
  readonly message: string | null
  readonly isChecking: boolean
  readonly onKey: (key: string) => void
}

export function SignIn({ message, isChecking, onKey }: Props) {
  const [typed, setTyped] = useState('')
  const [given, setGiven] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  // Another key may be given while one is still looked at, which takes long when the service is away.
  const isBusy = isChecking && (typed.trim() === '' || typed.trim() === given)
  const give = (event: Event) => {
    event.preventDefault()
    const key = typed.trim()
    if (key === '' || isBusy) return
    // No header can carry it: the request would fail as if the service were away.
    const isSendable = /^[\x21-\x7e]+$/.test(key)
    setFault(
      isSendable
        ? null
        : 'This is no key: it has a space or a sign that no key has. Copy it again, all of it.',
    )
    if (!isSendable) return
    setGiven(key)
    onKey(key)
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={give}>
        <img src="/docs/icon.svg" alt="" width="32" height="32" />
        <h1>Lead intake</h1>
        <p class="muted">See whether a campaign is being called, and why not.</p>
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="lk_…"
          value={typed}
          aria-describedby="key-help"
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setFault(null)
          }}
        />
        <p id="key-help" class="muted small">
          Kept in this tab until it is closed. Best a key of the console's own: looking spends a part of its
          1,000 requests an hour.
        </p>
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {isBusy ? 'Looking…' : 'Open the console'}
        </button>
        <p role="alert" class="fault">
          {fault ?? message}
        </p>
      </form>
    </main>
  )
}
