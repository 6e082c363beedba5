// The endpoints of members: people who sign in to the console. session-routes.ts signs them in.
import { granted, type KeyedExchange, managerAccessOf } from '../../base/access/granted.ts'
import { newIdOf } from '../../base/access/idempotency-key.ts'
import { enterNewMember, forgetMember, markRevoked } from '../../base/access/in-directory.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { parseBody, readQueryOf, readSmallBody } from '../../base/http/validate.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { createdJson, revokedOf } from '../keys/routes.ts'
import type { Created } from '../keys/store/created.ts'
import { changeMemberQuery, readChangeMember, readCreateMember, removeMemberQuery } from './input.ts'
import { hashEmailOf } from './session-routes.ts'
import { changeMember } from './store/change-member.ts'
import type { Member } from './store/member-row.ts'
import { addMember, findMembers, type NewMember } from './store/members.ts'

const readChangeQuery = readQueryOf(changeMemberQuery)
const readRemoveQuery = readQueryOf(removeMemberQuery)

const otherIdOf = (x: KeyedExchange) => x.c.req.param('memberId') ?? ''

const memberJson = ({ createdAtMs, lastSeenAtMs, removedAtMs: _, ...member }: Member) => ({
  ...member,
  createdAt: formatTimestamp(createdAtMs),
  lastSeenAt: formatTimestamp(lastSeenAtMs),
})

export async function getMembers(x: KeyedExchange): Promise<Answer> {
  const { members } = await granted(x, findMembers(x.db, managerAccessOf(x), null))
  return success({ members: members.map(memberJson) })
}

export async function getMember(x: KeyedExchange): Promise<Answer> {
  const { members } = await granted(x, findMembers(x.db, managerAccessOf(x), otherIdOf(x)))
  const [member] = members
  if (member === undefined) throw new ApiError({ kind: 'member_not_found' })
  return success(memberJson(member))
}

export async function postMember(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const wanted = parseBody(body, readCreateMember)
  const { id, idStart } = newIdOf(x, body, idPrefix, idChars)
  const { member, isReplay } = await enterMember(x, wanted, id, idStart)
  if (member.removedAtMs !== null) throw new ApiError({ kind: 'member_not_found' })
  return success(memberJson(member), 201, isReplay ? { 'Idempotent-Replayed': 'true' } : {})
}

const [idPrefix, idChars] = ['mem_', 16]
export const memberIdOf = (chars: string) => idPrefix + chars.slice(0, idChars)

/** Throws ApiError. */
export async function enterMember(
  x: KeyedExchange,
  wanted: NewMember,
  id: string,
  idStart: string | null = null,
): Promise<{ readonly member: Member; readonly isReplay: boolean }> {
  const emailHash = await enterNewMember(x, id, hashEmailOf(x, wanted.email))
  try {
    const values = { ...wanted, memberId: id, idStart, emailHash }
    const { member, isReplay } = await granted(x, addMember(x.db, managerAccessOf(x), values))
    if (member.removedAtMs !== null) forgetMember(x, id)
    return { member, isReplay }
  } catch (error) {
    // A request before may have made it.
    if (idStart === null && emailHash === null && error instanceof ApiError) forgetMember(x, id)
    throw error
  }
}

export async function patchMember(x: KeyedExchange): Promise<Answer> {
  const change = parseBody(await readSmallBody(x), readChangeMember)
  const { withCreated } = await readChangeQuery(x)
  const work = changeMember(x.db, managerAccessOf(x), otherIdOf(x), { ...change, withCreated })
  const { member, created } = await granted(x, work)
  await markEnded(x, created)
  return success({ ...memberJson(member), created: madeJson(created) })
}

export async function deleteMember(x: KeyedExchange): Promise<Answer> {
  const { withCreated, erase: erases } = await readRemoveQuery(x)
  const memberId = otherIdOf(x)
  const work = changeMember(x.db, managerAccessOf(x), memberId, { withCreated, removes: true, erases })
  const { member, created } = await granted(x, work)
  await markEnded(x, created)
  forgetMember(x, memberId)
  return success({ memberId, removedAt: formatTimestamp(member.removedAtMs), created: madeJson(created) })
}

const markEnded = (x: KeyedExchange, created: Created) => markRevoked(x, revokedOf(created), Date.now())

/** The key of a dialer or a source is its own, which nobody has. */
function madeJson({ keys, webhooks }: Created) {
  const dialers = keys.filter(({ isDialer }) => isDialer === 1)
  const sources = keys.filter(({ sourceId }) => sourceId !== null)
  return {
    ...createdJson({ keys: keys.filter((key) => key.isDialer === 0 && key.sourceId === null), webhooks }),
    dialers: dialers.map(({ campaignId, revokedAtMs }) => ({
      campaignId,
      revokedAt: formatTimestamp(revokedAtMs),
    })),
    sources: sources.map(({ sourceId, name, campaignId, revokedAtMs }) => ({
      sourceId,
      name,
      campaignId,
      revokedAt: formatTimestamp(revokedAtMs),
    })),
  }
}
