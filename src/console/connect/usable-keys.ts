// Which keys a system could use for a campaign: those that work, belong to it or to the whole company, and have the right.
// Pure.
import type { Key } from '../../sdk/src/models.ts'
import { endOf } from '../settings/keys/key-words.ts'
import type { Recipe } from './recipes.ts'

/** The narrowest scope first: it is the one to use. */
const scopes: Readonly<Record<Recipe['needs'], readonly Key['scope'][]>> = {
  write: ['write', 'manage'],
  agent: ['agent', 'manage'],
}

export function usableKeys(
  keys: readonly Key[],
  campaignId: string,
  needs: Recipe['needs'],
  nowMs: number,
): readonly Key[] {
  return scopes[needs].flatMap((scope) =>
    keys.filter((key) => key.scope === scope && isUsable(key, campaignId, nowMs)),
  )
}

/** `campaignId` null: for any campaign. */
export const isUsable = (
  key: Pick<Key, 'campaignId' | 'revokedAt' | 'expiresAt'>,
  campaignId: string | null,
  nowMs: number,
) => endOf(key) > nowMs && (key.campaignId === null || campaignId === null || key.campaignId === campaignId)
