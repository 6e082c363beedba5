// What a key may do, as the console offers it.
import type { KeySelf } from '../../sdk/src/models.ts'

/** `company`: for the whole company, not for one campaign. */
export const rightsOf = ({ rights, campaignId }: Pick<KeySelf['key'], 'rights' | 'campaignId'>) => ({
  read: rights.includes('read'),
  write: rights.includes('write'),
  agent: rights.includes('agent'),
  manage: rights.includes('manage'),
  company: campaignId === null,
})

export type Rights = ReturnType<typeof rightsOf>
