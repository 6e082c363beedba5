// A campaign that agents or a dialer wait for, as a commit that may have made a lead callable gives notice of it
// (store/waiting.ts). Pure.

export type WaitedCampaign = { readonly companyId: string; readonly number: number }

export type WaitedNotice = WaitedCampaign & {
  /** Not before this time. Null: at once. */
  readonly fromMs: number | null
  readonly agentsWait: boolean
  readonly hasDialer: boolean
}

export function readNotice(json: string): WaitedNotice {
  const [companyId, number, fromMs, agentsWait, hasDialer] = JSON.parse(json)
  return { companyId, number, fromMs, agentsWait: agentsWait === 1, hasDialer: hasDialer === 1 }
}
