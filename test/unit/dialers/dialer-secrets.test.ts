// Secrets of dialers in the database: only the same company, campaign and template open them.
import { expect, it } from 'vitest'
import {
  hintOf,
  openSecrets,
  type SecretsOwner,
  sealSecrets,
} from '../../../src/channels/dialers/dialer-secrets.ts'
import { vapi } from '../../../src/channels/dialers/presets/vapi.ts'

const owner: SecretsOwner = { companyId: 'acme', campaignId: 'spring', preset: 'vapi', template: null }
const secrets = { apiKey: 'sk-0123456789', more: 'x' }
const sealed = sealSecrets('root', owner, secrets)

it('What was sealed is opened again, and cannot be read before', () => {
  expect(openSecrets('root', owner, sealed)).toEqual(secrets)
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toMatch(/apiKey|sk-/)
  expect(sealSecrets('root', owner, secrets)).not.toBe(sealed)
})

it.each<[what: string, root: string, owner: SecretsOwner]>([
  ['another root', 'other', owner],
  ['another company', 'root', { ...owner, companyId: 'beta' }],
  ['another campaign', 'root', { ...owner, campaignId: 'summer' }],
  ['another preset', 'root', { ...owner, preset: 'retell' }],
  ['a template', 'root', { ...owner, template: vapi.template }],
  ['ids that join to the same text', 'root', { ...owner, companyId: 'acmes', campaignId: 'pring' }],
])('Nothing is opened with %s', (_, root, other) => expect(openSecrets(root, other, sealed)).toBeNull())

it('Another template is another owner, by any of its members', () => {
  const custom = { ...owner, preset: 'custom', template: vapi.template }
  const own = sealSecrets('root', custom, secrets)
  expect(openSecrets('root', custom, own)).toEqual(secrets)
  const changed = { ...custom, template: { ...vapi.template, started: { id: '/other' } } }
  expect(openSecrets('root', changed, own)).toBeNull()
})

it.each(['', 'AAAA', sealed.slice(4), `${sealed.slice(0, -4)}AAAA`])(
  'Broken secrets are not opened: %s',
  (broken) => {
    expect(openSecrets('root', owner, broken)).toBeNull()
  },
)

it('A hint is the end of a long secret, and nothing of a short one', () => {
  expect([hintOf('12345678901'), hintOf('123456789012')]).toEqual([null, '…9012'])
})
