// Takes the API key, which is sent to this origin's API only.
import { useEffect, useRef, useState } from 'preact/hooks'
import { limits } from '../base/limits.ts'
import { canSignIn, signIn } from './service/session.ts'
import { Button } from './ui/controls.tsx'
import { Failure } from './ui/feedback.tsx'
import { counted } from './ui/words/number-words.ts'

type Props = {
  readonly message: string | null
  readonly isChecking: boolean
  readonly onKey: (key: string) => void
}

function problemOf(key: string): string | null {
  // The client does not send any other.
  if (!/^[!-~]{1,255}$/.test(key)) return 'Not an API key: it is too long or contains an invalid character.'
  if (key.startsWith('lk_op_')) return 'This is an operator’s key. Sign in with a key of a company.'
  return null
}

export function SignIn({ message, isChecking, onKey }: Props) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const [typed, setTyped] = useState('')
  const [submitted, setSubmitted] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [isOffered, setIsOffered] = useState<boolean | null>(null)
  useEffect(() => void canSignIn().then(setIsOffered), [])
  // Another key can be submitted while one is being checked, which takes long when the service is away.
  const isBusy = isChecking && (typed.trim() === '' || typed.trim() === submitted)
  const submit = (event: Event) => {
    event.preventDefault()
    const key = typed.trim()
    if (key === '' || isBusy) return
    const problem = problemOf(key)
    setFailure(problem)
    if (problem !== null) return
    setSubmitted(key)
    onKey(key)
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <img src="/docs/icon.svg" alt="" width="32" height="32" />
        <h1>Lead intake</h1>
        <p class="muted">See how your campaigns are calling.</p>
        {isOffered === true && (
          <>
            <Button class="primary" onClick={signIn}>
              Continue with your company’s sign-in
            </Button>
            <p class="muted small">Or enter a key:</p>
          </>
        )}
        <label for="key">API key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="lk_…"
          ref={field}
          value={typed}
          aria-describedby="key-help"
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setFailure(null)
          }}
        />
        <p id="key-help" class="muted small">
          A manager of your company creates keys here, under Keys. The first one comes from the operator. It
          stays in this tab until you close it. Use a separate key: the console uses part of its{' '}
          {counted(limits.requestsPerHourPerKey)} requests an hour.
        </p>
        <Button type="submit" class={isOffered ? undefined : 'primary'} isOff={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
        <Failure>{failure ?? message}</Failure>
        {isOffered === false && (
          <p class="muted small">
            The operator of the service can let you sign in with your company’s account.
          </p>
        )}
      </form>
    </main>
  )
}
