// Adds a member, or changes one: name, role, and whether he sees one campaign or all.
import { useState } from 'preact/hooks'
import type { Campaign, Member } from '../../../sdk/src/models.ts'
import { useSession } from '../../service/session.ts'
import { useAction } from '../../service/use-action.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Sentences } from '../../ui/fields/select.tsx'
import { Form } from '../../ui/form.tsx'
import { nameOfMember, type Role, roleSentences } from './member-words.ts'

type Props = {
  /** Absent: a new one. */
  readonly of?: Member
  readonly campaign: Campaign | null
  readonly onDone: (name: string) => void
  readonly onCancel: () => void
}

export function MemberForm({ of: member, campaign, onDone, onCancel }: Props) {
  const { client, rights } = useSession()
  const [email, setEmail] = useState('')
  const [name, setName] = useState(member?.name ?? '')
  const [scope, setScope] = useState<Role>(member?.scope ?? 'read')
  const [campaignId, setCampaignId] = useState(member?.campaignId ?? campaign?.id ?? '')
  const [isTried, setIsTried] = useState(false)
  const action = useAction()
  const problem = isTried && !email.includes('@') ? 'Enter the address of the person' : null

  const save = async () => {
    setIsTried(true)
    if (member === undefined && !email.includes('@')) return
    const wanted = { scope, name: name.trim() || null, campaignId: campaignId.trim() || null }
    const { data } = await action.run(() =>
      member === undefined
        ? client.members.add({ ...wanted, email: email.trim() })
        : client.members.update(member.memberId, rights.company ? wanted : { scope, name: wanted.name }),
    )
    if (data !== null) onDone(nameOfMember(data))
  }
  return (
    <Form
      name={member === undefined ? 'Add a person' : `Change ${nameOfMember(member)}`}
      submit={member === undefined ? 'Add' : 'Save'}
      onSubmit={save}
      onCancel={onCancel}
      {...action}
    >
      {member === undefined && (
        <TextField label="E-mail address" problem={problem} value={email} onText={setEmail} />
      )}
      <TextField label="Name (optional)" value={name} onText={setName} />
      <fieldset class="group">
        <legend>Role</legend>
        <Sentences name="role" sentences={roleSentences} chosen={scope} onChoose={setScope} />
      </fieldset>
      {rights.company && (
        <TextField
          label="Id of the only campaign (optional)"
          hint="Empty: all campaigns."
          value={campaignId}
          onText={setCampaignId}
        />
      )}
    </Form>
  )
}
