// Encrypts texts for the database, and opens them. They are bound to what they belong to: stored elsewhere, they cannot
// be opened. Whose they are, and by which key, is the areas' to say.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

type Texts = Readonly<Record<string, string>>

const algorithm = 'aes-256-gcm'
const [ivBytes, tagBytes] = [12, 16]

/** In base64, different each time. */
export function sealTexts(key: Buffer, boundTo: Buffer, texts: Texts): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(boundTo)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(texts), 'utf8'), cipher.final()])
  return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64')
}

/** Null: they were sealed for something else, or by another key. */
export function openTexts(key: Buffer, boundTo: Buffer, sealed: string): Texts | null {
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    decipher.setAAD(boundTo).setAuthTag(bytes.subarray(-tagBytes))
    const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
    return JSON.parse(opened.toString('utf8')) as Texts
  } catch {
    return null
  }
}
