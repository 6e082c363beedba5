// Settings that are changed while a round of the former ones is under way.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import { lasting, seedDialer } from '../../support/dialers/dialer-world.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

it.each<[what: string, isRefusedAgain: boolean]>([
  ['does not stop settings that were changed meanwhile', false],
  ['hides no alert of those that were changed meanwhile', true],
])(
  'A refusal of former settings %s, though they were shown before a round has taken them over',
  async (_, isRefusedAgain) => {
    const refused = () => Response.json({ message: 'wrong key' }, { status: 401 })
    const state = { mayAnswer: false }
    let starts = 0
    const world = await seedDialer(async (sent) => {
      if (sent.method !== 'POST' || sent.path !== '/calls') return lasting(sent)
      const isFirst = starts++ === 0
      while (isFirst && !state.mayAnswer) await new Promise((resolve) => setTimeout(resolve, 5))
      return isFirst || isRefusedAgain ? refused() : lasting(sent)
    })
    const stoppedReason = async () =>
      (
        await companyDb
          .prepare('select stopped_reason as reason from dialers where campaign_number = ?1')
          .bind(world.campaign.number)
          .first<{ reason: string | null }>()
      )?.reason
    await world.add()
    await world.run(0, 1)
    const round = runDurableObjectAlarm(world.object)
    await vi.waitFor(() => expect(world.starts()).toHaveLength(1))
    const changed = await world.shown('PATCH', { secrets: { apiKey: 'sk-9999999999-right-9z9z' } })
    expect(changed.state.status).not.toBe('stopped')
    state.mayAnswer = true
    await round
    await world.run(1)
    expect(world.starts()).toHaveLength(2)
    expect((await world.shown('GET')).state.status).toBe(isRefusedAgain ? 'stopped' : 'running')
    expect(await stoppedReason()).toBe(isRefusedAgain ? 'account' : null)
  },
)
