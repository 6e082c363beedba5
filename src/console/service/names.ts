// People read names, not ids: those of the company's campaigns, and of the keys that acted. Read once a session, when
// they are first needed.
import { useEffect, useState } from 'preact/hooks'
import { limits } from '../../base/limits.ts'
import type { Key, ListedCampaign } from '../../sdk/src/models.ts'
import { keyNames } from '../settings/keys/key-words.ts'
import { readPages, settle } from './answer.ts'
import type { Client } from './client.ts'
import { useSession } from './session.ts'

function useOnce<Data>(
  read: WeakMap<Client, Promise<Data | null>>,
  /** Null: it failed, and is tried again where it is next needed. */
  ask: (client: Client) => Promise<Data | null>,
  isWanted: boolean,
) {
  const { client } = useSession()
  const [data, setData] = useState<Data | null>(null)
  useEffect(() => {
    if (!isWanted) return
    const reading = read.get(client) ?? ask(client)
    read.set(client, reading)
    void reading.then((data) => (data === null ? read.delete(client) : setData(() => data)))
  }, [isWanted])
  return data
}

const mostPages = limits.campaignsPerCompany / limits.campaignsPerPage
const campaignsRead = new WeakMap<Client, Promise<readonly ListedCampaign[] | null>>()

/** Empty until they are read, and for a key of one campaign, which cannot list them. */
export function useCampaigns(isWanted = true): readonly ListedCampaign[] {
  const { rights } = useSession()
  const ask = async ({ campaigns }: Client) => {
    const { pages, error } = await readPages(campaigns.pages({ limit: limits.campaignsPerPage }), mostPages)
    return error === null ? pages.flatMap((page) => page.campaigns) : null
  }
  return useOnce(campaignsRead, ask, isWanted && rights.company) ?? []
}

/** The name of a campaign by its id; the id where it is not known. */
export function useCampaignNames(isWanted = true): (id: string) => string {
  const campaigns = useCampaigns(isWanted)
  return (id) => campaigns.find((one) => one.id === id)?.name ?? id
}

const actorsRead = new WeakMap<Client, Promise<readonly Key[] | null>>()

/** Who acted, as the event log has it. */
export function useActorNames(isWanted = true): (actor: string | null) => string {
  const { rights } = useSession()
  const ask = async (client: Client) => (await settle(client.keys())).data?.keys ?? null
  const nameOf = keyNames(useOnce(actorsRead, ask, isWanted && rights.manage) ?? [])
  return (actor) => (actor === null ? 'unknown' : actor === 'system' ? 'the service' : nameOf(actor))
}
