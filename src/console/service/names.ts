// People read names, not ids: those of the company's campaigns, and of the keys that acted. Read once a session, when they
// are first needed.
import { useEffect, useState } from 'preact/hooks'
import { limits } from '../../limits.ts'
import type { Key, ListedCampaign } from '../../sdk/src/models.ts'
import { keyNames } from '../settings/keys/key-words.ts'
import { readPages, settle } from './answer.ts'
import type { Client } from './client.ts'
import { useSession } from './session.ts'

function useOnce<Data>(
  read: WeakMap<Client, Promise<Data>>,
  ask: (client: Client) => Promise<Data>,
  isWanted: boolean,
) {
  const { client } = useSession()
  const [data, setData] = useState<Data | null>(null)
  useEffect(() => {
    if (!isWanted) return
    const reading = read.get(client) ?? ask(client)
    read.set(client, reading)
    void reading.then(setData)
  }, [isWanted])
  return data
}

const mostPages = limits.campaignsPerCompany / limits.campaignsPerPage
const campaignsRead = new WeakMap<Client, Promise<readonly ListedCampaign[]>>()

/** Empty until they are read, and for a key of one campaign, which cannot list them. */
export function useCampaigns(isWanted = true): readonly ListedCampaign[] {
  const { rights } = useSession()
  const ask = async ({ campaigns }: Client) => {
    const { pages } = await readPages(campaigns.pages({ limit: limits.campaignsPerPage }), mostPages)
    return pages.flatMap((page) => page.campaigns)
  }
  return useOnce(campaignsRead, ask, isWanted && rights.company) ?? []
}

/** The name of a campaign by its id; the id where it is not known. */
export function useCampaignNames(isWanted = true): (id: string) => string {
  const campaigns = useCampaigns(isWanted)
  return (id) => campaigns.find((one) => one.id === id)?.name ?? id
}

const actorsRead = new WeakMap<Client, Promise<readonly Key[]>>()

/** Who acted, as the event log has it. */
export function useActorNames(): (actor: string | null) => string {
  const { rights } = useSession()
  const ask = async (client: Client) => (await settle(client.keys())).data?.keys ?? []
  const nameOf = keyNames(useOnce(actorsRead, ask, rights.manage) ?? [])
  return (actor) => (actor === null ? 'unknown' : actor === 'system' ? 'the service' : nameOf(actor))
}
