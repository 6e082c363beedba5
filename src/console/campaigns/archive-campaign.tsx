// Archives a campaign, and takes it back from the archive; asks first.
import { useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { Button } from '../ui/controls.tsx'
import { FeedbackLine } from '../ui/feedback.tsx'
import { Question } from '../ui/question.tsx'

type Props = {
  readonly campaign: Pick<Campaign, 'id' | 'name' | 'archived'>
  readonly onDone: (words: string) => void
}

export function ArchiveCampaign({ campaign: { id, name, archived }, onDone }: Props) {
  const { client } = useSession()
  const [isAsked, setIsAsked] = useState(false)
  const { feedback, run } = useAction()
  const change = async () => {
    const { data } = await run(() => client.campaigns.update(id, { archived: !archived }))
    if (data === null) return
    setIsAsked(false)
    onDone(`${name} is ${archived ? 'restored' : 'archived'}.`)
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
        <div class="wide group">
          <Question
            text={
              archived
                ? `Restore ${name}? It takes new leads again, and its queue is called in its hours.`
                : `Archive ${name}? It starts no calls and refuses new leads. \
Its leads stay readable, its id stays taken, and you can restore it at any time.`
            }
            yes={action}
            onYes={change}
            isDangerous={!archived}
            onCancel={() => setIsAsked(false)}
          />
          <FeedbackLine feedback={feedback} />
        </div>
      )}
    </>
  )
}
