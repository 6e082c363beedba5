// Archives a campaign, and takes it back from the archive; asks first.
import { useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { campaignPath } from '../service/answer.ts'
import { useSession } from '../service/session.ts'
import { Button } from '../ui/controls.tsx'
import { Failure } from '../ui/feedback.tsx'
import { Question } from '../ui/question.tsx'

type Props = {
  readonly campaign: Pick<Campaign, 'id' | 'name' | 'archived'>
  readonly onDone: (words: string) => void
}

export function ArchiveCampaign({ campaign: { id, name, archived }, onDone }: Props) {
  const { ask } = useSession()
  const [isAsked, setIsAsked] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const change = async () => {
    const { data, error } = await ask<Campaign>('PATCH', campaignPath(id), { body: { archived: !archived } })
    setFailure(error)
    if (data === null) return
    setIsAsked(false)
    onDone(archived ? `${name} is restored.` : `${name} is archived.`)
  }
  const action = archived ? 'Restore' : 'Archive'
  return (
    <>
      <Button
        class="subtle"
        aria-label={`${action} ${name}…`}
        aria-expanded={isAsked}
        onClick={() => setIsAsked(true)}
      >
        {action}…
      </Button>
      {isAsked && (
        <div class="archive-question">
          <Question
            text={
              archived
                ? `Restore ${name}? It takes new leads again, and its queue is called in its hours.`
                : `Archive ${name}? It starts no calls and refuses new leads. Its leads stay readable, its id stays taken, and you can restore it at any time.`
            }
            yes={action}
            onYes={change}
            isDangerous={!archived}
            onCancel={() => setIsAsked(false)}
          />
          <Failure>{failure}</Failure>
        </div>
      )}
    </>
  )
}
