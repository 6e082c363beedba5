// People who sign in to the console: of the company, or of a campaign where the session is. Listed, added, changed and
// removed.
import { useState } from 'preact/hooks'
import type { Member } from '../../../sdk/src/models.ts'
import { useCampaignNames } from '../../service/names.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { type PanelProps, useData } from '../../service/use-reading.ts'
import { Card } from '../../ui/card.tsx'
import { Button } from '../../ui/controls.tsx'
import { Failure, Result } from '../../ui/feedback.tsx'
import { browserZone, shortTime } from '../../ui/words/zone-time.ts'
import { MemberForm } from './member-form.tsx'
import { nameOfMember, roleSentences } from './member-words.ts'
import { RemoveMember } from './remove-member.tsx'

type Asked = { readonly memberId: string; readonly about: 'change' | 'remove' }

export function PeoplePanel({ campaign, round }: PanelProps) {
  const { client, member: own } = useSession()
  const { data, failure, load } = useData(() => client.members.list(), round)
  const campaignName = useCampaignNames()
  const [isAdding, setIsAdding] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [result, setResult] = useState('')
  const done = (text: string) => {
    setIsAdding(false)
    setAsked(null)
    setResult(text)
    void load()
  }
  const lastSeen = ({ lastSeenAt }: Member) =>
    lastSeenAt === null
      ? 'never signed in'
      : `last seen ${shortTime(Date.parse(lastSeenAt), browserZone(), serviceNow())}`
  return (
    <Card title="People" add={data !== null && !isAdding && ['Add a person', () => setIsAdding(true)]}>
      <Failure>{failure}</Failure>
      <p class="muted small">They sign in with their own account. Keys are for systems.</p>
      {isAdding && (
        <MemberForm
          campaign={campaign}
          onDone={(name) => done(`Added ${name}.`)}
          onCancel={() => setIsAdding(false)}
        />
      )}
      <Result>{result}</Result>
      {data?.length === 0 && <p class="muted">Nobody yet.</p>}
      <ul class="rows keys">
        {data?.map((member) => {
          const name = nameOfMember(member)
          const ask = (about: Asked['about']) => () => setAsked({ memberId: member.memberId, about })
          const about = asked?.memberId === member.memberId ? asked.about : null
          return (
            <li key={member.memberId}>
              <div>
                <p>
                  <strong>{name}</strong> {member.name !== null && <span class="muted">{member.email}</span>}{' '}
                  {member.memberId === own?.memberId && <span class="tag">You</span>}
                </p>
                <p class="muted small" title={roleSentences[member.scope]}>
                  {member.scope} ·{' '}
                  {member.campaignId === null ? 'all campaigns' : campaignName(member.campaignId)}
                </p>
              </div>
              <div class="use">
                <p class="muted">{lastSeen(member)}</p>
                <p class="line">
                  <Button class="link" aria-label={`Change ${name}`} onClick={ask('change')}>
                    Change…
                  </Button>
                  <Button class="link" aria-label={`Remove ${name}`} onClick={ask('remove')}>
                    Remove…
                  </Button>
                </p>
              </div>
              {about === 'change' && (
                <MemberForm
                  of={member}
                  campaign={campaign}
                  onDone={() => done(`Changed ${name}.`)}
                  onCancel={() => setAsked(null)}
                />
              )}
              {about === 'remove' && (
                <RemoveMember
                  of={member}
                  onDone={() => done(`Removed ${name}.`)}
                  onCancel={() => setAsked(null)}
                />
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
