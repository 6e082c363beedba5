// What a browser shows of an answer when it sends a form itself: one sentence, no script and nothing of the post. And
// which scripts may read answers.
import type { Answer } from '../../base/http/envelope.ts'
import type { Exchange } from '../../base/http/respond.ts'

const sentences: Readonly<Record<number, string>> = {
  200: 'Thank you. We will call you.',
  400: 'This form cannot be read.',
  404: 'This form does not exist any more.',
  410: 'This form is closed.',
  413: 'This form is too large.',
  415: 'This form cannot be read.',
  429: 'This form is sent too often just now: please try again in a minute.',
}
const byCode: Readonly<Record<string, string>> = {
  turnstile_failed: 'We cannot tell that you are a person: please go back and try again.',
}
const badNumber = 'This phone number cannot be called: please go back and check it.'
const unreadNo =
  'We cannot read this phone number, so that we cannot keep it from being called: please go back and check it.'
const later = 'This does not work just now: please try again in a minute.'

/** The same answer for a person. */
export function pageOf({ status, headers, body: json }: Answer): Answer {
  const error = typeof json === 'string' ? (/"error":"(phoneNumber [^"]*)/.exec(json)?.[1] ?? null) : null
  const ofNumber = error?.includes('do-not-call') ? unreadNo : badNumber
  const text =
    error !== null ? ofNumber : (byCode[headers['X-Error-Code'] ?? ''] ?? sentences[status] ?? later)
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${status === 200 ? 'Thank you' : 'Not sent'}</title>
<p>${text}</p>
</html>
`
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
    },
    body,
  }
}

/** Those of any page, also where they send credentials, as `sendBeacon` always does. A source reads none. */
export function crossOrigin(x: Exchange): Record<string, string> {
  const origin = x.c.req.header('origin')
  if (origin === undefined) return { 'Access-Control-Allow-Origin': '*' }
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
  }
}

/** Any header that a preflight asks for. */
export const allowedOfPreflight = (x: Exchange): Record<string, string> => ({
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': x.c.req.header('access-control-request-headers') ?? 'content-type',
  'Access-Control-Max-Age': '86400',
})
