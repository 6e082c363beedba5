// An appointment that is cancelled while its lead is leased (D43, D44), on a real D1.
import { expect, it } from 'vitest'
import { changeLead } from '../../../src/queue/leads/store/change.ts'
import {
  alwaysOpen,
  type CallingWorld,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'

const iso = (ms: number) => new Date(ms).toISOString()
const never = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }
const atMs = noonMs + hourMs

/** Appointments may be called, other leads not. */
const seedForAppointments = () => seedCallingWorld({ ...openSettings, callingHours: never, maxAttempts: 9 })

/** A lead that is leased for its appointment at one. */
async function onAppointment(world: CallingWorld) {
  const lead = await world.add({ scheduledFor: iso(atMs), priority: 3 }, noonMs)
  const { calls } = await world.claim(atMs)
  return { ...lead, callId: calls[0]?.callId as string }
}

const reschedule = (world: CallingWorld, leadId: string, scheduledFor: string | null, nowMs = atMs + 1) =>
  changeLead(companyDb, world.asWriter(nowMs), leadId, { scheduledFor }, null)

const release = (world: CallingWorld, callId: string, nowMs = atMs + 2) =>
  world.release(nowMs, [{ callId, delaySeconds: 0 }])

const rankOf = async (world: CallingWorld, phoneNumber: string) =>
  (await leadRow(world.campaign, phoneNumber)).queue_rank

it.each([
  ['cancelled', null],
  ['moved to a time in the past', iso(noonMs - hourMs)],
  ['moved to a time that has come since', iso(atMs - minuteMs)],
])('An appointment that is %s during its call is called by its priority after a release', async (_, to) => {
  const world = await seedForAppointments()
  const other = await seedForAppointments()
  const [here, there] = [await onAppointment(world), await onAppointment(other)]
  expect(await reschedule(world, here.leadId, to)).toMatchObject({ kind: 'found' })
  await release(world, here.callId)
  await release(other, there.callId)
  expect([await rankOf(world, here.phoneNumber), await rankOf(other, there.phoneNumber)]).toEqual([3, 101])
  expect(await world.claim(atMs + hourMs)).toMatchObject({ calls: [], reason: 'outside_hours' })
  expect((await other.claim(atMs + hourMs)).calls).toHaveLength(1)
  await world.change({ callingHours: alwaysOpen })
  expect((await world.claim(atMs + hourMs)).calls).toHaveLength(1)
})

it('An appointment whose time is written in another way during its call stays one, and so does one that moves', async () => {
  const world = await seedForAppointments()
  const same = await onAppointment(world)
  await reschedule(world, same.leadId, iso(atMs).replace('Z', '+00:00'))
  await release(world, same.callId)
  expect(await rankOf(world, same.phoneNumber)).toBe(101)
  const later = await seedForAppointments()
  const lead = await onAppointment(later)
  await reschedule(later, lead.leadId, iso(atMs + hourMs))
  await release(later, lead.callId)
  expect(await leadRow(later.campaign, lead.phoneNumber)).toMatchObject({
    queue_rank: 101,
    due_at_ms: atMs + hourMs,
  })
})

it('A time agreed in a call stays an appointment when the one before it is cancelled, and not when one after it is', async () => {
  const world = await seedForAppointments()
  const other = await seedForAppointments()
  const agreedMs = atMs + hourMs
  const leads = []
  for (const each of [world, other]) {
    const lead = await onAppointment(each)
    await each.report(atMs + 1, [
      { callId: lead.callId, outcome: 'callback_requested', callbackAtMs: agreedMs },
    ])
    leads.push(lead)
  }
  const [here, there] = leads as [(typeof leads)[0], (typeof leads)[0]]
  const movedMs = agreedMs + hourMs
  await reschedule(other, there.leadId, iso(movedMs))
  for (const [each, lead, nowMs] of [
    [world, here, agreedMs],
    [other, there, movedMs],
  ] as const) {
    const { calls } = await each.claim(nowMs)
    await reschedule(each, lead.leadId, null, nowMs + 1)
    await release(each, calls[0]?.callId as string, nowMs + 2)
  }
  expect([await rankOf(world, here.phoneNumber), await rankOf(other, there.phoneNumber)]).toEqual([101, 3])
})
