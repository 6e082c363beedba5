// Encrypts the secrets of a dialer for the database, and opens them. They belong to one company, one campaign and one
// template: stored elsewhere, or beside another template, they cannot be opened.
import { createHash, createHmac } from 'node:crypto'
import { openTexts, sealTexts } from '../../base/sealed-texts.ts'
import type { Template, TemplateRequest, Texts } from './template/template.ts'

export type SecretsOwner = {
  readonly companyId: string
  readonly campaignId: string
  readonly preset: string
  /** Null: the preset's. Of a gate, what it asks. */
  readonly template: Template | TemplateRequest | null
}

/** No id of a webhook holds a space, so no secret of one is this key. */
const keyOf = (root: string) => createHmac('sha256', root).update('secrets of dialers').digest()

function boundTo({ companyId, campaignId, preset, template }: SecretsOwner): Buffer {
  const digest = template && createHash('sha256').update(JSON.stringify(template)).digest('hex')
  return Buffer.from(JSON.stringify([companyId, campaignId, preset, digest]))
}

/** In base64, different each time. */
export const sealSecrets = (root: string, owner: SecretsOwner, secrets: Texts): string =>
  sealTexts(keyOf(root), boundTo(owner), secrets)

/** Null: they were sealed for another owner, or with another root. */
export const openSecrets = (root: string, owner: SecretsOwner, sealed: string): Texts | null =>
  openTexts(keyOf(root), boundTo(owner), sealed)

const hintedFromChars = 12

/** What an answer shows of a secret: its last four characters, or nothing of a short one. */
export const hintOf = (secret: string): string | null =>
  secret.length < hintedFromChars ? null : `…${secret.slice(-4)}`
