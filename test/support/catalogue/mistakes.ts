// The catalogue's mistakes that can be made at several endpoints: what is said to each, and how it is made.
import { api } from '../http/api.ts'
import {
  type Flaw,
  type Invalid,
  type Scene,
  type Sent,
  withBody,
  withFields,
  withHeaders,
  withQuery,
} from './endpoint.ts'

/** With these members in place of its own. */
export const invalidBody = (message: string, fields: object): Invalid => ({
  message,
  change: withFields({ ...fields }),
})

export const notStorable = (field: string) => `${field} must not contain NUL or unpaired surrogates`

export const notAnObject = { message: 'Request body must be a JSON object', change: withBody([]) }
export const tooLongCampaign = 'campaignId must be a string of at most 128 characters'
export const emptyCampaign = 'campaignId must not be empty'
/** Also where its value means not set. */
export const unknownMembers = [
  invalidBody('campagnId is not a member', { campagnId: '' }),
  invalidBody('A member is not a member', { '+4915112345678': true }),
]
export const wrongIdempotencyKey = {
  message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
  change: withHeaders({ 'idempotency-key': 'not visible' }),
}

export const invalidQuery = (message: string, query: Readonly<Record<string, string>>) => ({
  message,
  change: withQuery(query),
})

/** With a parameter of its query given more than once. */
export const givenTwice = (name: string) => ({
  message: `${name} must be given once`,
  change({ query, ...sent }: Sent): Sent {
    const search = new URLSearchParams([...Object.entries(query ?? {}), [name, 'x'], [name, 'x']])
    return { ...sent, path: `${sent.path}?${search}` }
  },
})

/** With a parameter beside those of its query whose name is almost one of theirs. */
export const almostKnown = (sentName: string, known: string) => ({
  message: `Unknown query parameter ${sentName}, did you mean ${known}?`,
  code: 'unknown_parameter',
  change: withQuery({ [sentName]: 'true' }),
})

export const campaignDenied: Flaw = {
  name: 'a campaign that is denied',
  said: [403, 'Campaign not found or access denied', 'campaign_denied'],
  change: withFields({ campaignId: 'no-such-campaign' }),
}

let orders = 0

/** The endpoint's Idempotency-Key has been used for another request. */
export const reused = (another: (place: Scene) => Sent | Promise<Sent>): Flaw => ({
  name: 'an Idempotency-Key of another request',
  said: [409, 'Idempotency-Key was used for a different request', 'idempotency_key_reused'],
  async change(sent, place, key) {
    const { headers } = await again(await another(place), key)
    return withHeaders(headers)(sent)
  },
})

/** Sends it with an Idempotency-Key that no other request has, and returns it to be sent again. */
export async function again(sent: Sent, key: string): Promise<Sent> {
  const headers = { 'idempotency-key': `order-${++orders}` }
  await api(key).request('POST', sent.path, sent.body as object, headers)
  return withHeaders(headers)(sent)
}

/** Of a path with a lead's id: one of the right form. */
export const neverGiven: Flaw = {
  name: 'an id that was never given',
  said: [404, 'Lead not found', 'lead_not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/[0-9A-Za-z]{11}(?=\/|$)/, '00000000000') }),
}

export const noId: Flaw = {
  name: 'an id that is none',
  said: [404, 'Not found', 'not_found'],
  change: (sent) => ({ ...sent, path: sent.path.replace(/(?<=leads\/)[^/]+/, '42') }),
}
