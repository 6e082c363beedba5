// Consents and withdrawals that come while a claim runs, at each of its trips to the database: what is acknowledged
// holds for every lease after it, and no lead is left out of the queue. And the same for a requirement that changes
// while the cron works.
import { expect, it } from 'vitest'
import type { NewConsent } from '../../../src/base/ledger/consent/consents.ts'
import { storeConsentsAlone, withdrawConsents } from '../../../src/queue/consents/store/keep-consents.ts'
import { forgetOldConsents, returnHeldLeads } from '../../../src/queue/consents/store/tend-consents.ts'
import { erasePerson } from '../../../src/queue/erasure/store/erase.ts'
import { retainChunk } from '../../../src/queue/erasure/store/retain.ts'
import { createLead } from '../../../src/queue/leads/store/create.ts'
import { hashesIn } from '../../support/access/actor.ts'
import {
  type CallingWorld,
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../../support/calling/calling.ts'
import { consentOf } from '../../support/calling/consent-judge.ts'
import { databaseThat } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { newLead } from '../../support/leads/new-lead.ts'
import { newPhone, seedKey } from '../../support/world.ts'

const calls = { requireConsent: { purpose: 'calls', maxAgeDays: null } }

const given = (phone: string, agoMs = hourMs) => consentOf(phone, 'calls', noonMs - agoMs)

const store = (world: CallingWorld, consent: NewConsent) =>
  storeConsentsAlone(companyDb, world.asWriter(noonMs), [consent], hashesIn(world.companyId))

async function withdraw(
  world: CallingWorld,
  phoneNumber: string,
  purpose: string | null = null,
): Promise<void> {
  const said = { phoneNumber, purpose, withdrawnAtMs: null, reason: null }
  expect(await withdrawConsents(companyDb, world.asWriter(noonMs), said)).toMatchObject({ kind: 'withdrawn' })
}

async function erase(world: CallingWorld, phoneNumber: string): Promise<void> {
  const access = { ...world.asManager(noonMs), campaignId: null }
  const erased = await erasePerson(
    companyDb,
    access,
    { phoneNumber, suppress: false },
    hashesIn(world.companyId),
  )
  expect(erased.kind).toBe('erased')
}

/** What takes a number's consents back, each acknowledged when it returns. */
const ends = {
  'is withdrawn': (world: CallingWorld, phone: string) => withdraw(world, phone),
  'is withdrawn for its purpose': (world: CallingWorld, phone: string) => withdraw(world, phone, 'calls'),
  'ends with a suppression that is lifted at once': async (world: CallingWorld, phone: string) => {
    await world.suppress([phone])
    await world.lift([phone])
  },
  'ends with an erasure, after which number and consent come again': async (
    world: CallingWorld,
    phone: string,
  ) => {
    await erase(world, phone)
    await world.lift([phone])
    await world.add({ phoneNumber: phone }, noonMs, companyDb, given(phone))
  },
} as const

/** A first try, the settling of a lease, the openings, and a second try. */
const places = [0, 1, 2, 3].flatMap((trip) => [`before trip ${trip}`, `after trip ${trip}`])

/** A database that stops at the place, and goes on when `meanwhile` is done. */
function stoppingAt(place: string, meanwhile: () => Promise<void>) {
  let trips = 0
  const passed: string[] = []
  const pass = async (here: string) => {
    passed.push(here)
    if (here === place) await meanwhile()
  }
  const { DB } = databaseThat(async (run) => {
    const trip = trips++
    await pass(`before trip ${trip}`)
    return run().finally(() => pass(`after trip ${trip}`))
  })
  return { DB, passed }
}

/** A campaign whose next claim has to settle a lease, and to write its openings. */
async function seedBusy(): Promise<CallingWorld> {
  const world = await seedCallingWorld()
  await world.add({}, noonMs - 30 * dayMs)
  expect((await world.claim(noonMs - 30 * dayMs)).calls).toHaveLength(1)
  await world.change({ ...calls, outcomes: { unknown: { class: 'done' } } })
  return world
}

it.each(Object.keys(ends) as (keyof typeof ends)[])(
  'No lease follows when a consent %s at any trip of a claim, and a lease before that has to stop',
  async (end) => {
    for (const place of places) {
      const world = await seedBusy()
      const phone = newPhone()
      await world.add({ phoneNumber: phone }, noonMs, companyDb, given(phone))
      let wasLeased: boolean | null = null
      const { DB } = stoppingAt(place, async () => {
        wasLeased = (await leadRow(world.campaign, phone)).lease_expires_at_ms !== null
        await ends[end](world, phone)
      })
      const claimed = (await world.claim(noonMs, {}, DB)).calls
      const later = (await world.claim(noonMs + minuteMs)).calls
      expect([place, wasLeased, later]).toEqual([place, place === 'after trip 3', []])
      expect([place, claimed.length]).toEqual([place, wasLeased ? 1 : 0])
      // Not even one that the answer leaves out.
      const { lease_expires_at_ms } = await leadRow(world.campaign, phone)
      expect([place, lease_expires_at_ms !== null]).toEqual([place, wasLeased && !end.includes('erasure')])
      const [extension] = await world.extend(noonMs + minuteMs, [claimed[0]?.callId ?? 'call_none'])
      const stop = end.includes('erasure') ? 'erased' : 'consent_withdrawn'
      expect([place, extension?.stop]).toEqual([place, wasLeased ? stop : 'lease_lost'])
    }
  },
)

it.each([
  ['that was given before', -hourMs],
  ['of a clock that is three minutes fast', 3 * minuteMs],
])('A consent %s leaves no lead held, whichever trip of a claim it arrives at', async (_, aheadMs) => {
  const atMs = noonMs + Math.max(0, aheadMs)
  for (const place of places) {
    const world = await seedBusy()
    const { phoneNumber } = await world.add()
    const { DB, passed } = stoppingAt(place, async () => {
      expect((await store(world, given(phoneNumber, -aheadMs))).kind).toBe('stored')
    })
    const claimed = (await world.claim(noonMs, {}, DB)).calls
    expect(passed).toContain(place)
    expect([place, (await leadRow(world.campaign, phoneNumber)).held_due_at_ms]).toEqual([place, null])
    expect([place, claimed.length > 0 && aheadMs > 0]).toEqual([place, false])
    const later = claimed.length > 0 ? claimed : (await world.claim(atMs)).calls
    expect([place, later.map(({ lead }) => JSON.parse(lead).phoneNumber)]).toEqual([place, [phoneNumber]])
  }
})

it('A lead that is held while the cron returns others comes back too, when the requirement changes at that moment', async () => {
  for (const place of places.slice(0, 4)) {
    const world = await seedCallingWorld()
    await world.change(calls)
    const { phoneNumber } = await world.add()
    const { DB, passed } = stoppingAt(place, async () => {
      expect((await world.claim(noonMs)).calls).toEqual([])
      expect((await leadRow(world.campaign, phoneNumber)).held_due_at_ms).not.toBeNull()
      await world.change({ requireConsent: null })
    })
    await returnHeldLeads(DB, noonMs)
    await returnHeldLeads(companyDb, noonMs + minuteMs)
    expect(passed).toContain(place)
    expect([place, (await leadRow(world.campaign, phoneNumber)).held_due_at_ms]).toEqual([place, null])
  }
})

it('A lead that exists stores its consent, also when somebody begins to read the log', async () => {
  const world = await seedCallingWorld({ ...openSettings, ...calls })
  const { phoneNumber } = await world.add()
  await companyDb
    .prepare('update companies set listens_since_ms = 1 where id = ?1')
    .bind(world.companyId)
    .run()
  const origin = {
    ...world.access(world.writeKeyId, noonMs),
    ...{ token: 'another', requestKey: null, isLogged: false, hashes: hashesIn(world.companyId) },
  }
  const lead = newLead({ phoneNumber })
  expect((await createLead(companyDb, origin, lead, given(phoneNumber))).kind).toBe('exists')
  expect((await world.claim()).calls).toHaveLength(1)
})

it('A consent that comes while retention erases the last lead of its number is hashed with it', async () => {
  const world = await seedCallingWorld({ ...openSettings, retentionDays: 1 })
  const { phoneNumber } = await world.add()
  const [call] = (await world.claim()).calls
  await world.report(noonMs + dayMs, [{ callId: call?.callId ?? '', outcome: 'not_interested' }])
  const { DB, trips } = databaseThat(async (run) => {
    if (trips.length === 3) await store(world, given(phoneNumber))
    return run()
  })
  const retained = await retainChunk(DB, world.campaign.number, noonMs + 3 * dayMs, hashesIn)
  expect(retained).toMatchObject({ hasErased: true })
  expect(trips).toHaveLength(3)
  const { results } = await companyDb
    .prepare('select phone_number from consents where company_id = ?1')
    .bind(world.companyId)
    .all()
  expect(results).toEqual([{ phone_number: hashesIn(world.companyId).of(phoneNumber) }])
})

it('A consent whose time is over is removed although many before it were used since', async () => {
  const world = await seedCallingWorld()
  const [used, unused] = [newPhone(), newPhone()]
  const years = 365 * 5
  for (const [phone, count, days] of [
    [used, 300, years + 200],
    [unused, 1, years + 2],
  ] as const)
    for (let number = 0; number < count; number++)
      await store(world, { ...given(phone, days * dayMs), reference: `${number}` })
  await companyDb
    .prepare(
      `insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt, consent_id)
       select company_id, phone_number, ?2 - row_number() over (), 1, 'token', 1, id from consents
       where company_id = ?1 and phone_number = ?3`,
    )
    .bind(world.companyId, noonMs, used)
    .run()
  await forgetOldConsents(companyDb, noonMs)
  const { results } = await companyDb
    .prepare('select phone_number, count(*) as n from consents where company_id = ?1 group by phone_number')
    .bind(world.companyId)
    .all()
  expect(results).toEqual([{ phone_number: used, n: 300 }])
})

it('Whether a number has a lead in the campaign of a key is judged in the transaction that stores or withdraws', async () => {
  const [world, other] = [await seedCallingWorld(), await seedCallingWorld()]
  const { companyId, campaign } = world
  const { id } = await seedKey({ companyId, campaign })
  const access = { ...world.asWriter(noonMs), keyId: id, actor: id }
  const acts = {
    store: (DB: D1Database, phone: string) =>
      storeConsentsAlone(DB, access, [given(phone)], hashesIn(companyId)),
    withdraw: (DB: D1Database, phoneNumber: string) =>
      withdrawConsents(DB, access, { phoneNumber, purpose: null, withdrawnAtMs: null, reason: null }),
  }
  const said = {
    store: { kind: 'stored', results: [{ status: 'ignored', consentId: null }] },
    withdraw: { kind: 'withdrawn', withdrawnAtMs: noonMs, consents: 0 },
  }
  const rowsOf = async () =>
    (await companyDb.prepare('select * from consents where company_id = ?1').bind(companyId).all()).results
  for (const act of ['store', 'withdraw'] as const) {
    const phone = newPhone()
    await world.add({ phoneNumber: phone })
    // Another company has the same number, with a lead.
    await other.add({ phoneNumber: phone }, noonMs, companyDb, given(phone))
    const { DB } = stoppingAt('before trip 0', () => erase(world, phone))
    expect(await acts[act](DB, phone)).toEqual(said[act])
  }
  expect(await rowsOf()).toEqual([])
})
