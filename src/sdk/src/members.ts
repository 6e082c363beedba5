// `client.members`: people who sign in to the console, and what people and keys changed.
import type * as api from './models.ts'
import { type Ask, pathIn, type RequestOptions } from './send.ts'

export type Members = ReturnType<typeof membersOf>

export function membersOf(ask: Ask) {
  const base = '/api/v1/members'
  const one = pathIn(base)
  return {
    /** All members, oldest first. */
    list: async (options?: RequestOptions): Promise<api.Member[]> =>
      (await ask<{ members: api.Member[] }>('GET', base, options)).members,

    get: (memberId: string, options?: RequestOptions) => ask<api.Member>('GET', one(memberId), options),

    /** Not retried when there is no answer: the second try would find the first. */
    add: (member: api.CreateMember, options?: RequestOptions) =>
      ask<api.Member>('POST', base, options, { body: member, isOnce: true }),

    /** Names what he made when he has less rights by this, and ends it with `withCreated`. */
    update: (memberId: string, body: api.ChangeMember, query?: WithCreated, options?: RequestOptions) =>
      ask<api.MemberChanged>('PATCH', one(memberId), options, { body, query }),

    /** Names what he made, and ends it with `withCreated`. `erase` forgets his name and address. */
    remove: (
      memberId: string,
      query?: WithCreated & { readonly erase?: boolean },
      options?: RequestOptions,
    ) => ask<api.MemberRemoved>('DELETE', one(memberId), options, { query }),

    /** What people and keys changed, newest first: a page, and the cursor of the next one. */
    activity: (query?: { readonly actor?: string; readonly cursor?: string }, options?: RequestOptions) =>
      ask<api.Activity>('GET', '/api/v1/activity', options, { query }),
  }
}

type WithCreated = { readonly withCreated?: boolean }
