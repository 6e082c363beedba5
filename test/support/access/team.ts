// A company whose manager has signed in, and what tests ask with a key or a session.
import { api } from '../http/api.ts'
import { dataOf } from '../http/expectations.ts'
import { seedKey, seedWorld } from '../world.ts'
import { addMember, seedIdentity } from './identity.ts'

export const membersPath = '/api/v1/members'
export type Data = Record<string, unknown>
export const ask = async (key: string, method: string, at: string, body?: object, status = 200) =>
  dataOf(await api(key).request(method, at, body), status) as Data
export const refused = async (key: string, method: string, at: string, body?: object) => {
  const { status, headers } = await api(key).request(method, at, body)
  return [status, headers.get('x-error-code')]
}
export const works = async (key: string) =>
  (await api(key).request('GET', '/api/v1/keys/self')).status === 200
export const makeKey = (key: string, fields: object = {}) =>
  ask(key, 'POST', '/api/v1/keys', { name: 'crm', scope: 'read', ...fields }, 201) as Promise<Data>

/** Beside another company. */
export async function seedTeam(fields: object = {}) {
  const world = await seedWorld()
  const manageKey = (await seedKey({ companyId: world.companyId, scope: 'manage' })).key
  const identity = await seedIdentity()
  const member = await addMember(manageKey, { name: 'Ada', ...fields })
  const session = await identity.signIn(member.email)
  return { ...world, manageKey, identity, member, session, at: `${membersPath}/${member.memberId}` }
}
