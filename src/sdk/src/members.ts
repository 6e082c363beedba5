// `client.members`: people who sign in to the console, and what people and keys changed.
import type { Activity, ChangeMember, CreateMember, Member, MemberChanged, MemberRemoved } from './models.ts'
import type { WithCreated } from './operations.ts'
import { type Ask, pathIn, type RequestOptions } from './send.ts'

export type Members = ReturnType<typeof membersOf>

export function membersOf(ask: Ask) {
  const base = '/api/v1/members'
  const one = pathIn(base)
  return {
    /** All members, oldest first. */
    list: async (options?: RequestOptions): Promise<Member[]> =>
      (await ask<{ members: Member[] }>('GET', base, options)).members,

    get: (memberId: string, options?: RequestOptions): Promise<Member> => ask('GET', one(memberId), options),

    /** Not retried when there is no answer: the second try would find the first. */
    add: (member: CreateMember, options?: RequestOptions): Promise<Member> =>
      ask('POST', base, options, { body: member, isOnce: true }),

    /** Names what he made when he has less rights by this, and ends it with `withCreated`. */
    update: (
      memberId: string,
      change: ChangeMember,
      { withCreated, ...options }: WithCreated = {},
    ): Promise<MemberChanged> =>
      ask('PATCH', one(memberId), options, { body: change, query: { withCreated } }),

    /** Names what he made, and ends it with `withCreated`. `erase` forgets his name and address. */
    remove: (
      memberId: string,
      { withCreated, erase, ...options }: WithCreated & { readonly erase?: boolean } = {},
    ): Promise<MemberRemoved> => ask('DELETE', one(memberId), options, { query: { withCreated, erase } }),

    /** What people and keys changed, newest first: a page, and the cursor of the next one. */
    activity: ({
      actor,
      cursor,
      ...options
    }: RequestOptions & { readonly actor?: string; readonly cursor?: string } = {}): Promise<Activity> =>
      ask('GET', '/api/v1/activity', options, { query: { actor, cursor } }),
  }
}
