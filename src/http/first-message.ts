// What zod found wrong, as the one message that a client is told (D9).
import type * as z from 'zod/mini'

/** The first thing wrong, in the client's terms: zod reports in the order of the shape (D9). */
export function firstMessage(error: z.core.$ZodError): string {
  return error.issues[0]?.message ?? 'Request body must be a JSON object'
}
