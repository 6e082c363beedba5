// The URL by which a provider says that a call has changed: the dialer then asks sooner, and believes nothing else. Its
// token holds company, campaign and perhaps the call, and a MAC, so that a wrong one reaches no Durable Object. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WaitedCampaign } from '../../queue/campaigns/waited-campaign.ts'

type Nudge = WaitedCampaign & {
  /** Null: any call of the campaign. */
  readonly callId: string | null
}

export const nudgePath = '/dialer-events/'
const macBytes = 16
/** Some providers refuse longer ones. */
const urlMaxChars = 200

const macOf = (root: string, text: string) =>
  createHmac('sha256', createHmac('sha256', root).update('nudges of dialers').digest())
    .update(text)
    .digest()
    .subarray(0, macBytes)
    .toString('base64url')

/** Undefined: it would be too long. */
export function nudgeUrl(
  root: string,
  origin: string,
  { companyId, number, callId }: Nudge,
): string | undefined {
  const text = `${encodeURIComponent(companyId)}~${number}~${callId ?? ''}`
  const url = `${origin}${nudgePath}${text}~${macOf(root, text)}`
  return url.length > urlMaxChars ? undefined : url
}

/** Null: it is not one of this service. */
export function readNudge(root: string, token: string): Nudge | null {
  const parts = /^((.+)~(\d{1,7})~([\w-]*))~([\w-]{22})$/.exec(token)
  if (parts === null) return null
  const [, text = '', companyId = '', number, callId = '', mac = ''] = parts
  // As texts: some letters of Base64 mean the same bytes, and each token is limited by itself.
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(root, text)))) return null
  return { companyId: decodeURIComponent(companyId), number: Number(number), callId: callId || null }
}
