// An agent that resumes after a crash says of each call that it is dialled, right before it dials.
import { expect, it } from 'vitest'
import { campaignOf, lasting, type Script, until } from './scripted-campaign.ts'
import type { Asked, Scripted } from './scripted-service.ts'

/** Plays three leads with two seats, and what happened in order: notes by the ids of their calls, and dials. */
async function play(resumes: boolean, fault?: Script['fault']) {
  const happened: string[] = []
  const noting = (asked: Asked, number: number): Scripted | 'lost' | undefined => {
    const said = fault?.(asked, number)
    if (said === undefined && typeof asked.body.dialledAt === 'string')
      happened.push(...(asked.body.callIds as string[]).map((callId) => `note ${callId}`))
    return said
  }
  const campaign = campaignOf(3, { fault: noting })
  const done = campaign.start({
    agent: 'seat-7',
    concurrency: 2,
    call: async (lead, signal, { callId }) => {
      happened.push(`dial ${callId}`)
      return lasting(10_000)(lead, signal)
    },
    ...(resumes && { resume: async () => null }),
  })
  await until(() => campaign.reports.length === 3)
  campaign.ending.abort()
  await done
  return { happened, campaign }
}

it('An agent that can resume reports each dial once, before it dials', async () => {
  const { happened } = await play(true)
  for (const callId of ['call-1', 'call-2', 'call-3']) {
    const [noted, dialled] = [happened.indexOf(`note ${callId}`), happened.indexOf(`dial ${callId}`)]
    expect([callId, noted >= 0, noted < dialled]).toEqual([callId, true, true])
  }
  expect(happened).toHaveLength(6)
})

it('An agent that cannot resume does not report dials, which would cost a request each', async () => {
  const { happened, campaign } = await play(false)
  expect(happened).toEqual(['dial call-1', 'dial call-2', 'dial call-3'])
  expect(campaign.paths()).not.toContain('/extend')
})
