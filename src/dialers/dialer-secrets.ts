// Encrypts the secrets of a dialer for the database, and opens them. They belong to one company, one campaign and one
// template: stored elsewhere, or beside another template, they cannot be opened.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import type { Template, Texts } from './template/template.ts'

export type SecretsOwner = {
  readonly companyId: string
  readonly campaignId: string
  readonly preset: string
  /** Null: the preset's. */
  readonly template: Template | null
}

const algorithm = 'aes-256-gcm'
const [ivBytes, tagBytes] = [12, 16]

/** No id of a webhook holds a space, so no secret of one is this key. */
const keyOf = (root: string) => createHmac('sha256', root).update('secrets of dialers').digest()

function boundTo({ companyId, campaignId, preset, template }: SecretsOwner): Buffer {
  const digest = template && createHash('sha256').update(JSON.stringify(template)).digest('hex')
  return Buffer.from(JSON.stringify([companyId, campaignId, preset, digest]))
}

/** In base64, different each time. */
export function sealSecrets(root: string, owner: SecretsOwner, secrets: Texts): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, keyOf(root), iv, { authTagLength: tagBytes }).setAAD(
    boundTo(owner),
  )
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64')
}

/** Null: they were sealed for another owner, or with another root. */
export function openSecrets(root: string, owner: SecretsOwner, sealed: string): Texts | null {
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv(algorithm, keyOf(root), bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(boundTo(owner)).setAuthTag(bytes.subarray(-tagBytes))
    const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
    return JSON.parse(opened.toString('utf8')) as Texts
  } catch {
    return null
  }
}

const hintedFromChars = 12

/** What an answer shows of a secret: its last four characters, or nothing of a short one. */
export const hintOf = (secret: string): string | null =>
  secret.length < hintedFromChars ? null : `…${secret.slice(-4)}`
