// What a key may do, as the console offers it.
import type { KeySelf } from '../../sdk/src/models.ts'

export type Rights = {
  /** Lists leads. */
  readonly read: boolean
  readonly write: boolean
  /** Sees live calls. */
  readonly agent: boolean
  readonly manage: boolean
  /** For the whole company, not for one campaign. */
  readonly company: boolean
}

export function rightsOf({ rights, campaignId }: Pick<KeySelf['key'], 'rights' | 'campaignId'>): Rights {
  return {
    read: rights.includes('read'),
    write: rights.includes('write'),
    agent: rights.includes('agent'),
    manage: rights.includes('manage'),
    company: campaignId === null,
  }
}
