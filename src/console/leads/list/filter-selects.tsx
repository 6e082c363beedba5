// The filters that lists of leads and of calls share: an outcome, and where leads came from, by kind or by the name of
// what of the company brings them.
import { useEffect, useState } from 'preact/hooks'
import { outcomes } from '../../../queue/campaigns/outcomes.ts'
import type { Key } from '../../../sdk/src/models.ts'
import { settle } from '../../service/answer.ts'
import { useSession } from '../../service/session.ts'
import { nameOfMember } from '../../settings/people/member-words.ts'
import { Select } from '../../ui/fields/select.tsx'
import { sentenceCase } from '../lead-words.ts'

type Option = readonly [value: string, text: string]

type Props = {
  readonly value: string
  readonly onChoose: (chosen: string) => unknown
}

export const OutcomeSelect = ({ label, ...props }: Props & { readonly label: string }) => (
  <Select
    label={label}
    options={[['', 'All'], ...outcomes.map((outcome) => [outcome, sentenceCase(outcome)] as const)]}
    {...props}
  />
)

const kinds: readonly Option[] = [
  ['', 'All'],
  ['source', 'Sources'],
  ['import', 'Imports'],
  ['api', 'API'],
]

/** Sources first: a source is known by its keys, also after it was removed. After a rotation it has two. */
function optionsOf(keys: readonly Key[]): Iterable<Option> {
  const ofSources = keys.flatMap(({ sourceId, name }): Option[] =>
    sourceId === null ? [] : [[sourceId, name]],
  )
  const ofOthers = keys
    .filter(({ sourceId, scope }) => sourceId === null && (scope === 'write' || scope === 'manage'))
    .map(({ keyId, name }): Option => [keyId, `With the key ${name}`])
  return new Map([...ofSources, ...ofOthers])
}

/** `campaignId` null: all campaigns. */
type OriginProps = Props & { readonly campaignId: string | null }

/** Who may not see keys and members chooses among the kinds. */
export function OriginSelect({ campaignId, ...props }: OriginProps) {
  const { client, rights } = useSession()
  const [named, setNamed] = useState<readonly Option[]>([])
  const isIts = (one: { readonly campaignId: string | null }) =>
    campaignId === null || one.campaignId === null || one.campaignId === campaignId
  useEffect(() => {
    if (!rights.manage) return
    void Promise.all([settle(client.keys()), settle(client.members.list())]).then(([keys, members]) =>
      setNamed([
        ...optionsOf(keys.data?.keys.filter(isIts) ?? []),
        ...(members.data ?? [])
          .filter(isIts)
          .map((member): Option => [member.memberId, `By ${nameOfMember(member)}`]),
      ]),
    )
  }, [])
  return <Select label="Came from:" options={[...kinds, ...named]} {...props} />
}
