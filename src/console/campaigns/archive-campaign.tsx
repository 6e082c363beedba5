// The question before a campaign is archived, or taken back from the archive.
import type { Campaign } from '../../sdk/src/models.ts'
import { useSession } from '../service/session.ts'
import { useAction } from '../service/use-action.ts'
import { Question } from '../ui/question.tsx'

type Props = {
  readonly campaign: Pick<Campaign, 'id' | 'name' | 'archived'>
  readonly onDone: (words: string) => void
  readonly onCancel: () => void
}

export function ArchiveCampaign({ campaign: { id, name, archived }, onDone, onCancel }: Props) {
  const { client } = useSession()
  const action = useAction()
  const change = async () => {
    const { data } = await action.run(() => client.campaigns.update(id, { archived: !archived }))
    if (data !== null) onDone(`${name} is ${archived ? 'restored' : 'archived'}.`)
  }
  return (
    <Question
      text={
        archived
          ? `Restore ${name}? It takes new leads again, and its queue is called in its hours.`
          : `Archive ${name}? It starts no calls and refuses new leads. \
Its leads stay readable, its id stays taken, and you can restore it at any time.`
      }
      yes={archived ? 'Restore' : 'Archive'}
      onYes={change}
      isDangerous={!archived}
      onCancel={onCancel}
      {...action}
    />
  )
}
