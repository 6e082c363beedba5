// The URL of a source. Its token holds company, campaign, source and version, and a MAC, so that a wrong one reaches no
// store. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WaitedCampaign } from '../../queue/campaigns/waited-campaign.ts'

/** The source that a URL names, and the version of that URL. */
export type NamedSource = WaitedCampaign & { readonly sourceId: string; readonly version: number }

export const sourcePath = '/in/'
const macBytes = 16

const macOf = (root: string, text: string) =>
  createHmac('sha256', createHmac('sha256', root).update('urls of sources').digest())
    .update(text)
    .digest()
    .subarray(0, macBytes)
    .toString('base64url')

export function sourceUrl(
  root: string,
  origin: string,
  { companyId, number, sourceId, version }: NamedSource,
): string {
  const text = `${companyId}~${number}~${sourceId}~${version}`
  return `${origin}${sourcePath}${text}~${macOf(root, text)}`
}

/** Null: it is not one of this service. */
export function readToken(root: string, token: string): NamedSource | null {
  const parts = /^(([\w.-]+)~(\d{1,7})~(src_\w+)~(\d{1,10}))~([\w-]{22})$/.exec(token)
  if (parts === null) return null
  const [, text = '', companyId = '', number, sourceId = '', version, mac = ''] = parts
  // As texts: some letters of Base64 mean the same bytes.
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(root, text)))) return null
  return { companyId, number: Number(number), sourceId, version: Number(version) }
}
