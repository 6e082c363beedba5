// Signed in or not: takes the key, learns what it may do, hears every answer, and says so when the key ends or the
// network goes. What is shown of a campaign is the workspace's to say.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Ask, type Heard, type KeyHour, openApi } from './service/api.ts'
import { pollEveryMs } from './service/clocks.ts'
import { type Learned, learnRights, rightsOf } from './service/rights.ts'
import {
  companyOf,
  forgetKey,
  keepCompany,
  keepKey,
  readKey,
  readLearned,
  SessionContext,
} from './service/session.ts'
import type { Settings } from './service/wire.ts'
import { SignIn } from './sign-in.tsx'
import { Workspace } from './workspace.tsx'

type Entry = {
  readonly key: string
  readonly ask: Ask
  readonly learned: Learned
  readonly companyId: string | null
  readonly campaigns: readonly Settings[]
}

export function App() {
  const [key, setKey] = useState(readKey)
  const [entry, setEntry] = useState<Entry | null>(null)
  const [message, setMessage] = useState<string | null>(null)
  const [hour, setHour] = useState<KeyHour | null>(null)
  const [tries, setTries] = useState(0)
  const [isReached, setIsReached] = useState(true)

  const leave = (why: string | null) => {
    forgetKey()
    setKey(null)
    setEntry(null)
    setHour(null)
    setMessage(why)
  }

  const newestKey = useRef(key)
  newestKey.current = key
  const ask = useMemo(() => {
    const hear = ({ answer, hour: told }: Heard) => {
      // A late answer to a key that was corrected meanwhile.
      if (newestKey.current !== key) return
      setIsReached(answer.status !== 0)
      if (told !== null) setHour(told)
      if (answer.status === 401) {
        leave('The key is not valid any more: it was revoked, or has expired. Give another one.')
      }
    }
    return key === null ? null : openApi(key, hear)
  }, [key])

  useEffect(() => {
    if (key === null || ask === null) return
    let isOver = false
    let retry: ReturnType<typeof setTimeout> | undefined
    void (async () => {
      const { status, data, error, retryAfterSeconds } = await ask<{ campaigns: readonly Settings[] }>(
        'GET',
        '/campaigns',
      )
      if (isOver) return
      if (data === null) {
        if (status === 401) setMessage('This key opens nothing. Check that all of it was copied.')
        else {
          setMessage(`${error} Trying again.`)
          retry = setTimeout(() => setTries((count) => count + 1), Math.max(5, retryAfterSeconds ?? 0) * 1000)
        }
        return
      }
      const learned = await learnRights(ask, data.campaigns, readLearned(key))
      const companyId = await companyOf(key, ask)
      if (isOver) return
      keepKey(key, learned)
      keepCompany(companyId)
      setMessage(null)
      setEntry({ key, ask, learned, companyId, campaigns: data.campaigns })
    })()
    return () => {
      isOver = true
      clearTimeout(retry)
    }
  }, [key, ask, tries])

  useEffect(() => {
    if (entry === null || !Object.values(entry.learned).includes(null)) return
    let isOver = false
    const timer = setTimeout(async () => {
      const learned = await learnRights(entry.ask, entry.campaigns, entry.learned)
      if (isOver) return
      keepKey(entry.key, learned)
      setEntry({ ...entry, learned })
    }, pollEveryMs)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [entry])
  const session = useMemo(
    () =>
      entry && {
        key: entry.key,
        ask: entry.ask,
        rights: rightsOf(entry.learned),
        companyId: entry.companyId,
      },
    [entry],
  )

  if (entry === null || session === null) {
    // A message beside a key: it was not reached, and is tried again in a while, or at once when it is given anew.
    const isChecking = key !== null && message === null
    const take = (given: string) => {
      setMessage(null)
      setKey(given)
      setTries((count) => count + 1)
    }
    return <SignIn message={message} isChecking={isChecking} onKey={take} />
  }
  return (
    <SessionContext.Provider value={session}>
      <Workspace campaigns={entry.campaigns} hour={hour} isReached={isReached} onLeave={() => leave(null)} />
    </SessionContext.Provider>
  )
}
