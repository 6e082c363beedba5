// The frame around every page: the bar with its links, and the question before something is lost.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ClockBar } from './clock-bar.tsx'
import { type CompanyPage, companyHashOf, companyPages, type Navigation } from './place.ts'
import type { Quota } from './service/pace.ts'
import type { Rights } from './service/rights.ts'
import { hasCompanies, signIn, useSession } from './service/session.ts'
import { useAction } from './service/use-action.ts'
import { Button } from './ui/controls.tsx'
import { Question } from './ui/question.tsx'
import { type Loss, lossAtEnd, saverOfAll } from './ui/unsaved.ts'

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
  const { company, rights, member } = useSession()
  /** What signing out would cost; null: no question about it. */
  const [lossAtSignOut, setLossAtSignOut] = useState<Loss | null>(null)
  const isForKey: Readonly<Record<CompanyPage, boolean>> = {
    campaigns: rights.company,
    search: rights.read,
    company: rights.company,
  }
  const asked: Navigation['leaving'] =
    leaving ??
    (lossAtSignOut && { loss: lossAtSignOut, leave: onSignOut, stay: () => setLossAtSignOut(null) })
  const signOut = () => {
    const loss = lossAtEnd()
    if (loss === null) onSignOut()
    else setLossAtSignOut(loss)
  }
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
          {member !== null && (
            <span class="who small muted">
              {member.name ?? member.email} · {roleOf(rights)}
              {hasCompanies() && (
                <>
                  {' '}
                  · {company.name}{' '}
                  <Button class="link" onClick={signIn}>
                    Switch company
                  </Button>
                </>
              )}
            </span>
          )}
          <Button class="subtle" onClick={signOut}>
            Sign out
          </Button>
        </div>
      </header>
      <ClockBar />
      {head}
      <main class="page">
        {asked !== null && <LossQuestion {...asked} />}
        {children}
      </main>
    </>
  )
}

const roleOf = ({ manage, write }: Rights) => (manage ? 'manage' : write ? 'write' : 'read')

const lossWords: Readonly<Record<Loss, readonly [question: string, yes: string]>> = {
  changes: ['You have unsaved changes.', 'Discard'],
  secret: ["Copy the key first. You can't see it again.", 'Yes, leave'],
  import: [
    'Leaving this campaign pauses the import. Choose the same file here to resume it.',
    'Pause and leave',
  ],
}

function LossQuestion({ loss, leave, stay }: NonNullable<Navigation['leaving']>) {
  const action = useAction()
  const [text, yes] = lossWords[loss]
  const isChanges = loss === 'changes'
  const save = isChanges ? saverOfAll() : null
  const common = { text, cancel: 'Stay', onCancel: stay }
  if (save === null) return <Question {...common} yes={yes} isDangerous={isChanges} onYes={leave} />
  const saveAndLeave = async () => {
    const { data: problem } = await action.run(save)
    if (problem === null) leave()
    else action.setFeedback({ text: `Not saved. ${problem}`, isFailure: true })
  }
  return (
    <Question {...common} {...action} yes="Save" onYes={saveAndLeave}>
      <Button class="danger" onClick={leave}>
        {yes}
      </Button>
    </Question>
  )
}
