// The notice above every page of a campaign: a key ends that a system still uses. It is read once, since two weeks are
// long.
import { companyHashOf, hashOf } from '../../place.ts'
import { serviceNow } from '../../service/service-clock.ts'
import { useSession } from '../../service/session.ts'
import { type Round, useData } from '../../service/use-reading.ts'
import { endingText } from './key-words.ts'

type Props = { readonly campaignId: string; readonly zone: string; readonly round: Round }

export function EndingKeys({ campaignId, zone, round }: Props) {
  const { client, rights } = useSession()
  const { data } = useData(() => client.keys(), round)
  const text = endingText(data?.keys ?? [], zone, serviceNow())
  if (text === '') return null
  const address = rights.company ? companyHashOf('company', 'keys') : hashOf(campaignId, 'settings', 'keys')
  return (
    <p class="notice">
      {text} <a href={address}>Keys</a>
    </p>
  )
}
