// Parses and checks the body that names the person to erase, by number or by lead.
import * as z from 'zod/mini'
import { judge, type Reading } from '../../base/http/reading.ts'
import { boolean, isObject, members, requiredText, withoutEmpty } from '../../base/http/schemas.ts'
import { isE164, phoneNumberNotText } from '../leads/fields.ts'

const oneOfTwo = 'phoneNumber or leadId is required, and not both'

const fields = {
  phoneNumber: z.nullish(z.string(phoneNumberNotText).check(isE164)),
  leadId: z.nullish(requiredText('leadId must not be empty', 'leadId must be a string')),
  suppress: z.nullish(boolean('suppress')),
}

/** Unknown members are refused: a misspelt `suppress` must not be ignored. */
export const erasureBody = members(fields, { unknown: 'is not known' })

/** With `suppress` the number is suppressed even when nothing else requires it. */
type ErasureInput = { readonly suppress: boolean } & (
  | { readonly phoneNumber: string; readonly leadId?: undefined }
  | { readonly leadId: string; readonly phoneNumber?: undefined }
)

/** Throws SyntaxError when it is not JSON. */
export function readErasure(json: string): Reading<ErasureInput> {
  const sent: unknown = JSON.parse(json)
  const body = judge(erasureBody, withoutEmpty(sent, ['leadId']))
  if (!body.isValid) return body
  // An empty number beside a lead's id is a mistake of the sender: nobody is erased by a guess.
  if (isObject(sent) && sent.phoneNumber === '') return { isValid: false, message: oneOfTwo }
  const { phoneNumber, leadId, suppress } = body.value
  if ((phoneNumber === undefined) === (leadId === undefined)) return { isValid: false, message: oneOfTwo }
  return { isValid: true, value: { suppress: suppress ?? true, phoneNumber, leadId } as ErasureInput }
}
