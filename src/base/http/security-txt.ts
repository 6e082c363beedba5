// /.well-known/security.txt (RFC 9116): whom to tell of a vulnerability, from variables of wrangler.toml.
import { isTimestamp } from '../timestamp.ts'
import type { Answer } from './envelope.ts'
import { ApiError } from './errors.ts'
import type { Exchange } from './respond.ts'

/** Throws ApiError without a contact and a time when it expires. */
export async function getSecurityTxt({ c }: Exchange): Promise<Answer> {
  const { SECURITY_CONTACT: contact, SECURITY_EXPIRES: expires } = c.env
  if (!contact || !isTimestamp(expires)) throw new ApiError({ kind: 'not_found' })
  const uri = /^[^:/@]+@[^@]+$/.test(contact) ? `mailto:${contact}` : contact
  const body = `Contact: ${uri}\nExpires: ${expires}\nPreferred-Languages: en\n`
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body }
}
