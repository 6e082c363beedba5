// A campaign that agents, a dialer or a gate wait for, as a commit that may have made a lead callable gives notice of
// it (store/waiting.ts). Pure.

export type WaitedCampaign = { readonly companyId: string; readonly number: number }

export type WaitedNotice = WaitedCampaign & {
  /** Not before this time. Null: at once. */
  readonly fromMs: number | null
  readonly agentsWait: boolean
  readonly hasDialer: boolean
  readonly hasGate: boolean
}

export function readNotice(json: string): WaitedNotice {
  const [companyId, number, fromMs, agentsWait, hasDialer, hasGate] = JSON.parse(json)
  const isTrue = (value: unknown) => value === 1
  return {
    ...{ companyId, number, fromMs },
    ...{ agentsWait: isTrue(agentsWait), hasDialer: isTrue(hasDialer), hasGate: isTrue(hasGate) },
  }
}
