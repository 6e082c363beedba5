// A dialer without a row: it was removed long ago, or a restore has taken it away to before it was set. One that still
// has calls is as one that is removed: it hangs them up by the settings with which they were started, follows them to
// their end, and the service itself records that. When the restore is undone, they are there.
import type { WaitedCampaign } from '../../queue/campaigns/waited-campaign.ts'
import type { DialerMemory } from './dialer-memory.ts'
import type { DialerToRun } from './store/run-dialer.ts'

/** After a round has found its row. */
export function keepOwner(memory: DialerMemory, { keyId, campaignId, origin, timeZone }: DialerToRun): void {
  const before = memory.state.owner
  const owner = { keyId, campaignId, origin, timeZone }
  if (JSON.stringify(before) !== JSON.stringify(owner)) memory.change({ owner })
}

/** Null: it has no calls, or an earlier version has started all of them. */
export function lostDialer(
  { state, lastSettings }: DialerMemory,
  tests: DialerMemory,
  { number }: WaitedCampaign,
): DialerToRun | null {
  const settings = lastSettings ?? tests.lastSettings
  if (state.owner === null || settings === null) return null
  return {
    ...{ ...state.owner, ...settings, campaignNumber: number },
    ...{ isEnabled: false, isRemoved: true, isLost: true, maxLive: 1, callsPerMinute: null },
    ...{ version: state.version, changedAtMs: 0 },
  }
}
