// `lead show`, `requeue` and `erase` on a running service: a lead by any of its names, what blocks it, its calls, calling it
// again, and erasing its person.
import { describe, expect, it, vi } from 'vitest'
import type { LeadStatus } from '../../src/leads/lead.ts'
import { insertCampaigns, mistyped } from '../support/seed.ts'
import { type CallingWorld, newPhone, seedCallingWorld } from './calling-world.ts'
import { serviceOfFile } from './command.ts'

const service = serviceOfFile()

type Shown = {
  lead: { _id: string; phoneNumber: string; status: LeadStatus; attempts: number }
  callable: boolean
  blockers: { code: string; until: string | null }[]
  nextCallAt: string | null
  calls: {
    callId: string
    outcome: string | null
    agent: string
    durationSeconds: number | null
    details: unknown
  }[]
}

const show = ({ json }: CallingWorld, name: string, ...more: string[]) =>
  json<Shown>('lead show', name, ...more)

describe('lead show', () => {
  it('A lead is found by id, by phone number and by external id', async () => {
    const world = await seedCallingWorld(service)
    const externalId = `crm ${world.company}`
    const phoneNumber = newPhone()
    const fields = JSON.stringify({ campaignId: world.campaign, phoneNumber, externalId }).slice(0, -1)
    const body = `${fields},"metadata":{"n": 12345678901234567890}}`
    const { data } = await world.client.request<{ leadId: string }>({
      method: 'POST',
      path: '/api/v1/leads',
      body,
    })
    const { leadId } = data
    await world.add()
    for (const name of [leadId, phoneNumber, externalId])
      expect(await show(world, name, '--company', world.company)).toMatchObject({
        lead: { _id: leadId, phoneNumber, status: 'raw' },
        callable: true,
        blockers: [],
        calls: [],
      })
    const { stdout } = await world.run('lead show', leadId)
    expect(stdout).toContain('{"n": 12345678901234567890}\n')
    expect(stdout).toContain('Can be called now.\n\nNever called.\n')
  })

  it('An id of which only the place is right names no lead', async () => {
    const world = await seedCallingWorld(service)
    const { leadId } = await world.add()
    const wrong = mistyped(leadId)
    expect((await world.run('lead show', wrong)).stderr).toBe(`error: no such lead: ${wrong}\n`)
  })

  it('Where several leads have the name, they are listed, and the campaign chooses', async () => {
    const world = await seedCallingWorld(service)
    const other = await world.another(`autumn-${world.company}`)
    const phoneNumber = newPhone()
    const one = await world.add({ phoneNumber })
    const two = await world.add({ phoneNumber }, other)
    const { exitCode, stderr } = await world.run('lead show', phoneNumber, '--company', world.company)
    expect(exitCode).toBe(1)
    expect(stderr).toBe(
      `error: several leads match ${phoneNumber}: use an id: ${one.leadId} in ${world.campaign} of ${world.company}, ${two.leadId} in ${other} of ${world.company}\n`,
    )
    expect((await show(world, phoneNumber, '--campaign', other)).lead._id).toBe(two.leadId)
  })

  it('In a company of many campaigns a phone number needs its campaign, and an id does not', async () => {
    const world = await seedCallingWorld(service)
    const { leadId, phoneNumber } = await world.add()
    const ids = Array.from({ length: 50 }, (_, index) => `c${index}`)
    await insertCampaigns(service.db, world.company, ids).run()
    expect((await world.run('lead show', phoneNumber)).stderr).toBe(
      'error: the company has 51 campaigns: add --campaign, or use an id\n',
    )
    for (const words of [[leadId], [phoneNumber, '--campaign', world.campaign]])
      expect((await world.json<Shown>('lead show', ...words)).lead._id).toBe(leadId)
    expect((await world.run('lead show', leadId, '--campaign', 'c1')).exitCode).toBe(1)
  })

  it('Each blocker of a lead is shown with its end, and each of its calls', async () => {
    const world = await seedCallingWorld(service)
    const { leadId } = await world.add()
    const [call] = await world.claim()
    const leased = await show(world, leadId)
    expect(leased.blockers[0]).toEqual({ code: 'leased', until: expect.stringMatching(/Z$/) })
    expect(leased.calls).toMatchObject([{ callId: call?.callId, outcome: null, agent: 'ann' }])

    const body = `{"calls":[{"callId":"${call?.callId}","outcome":"no_answer","durationSeconds":25,"details":{"a":  1}}]}`
    await world.client.request({ method: 'POST', path: '/api/v1/calls/report', body })
    await world.run(`campaign pause ${world.campaign}`)
    const spaced = await show(world, leadId)
    expect(spaced).toMatchObject({ lead: { status: 'attempting', attempts: 1 }, callable: false })
    expect(spaced.blockers.map(({ code }) => code)).toEqual(['paused', 'number_gap', 'spaced'])
    expect(spaced.calls).toMatchObject([{ outcome: 'no_answer', durationSeconds: 25, details: { a: 1 } }])

    const { stdout } = await world.run('lead show', leadId)
    expect(stdout).toMatch(/\nBlocked with no known end:\n- paused: the campaign is paused\n/)
    expect(stdout).toMatch(/\n- spaced: waiting before the next attempt, until \S+Z\n/)
    expect(stdout).toMatch(
      /\n\S+Z {2}attempt 1 by ann: no_answer, 25 s, ended \S+Z, details \{"a": {2}1\}\n$/,
    )
  })
})

describe('lead show of a lead with more calls than a page', () => {
  it('has all of them, in order', async () => {
    const world = await seedCallingWorld(service)
    const { leadId, phoneNumber } = await world.add()
    await service.db
      .prepare(
        `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < 250)
         insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt, outcome, ended_at_ms)
         select ?1, ?2, i * 1000, (select seq from leads where phone_number = ?2), 'token000000', i, 'busy', i * 1000
         from counted`,
      )
      .bind(world.company, phoneNumber)
      .run()
    const { calls } = await show(world, leadId)
    expect(calls).toHaveLength(250)
    const { stdout } = await world.run('lead show', leadId)
    expect(stdout.match(/attempt \d+(?=:)/g)).toEqual(
      Array.from({ length: 250 }, (_, i) => `attempt ${i + 1}`),
    )
  })
})

describe('lead requeue', () => {
  it('A lead that is done with is called again', async () => {
    const world = await seedCallingWorld(service)
    const { leadId, phoneNumber } = await world.add()
    await world.run(`campaign set ${world.campaign} --min-gap off`)
    const [call] = await world.claim()
    await world.report(String(call?.callId), { outcome: 'answered' })
    expect((await show(world, leadId)).blockers).toMatchObject([{ code: 'final', until: null }])
    expect(await world.claim()).toEqual([])

    const words = ['--company', world.company]
    expect(await world.run('lead requeue', phoneNumber, ...words)).toMatchObject({
      exitCode: 0,
      stdout: `Lead ${leadId} is queued again.\n`,
    })
    expect(await world.claim()).toHaveLength(1)
  })

  it('A lead that is being called, or whose number is suppressed, is refused in one line', async () => {
    const world = await seedCallingWorld(service)
    const { leadId, phoneNumber } = await world.add()
    const [call] = await world.claim()
    const refused = async () => (await world.run('lead requeue', leadId)).stderr
    expect(await refused()).toBe(`error: ${service.base} answered 409 Lead is being called\n`)
    await world.report(String(call?.callId), { outcome: 'do_not_call' })
    expect(await refused()).toBe(`error: ${service.base} answered 409 Phone number is suppressed\n`)
    await world.json(`suppression remove ${phoneNumber}`)
    const requeued = await world.json<{ _id: string; status: string }>('lead requeue', leadId)
    expect(requeued).toMatchObject({ _id: leadId, status: 'attempting' })
  })

  it.each([11, -11])(
    'A clock that is %i minutes wrong ends no live call, and puts off no lead',
    async (minutes) => {
      const world = await seedCallingWorld(service)
      const { leadId } = await world.add({ priority: 9 })
      await world.claim()
      const waiting = await world.add()
      const realMs = Date.now()
      vi.useFakeTimers({ toFake: ['Date'], now: realMs + minutes * 60_000 })
      try {
        const { stderr } = await world.run('lead requeue', leadId)
        expect(stderr).toBe(`error: ${service.base} answered 409 Lead is being called\n`)
        await world.run('lead requeue', waiting.leadId)
      } finally {
        vi.useRealTimers()
      }
      expect((await show(world, leadId)).calls).toMatchObject([{ outcome: null }])
      expect((await world.claim()).map(({ callId }) => callId)).toHaveLength(1)
    },
  )

  it('All that were given up since a moment are called again, and those that were suppressed are counted', async () => {
    const world = await seedCallingWorld(service)
    await world.run(`campaign set ${world.campaign} --min-gap off`)
    const phones: string[] = []
    for (let i = 0; i < 3; i++) {
      phones.push((await world.add()).phoneNumber)
      const [call] = await world.claim()
      await world.report(String(call?.callId), { outcome: 'wrong_number' })
    }
    await world.json(`suppression add ${phones[0]}`)
    const many = `lead requeue --campaign ${world.campaign} --status exhausted --since`
    expect(await world.json(`${many} 2099-01-01T00:00:00Z`)).toEqual({ requeued: 0, skipped: 0 })
    expect((await world.run(`${many} 2020-01-01T00:00:00Z`)).stdout).toBe(
      '2 leads queued again; 1 skipped, because their numbers are suppressed.\n',
    )
    expect(await world.claim()).toHaveLength(1)
  })

  it('Of one lead or of many: neither, or both, is refused in one line', async () => {
    const world = await seedCallingWorld(service)
    const { leadId } = await world.add()
    for (const [words, message] of [
      [
        `--campaign ${world.campaign} --status exhausted`,
        'name a lead, or give --campaign, --status and --since',
      ],
      [`${leadId} --status exhausted`, '--status and --since are for many leads: name no lead'],
    ])
      expect(await world.run(`lead requeue ${words}`)).toMatchObject({
        exitCode: 1,
        stderr: `error: ${message}\n`,
      })
  })
})

type Erased = { leadsErased: number; suppressed: boolean }

describe('lead erase', () => {
  it('erases a person by any name, and suppresses the number, known or not', async () => {
    const world = await seedCallingWorld(service)
    const [one, other] = [await world.add(), await world.add()]
    expect(await world.json<Erased>(`lead erase ${one.phoneNumber}`)).toEqual({
      leadsErased: 1,
      suppressed: true,
    })
    const { stdout } = await world.run(`lead erase ${other.leadId} --no-suppress`)
    expect(stdout).toBe('1 lead erased; the number may be created again.\n')
    const unknown = `lead erase +4930123456 --company ${world.company}`
    expect(await world.json<Erased>(unknown)).toEqual({ leadsErased: 0, suppressed: true })
    for (const name of ['+4930123457', one.leadId, 'crm-1'])
      expect((await world.run(`lead erase ${name}`)).stderr).toContain(`no such lead: ${name}`)
  })

  it('Several people are never erased by one external id', async () => {
    const world = await seedCallingWorld(service)
    for (let lead = 0; lead < 2; lead++) await world.add({ externalId: 'crm-1' })
    expect((await world.run('lead erase crm-1')).stderr).toBe(
      'error: several people match crm-1: use the id of a lead\n',
    )
  })

  it('The number of an erased person stays suppressed for lead show and requeue, until it is removed', async () => {
    const world = await seedCallingWorld(service)
    const { phoneNumber } = await world.add()
    await world.run(`lead erase ${phoneNumber}`)
    const again = await world.add({ phoneNumber })
    const requeue = `lead requeue ${again.leadId}`
    expect((await world.run(requeue)).stderr).toContain('suppressed')
    expect((await world.run(`lead show ${again.leadId}`)).stdout).toContain('suppressed')
    expect(await world.json(`suppression remove ${phoneNumber}`)).toEqual({ lifted: 1 })
    expect((await world.run(requeue)).exitCode).toBe(0)
  })
})
