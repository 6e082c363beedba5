// The secrets of a gate are sealed as those of a dialer, for what is asked: beside another request they cannot be
// opened.
import { openSecrets, type SecretsOwner, sealSecrets } from '../dialer-secrets.ts'
import type { StoredGate } from '../store/set-gate.ts'
import type { Texts } from '../template/template.ts'
import type { Questions } from './gate.ts'

type Owner = Pick<SecretsOwner, 'companyId' | 'campaignId'>

/** No preset has this name. */
const ofGate = (owner: Owner, { ask }: Pick<Questions, 'ask'>): SecretsOwner => ({
  ...owner,
  preset: 'gate',
  template: ask,
})

export const sealGateSecrets = (root: string, owner: Owner, questions: Questions, secrets: Texts) =>
  sealSecrets(root, ofGate(owner, questions), secrets)

/** Null: they were sealed for something else, or with another root. */
export const openGateSecrets = (root: string, owner: Owner, gate: StoredGate): Texts | null =>
  openSecrets(root, ofGate(owner, gate), gate.sealedSecrets)
