// Signs in and out: takes the key, learns its rights, watches every answer, and reports when the key ends or the
// network is lost. What is shown of a campaign is decided in workspace.tsx.
import { useMemo, useRef, useState } from 'preact/hooks'
import { settle } from './service/answer.ts'
import { openClient, type Received } from './service/client.ts'
import { retryWait, usePolling } from './service/clocks.ts'
import type { Quota } from './service/pace.ts'
import { rightsOf } from './service/rights.ts'
import { endSession, forgetKey, readKey, type Session, SessionContext, saveKey } from './service/session.ts'
import { SignIn } from './sign-in.tsx'
import { Workspace } from './workspace.tsx'

export function App() {
  const [key, setKey] = useState(readKey)
  const [session, setSession] = useState<Session | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const [quota, setQuota] = useState<Quota | null>(null)
  const [isReached, setIsReached] = useState(true)

  const signOut = (why: string | null) => {
    forgetKey()
    setKey(null)
    setSession(null)
    setQuota(null)
    setMessage(why)
  }

  const isMember = useRef(false)
  isMember.current = session?.member != null
  const newestKey = useRef(key)
  newestKey.current = key
  const client = useMemo(() => {
    const onAnswer = ({ status, quota }: Received) => {
      // A late answer to a key that was corrected since.
      if (newestKey.current !== key) return
      setIsReached(status !== 0)
      setQuota(quota)
      if (status === 401)
        signOut(
          isMember.current
            ? 'Your session has ended. Sign in again.'
            : 'Your key was revoked or has expired. Enter another one.',
        )
    }
    return key === null ? null : openClient(location.origin, key, onAnswer)
  }, [key])

  const check = usePolling(async (isCurrent) => {
    if (key === null || client === null) return Infinity
    const { data, status, error, retryAfterMs } = await settle(client.keys.self())
    if (!isCurrent()) return null
    if (data === null) {
      const isWrong = status === 401
      setMessage(
        isWrong ? "That key isn't valid. Check that you copied all of it." : `${error} Trying again.`,
      )
      return isWrong ? Infinity : retryWait(retryAfterMs)
    }
    saveKey(key)
    setMessage(null)
    const { keyId, campaignId } = data.key
    const { company, member } = data
    setSession({ key, keyId, campaignId, client, rights: rightsOf(data.key), company, member })
    return Infinity
  }, key ?? '')

  if (session === null) {
    // A message beside a key: the service could not be reached. It is tried again soon, or at once on submit.
    const isChecking = key !== null && message === null
    const submit = (typed: string) => {
      setMessage(null)
      if (typed === key) check()
      else setKey(typed)
    }
    return <SignIn message={message} isChecking={isChecking} onKey={submit} />
  }
  return (
    <SessionContext.Provider value={session}>
      <Workspace
        quota={quota}
        isReached={isReached}
        onSignOut={() => {
          signOut(null)
          if (session.member !== null) void endSession(session.key)
        }}
      />
    </SessionContext.Provider>
  )
}
