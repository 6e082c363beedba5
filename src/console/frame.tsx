// The frame around every page: the bar with its links, and the question before something is lost.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { type CompanyPage, companyHashOf, companyPages, type Navigation } from './place.ts'
import type { Quota } from './service/client.ts'
import { useSession } from './service/session.ts'
import { Button } from './ui/controls.tsx'
import { Question } from './ui/question.tsx'
import { isAnyUnsaved, type Loss } from './ui/unsaved.ts'

/** What every page gets. */
export type FrameProps = {
  readonly quota: Quota | null
  readonly isReached: boolean
  readonly onSignOut: () => void
  readonly leaving: Navigation['leaving']
}

type Props = Pick<FrameProps, 'onSignOut' | 'leaving'> & {
  readonly page: CompanyPage | null
  /** Between bar and page: the campaign's own links, and notices. */
  readonly head?: ComponentChildren
  readonly children: ComponentChildren
}

const names: Readonly<Record<CompanyPage, string>> = {
  campaigns: 'Campaigns',
  search: 'Find leads',
  company: 'Company',
}

export function Frame({ page, head, children, onSignOut, leaving }: Props) {
  const { rights } = useSession()
  const [isSigningOut, setIsSigningOut] = useState(false)
  const isForKey: Readonly<Record<CompanyPage, boolean>> = {
    campaigns: rights.company,
    search: rights.read,
    company: rights.company,
  }
  const asked: Navigation['leaving'] =
    leaving ??
    (isSigningOut ? { loss: 'changes', leave: onSignOut, stay: () => setIsSigningOut(false) } : null)
  return (
    <>
      <header class="bar">
        <div class="bar-in">
          <a class="brand" href="#/">
            <img src="/docs/icon.svg" alt="" width="20" height="20" />
            <span>Lead intake</span>
          </a>
          <nav aria-label="Company">
            {companyPages
              .filter((name) => isForKey[name])
              .map((name) => (
                <a key={name} href={companyHashOf(name)} aria-current={page === name ? 'page' : undefined}>
                  {names[name]}
                </a>
              ))}
          </nav>
          <Button class="subtle" onClick={() => (isAnyUnsaved() ? setIsSigningOut(true) : onSignOut())}>
            Sign out
          </Button>
        </div>
      </header>
      {head}
      <main class="page">
        {asked !== null && <LossQuestion {...asked} />}
        {children}
      </main>
    </>
  )
}

function LossQuestion({ loss, leave, stay }: NonNullable<Navigation['leaving']>) {
  const text: Readonly<Record<Loss, readonly [text: string, yes: string]>> = {
    changes: ['You have unsaved changes.', 'Discard'],
    import: [
      'Leaving this campaign pauses the import. Choose the same file here to resume it.',
      'Pause and leave',
    ],
  }
  const [question, yes] = text[loss]
  return (
    <Question
      text={question}
      yes={yes}
      isDangerous={loss === 'changes'}
      onYes={leave}
      cancel="Stay"
      onCancel={stay}
    />
  )
}
