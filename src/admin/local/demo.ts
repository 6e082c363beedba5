// The demo of the local server: a company, a campaign that may call at all hours, and a random key of each scope. The
// manage key is for the company, since a campaign's key may not erase people; the others are for the campaign. It is
// made over HTTP, with the operator key. Caller must pass a local service, never a deployed one.
import { keyScopes, type Scope } from '../../base/access/scope.ts'
import {
  ConflictError,
  InvalidApiKeyError,
  type KeyList,
  LeadIntake,
  NotFoundError,
} from '../../sdk/src/lead-intake.ts'
import { readHours } from '../api/readers.ts'
import { CommandFailed } from '../command-failed.ts'
import { campaignId, campaignOfKey, type LocalKeys, readLocalKeys, writeLocalKeys } from './local-keys.ts'

export const companyId = 'demo'
const path = `/api/v1/companies/${companyId}`

const allHours = readHours('daily 00:00-24:00')
export const atAllHours = { timeZone: 'UTC', callingHours: allHours, appointmentHours: allHours }

/**
 * Calls end ten times as fast as people talk. Off until the form is sent, so that leads of the API are left to be
 * claimed.
 */
export const demoDialer = { preset: 'pretend', variables: { speed: '10' }, enabled: false } as const

/** As long as it pretends to. */
export async function letDemoCall({ campaigns }: LeadIntake): Promise<void> {
  const { preset, enabled } = await campaigns.dialer.get(campaignId)
  if (preset === demoDialer.preset && !enabled) await campaigns.dialer.update(campaignId, { enabled: true })
}

/** Who can sign in, with `npm start -- --access`. */
export const demoMember = 'ada@example.com'

type StoreKind = 'shared' | 'own'

type DemoOptions = {
  /** Where the company must have its data. Undefined: where it is, or in the shared database. */
  readonly store?: StoreKind | undefined
  /** How long new keys last. Null: they do not end. */
  readonly keyLifeMs?: number | null
  /** Somebody can sign in. */
  readonly hasMember?: boolean
}

/**
 * Returns the keys, and makes what is missing. Throws CommandFailed when `store` is another one, and LeadIntakeError.
 */
export async function ensureDemo(
  baseUrl: string,
  operator: string,
  stateDir: string,
  { store, keyLifeMs = null, hasMember = false }: DemoOptions = {},
): Promise<LocalKeys> {
  const clientOf = (apiKey: string) => new LeadIntake({ baseUrl, apiKey })
  const { request } = clientOf(operator)
  const found = await request<{ store: StoreKind }>({ method: 'GET', path }).catch(nullIf(NotFoundError))
  if (found === null)
    await request({ method: 'POST', path: '/api/v1/companies', body: { id: companyId, name: 'Demo', store } })
  else if (store !== undefined && found.data.store !== store) throw elsewhere(stateDir, store)

  if (hasMember) {
    const body = { email: demoMember, scope: 'manage', name: 'Ada' }
    await request({ method: 'POST', path: `${path}/members`, body }).catch(nullIf(ConflictError))
  }
  const kept = await readLocalKeys(stateDir)
  // It makes the campaign of the others.
  const manage = await ensureKey('manage', kept.manage)
  await ensureCampaign(clientOf(manage))
  const ofCampaign = keyScopes.filter((scope) => campaignOfKey(scope) !== null)
  const others = ofCampaign.map(async (scope) => [scope, await ensureKey(scope, kept[scope])] as const)
  const all = { operator, manage, ...Object.fromEntries(await Promise.all(others)) } as LocalKeys
  if (keyScopes.some((scope) => all[scope] !== kept[scope])) await writeLocalKeys(stateDir, all)
  return all

  /** `known` if it still has its rights; else a new key, which revokes the older ones of its name. */
  async function ensureKey(scope: Scope, known: unknown): Promise<string> {
    const ofCampaign = campaignOfKey(scope)
    if (typeof known === 'string') {
      const self = await clientOf(known).keys.self().catch(nullIf(InvalidApiKeyError))
      const isOfDemo = self?.company.id === companyId && self.key.campaignId === ofCampaign
      if (isOfDemo && self.key.scope === scope) return known
    }
    const name = `demo ${scope}`
    const { data } = await request<KeyList>({ method: 'GET', path: `${path}/keys` })
    for (const old of data.keys)
      if (old.name === name && old.revokedAt === null)
        await request({ method: 'DELETE', path: `${path}/keys/${old.keyId}` })
    const expiresAt = keyLifeMs === null ? null : new Date(Date.now() + keyLifeMs).toISOString()
    const body = { name, scope, expiresAt, ...(ofCampaign && { campaignId: ofCampaign }) }
    const made = await request<{ key: string }>({ method: 'POST', path: `${path}/keys`, body, isOnce: true })
    return made.data.key
  }
}

/** With a dialer that pretends to call. Left as its developer has it when it is there. */
async function ensureCampaign({ campaigns }: LeadIntake): Promise<void> {
  const made = await campaigns
    .create({ id: campaignId, name: 'Demo', ...(atAllHours as object) })
    .catch(nullIf(ConflictError))
  if (made !== null) await campaigns.dialer.set(campaignId, demoDialer)
}

const nullIf =
  (kind: new (...details: never[]) => Error) =>
  (error: unknown): null => {
    if (error instanceof kind) return null
    throw error
  }

function elsewhere(stateDir: string, wanted: StoreKind): CommandFailed {
  const [place, way] =
    wanted === 'own'
      ? ['is in the shared database', 'leave out --demo-store own']
      : ['has a store of its own', '`npm start -- --demo-store own`']
  return new CommandFailed(`the demo in ${stateDir} ${place}: use another --persist-to, or ${way}`)
}
