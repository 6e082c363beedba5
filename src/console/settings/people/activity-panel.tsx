// What people and keys changed, newest first, of all or of one person.
import { useEffect, useState } from 'preact/hooks'
import { limits } from '../../../base/limits.ts'
import type { Activity, Member } from '../../../sdk/src/models.ts'
import { settle } from '../../service/answer.ts'
import { useActorNames, useCampaignNames } from '../../service/names.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { Card } from '../../ui/card.tsx'
import { Button } from '../../ui/controls.tsx'
import { FeedbackLine } from '../../ui/feedback.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { browserZone } from '../../ui/words/zone-time.ts'
import { describeActivity, foldImports } from './activity-words.ts'
import { nameOfMember } from './member-words.ts'

export function ActivityPanel() {
  const { client } = useSession()
  const [found, setFound] = useState<Activity['activity']>([])
  const [cursor, setCursor] = useState<string | null>(null)
  const [actor, setActor] = useState('')
  const [people, setPeople] = useState<readonly Member[]>([])
  const nameOf = useActorNames()
  const campaignName = useCampaignNames()
  const { isBusy, feedback, run } = useAction()
  const load = async (before: string | null) => {
    const page = { ...(actor !== '' && { actor }), ...(before !== null && { cursor: before }) }
    const { data } = await run(() => client.members.activity(page))
    if (data === null) return
    setFound(before === null ? data.activity : [...found, ...data.activity])
    setCursor(data.nextCursor)
  }
  useEffect(() => void load(null), [actor])
  useEffect(() => {
    void settle(client.members.list()).then(({ data }) => setPeople(data ?? []))
  }, [])
  const everybody = ['', 'Everybody'] as const
  const nameOfPerson = (id: string) => {
    const member = people.find(({ memberId }) => memberId === id)
    return member === undefined ? id : nameOfMember(member)
  }
  const names = { member: nameOfPerson, key: nameOf }
  const about = ({ data, actor: by, actorName }: Activity['activity'][number]) => {
    const campaign = typeof data.campaignId === 'string' && `${campaignName(data.campaignId)} · `
    return `${campaign || ''}by ${actorName ?? nameOf(by)}`
  }
  return (
    <Card
      title="Activity"
      side={
        <Select
          label="Who"
          value={actor}
          options={[everybody, ...people.map((one) => [one.memberId, nameOfMember(one)] as const)]}
          onChoose={setActor}
        />
      }
    >
      <FeedbackLine feedback={feedback} />
      {!isBusy && found.length === 0 && (
        <p class="muted">Nothing in the last {limits.eventsKeptDays} days.</p>
      )}
      <Timeline
        name="Activity"
        zone={browserZone()}
        entries={foldImports(found).map((one) => ({
          key: one.id,
          atMs: Date.parse(one.timestamp),
          shown: (
            <p>
              <strong>{describeActivity(one, names)}</strong> <span class="muted">{about(one)}</span>
            </p>
          ),
        }))}
      />
      {cursor !== null && (
        <Button isOff={isBusy} onClick={() => load(cursor)}>
          Show more
        </Button>
      )}
    </Card>
  )
}
