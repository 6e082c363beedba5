// The question before a member is removed: what he made is named, and ends too when chosen.
import { useEffect, useState } from 'preact/hooks'
import type { Key, Member } from '../../../sdk/src/models.ts'
import { settle } from '../../service/answer.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { Tick } from '../../ui/controls.tsx'
import { Question } from '../../ui/question.tsx'
import { CreatedByKey } from '../keys/created-by-key.tsx'
import { nameOfMember } from './member-words.ts'

type Props = {
  readonly of: Member
  readonly onDone: () => void
  readonly onCancel: () => void
}

export function RemoveMember({ of: member, onDone, onCancel }: Props) {
  const { client } = useSession()
  const [keys, setKeys] = useState<readonly Key[]>([])
  const [areEnding, setAreEnding] = useState(false)
  const [isForgotten, setIsForgotten] = useState(false)
  const action = useAction()
  useEffect(() => {
    void settle(client.keys()).then(({ data }) => setKeys(data?.keys ?? []))
  }, [])
  const remove = async () => {
    const how = { ...(areEnding && { withCreated: true }), ...(isForgotten && { erase: true }) }
    const { data } = await action.run(() => client.members.remove(member.memberId, how))
    if (data !== null) onDone()
  }
  return (
    <Question
      text={`Remove ${nameOfMember(member)}? The next request of every session fails.`}
      yes="Remove"
      isDangerous
      onYes={remove}
      onCancel={onCancel}
      {...action}
      details={
        <>
          <CreatedByKey
            of={{ keyId: member.memberId }}
            keys={keys}
            areEnding={areEnding}
            onTick={setAreEnding}
          />
          <Tick checked={isForgotten} onTick={setIsForgotten}>
            Forget name and address
          </Tick>
        </>
      }
    />
  )
}
