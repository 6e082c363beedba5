// What a key may do. A right is learned by asking for something that it is needed for, and that changes nothing.

export type Rights = {
  /** Lists leads. */
  readonly read: boolean
  readonly write: boolean
  /** Sees live calls. */
  readonly agent: boolean
  readonly manage: boolean
  /** Of the whole company, not of one campaign. */
  readonly company: boolean
}

/** Null: the service could not say yet. */
export type Learned = { readonly [Name in keyof Rights]: boolean | null }

export const nothingLearned: Learned = { read: null, write: null, agent: null, manage: null, company: null }

type AskStatus = (
  method: string,
  path: string,
  options?: { readonly body?: unknown },
) => Promise<{ readonly status: number }>

/** Judged as any bulk, and not stored: it tells a key that writes without a refusal. */
const triedOut = '/leads/bulk?dryRun=true'
const triedNumber = '+10000000'

/**
 * Asks for what a key of more rights is granted, and stops at the first refusal, so that there is at most one for the
 * scope: who manages both writes and calls, who writes reads, and who does not read calls. One more tells a key of one
 * campaign from a key of a company that has only one. What is `known` is not asked again.
 */
export async function learnRights(
  ask: AskStatus,
  campaigns: readonly { readonly id: string }[],
  known: Learned,
): Promise<Learned> {
  const [first] = campaigns
  if (first === undefined) return known
  const campaign = new URLSearchParams({ campaignId: first.id })
  const learn = async (name: keyof Rights, method: string, path: string, body?: unknown) => {
    if (known[name] !== null) return known[name]
    const { status } = await ask(method, path, body === undefined ? {} : { body })
    // A service that is away or busy has refused nothing.
    if (status === 0 || status === 429 || status >= 500) return null
    return status >= 200 && status < 300
  }
  /** What follows only where all of these are granted: refused where one is, not known where one is not. */
  const after = async (granted: readonly (boolean | null)[], next: () => Promise<boolean | null>) =>
    granted.includes(false) ? false : granted.includes(null) ? null : next()

  const read = await learn('read', 'GET', `/leads?limit=1&${campaign}`)
  const write = await after([read], () =>
    learn('write', 'POST', triedOut, { campaignId: first.id, leads: [{ phoneNumber: triedNumber }] }),
  )
  const calls = () => learn('agent', 'GET', `/calls?limit=1&${campaign}`)
  const agent = read === false ? await calls() : await after([write], calls)
  const manage = await after([write, agent], () => learn('manage', 'GET', '/webhooks'))
  const company =
    campaigns.length > 1 || (await after([read], () => learn('company', 'GET', '/suppressions?limit=1')))
  return { read, write, agent, manage, company }
}

/** What is not known is not offered. */
export const rightsOf = ({ read, write, agent, manage, company }: Learned): Rights => ({
  read: read === true,
  write: write === true,
  agent: agent === true,
  manage: manage === true,
  company: company === true,
})
