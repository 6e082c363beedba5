// What the model does with consents: they come with leads and alone, are withdrawn, and their numbers are erased.
import { expect } from 'vitest'
import type { NewConsent } from '../../../src/base/ledger/consent/consents.ts'
import { storeConsentsAlone, withdrawConsents } from '../../../src/queue/consents/store/keep-consents.ts'
import { erasePerson } from '../../../src/queue/erasure/store/erase.ts'
import { hashesIn } from '../../support/access/actor.ts'
import { consentOf } from '../../support/calling/consent-judge.ts'
import { companyDb } from '../../support/database/store.ts'
import { type Consent, purposes } from './model-actions.ts'
import { type Act, pick, type Run } from './model-run.ts'
import * as model from './naive-scheduler.ts'

export const consentSent = (
  phone: string,
  { purpose, givenInMs, lastsMs, reference }: Consent,
  nowMs: number,
): NewConsent =>
  consentOf(phone, purposes[purpose] as string, nowMs + givenInMs, {
    expiresAtMs: lastsMs === null ? null : nowMs + givenInMs + lastsMs,
    reference,
  })

/** Reads the id of a consent that came with a lead. */
export async function noteStored({ first, state, nowMs }: Run, sent: NewConsent): Promise<void> {
  const { phoneNumber, purpose, givenAtMs, expiresAtMs, reference } = sent
  const query = `select id from consents where company_id = ?1 and phone_number = ?2 and purpose = ?3
    and given_at_ms = ?4
    and expires_at_ms is ?5 and reference is ?6`
  const values = [first.companyId, phoneNumber, purpose, givenAtMs, expiresAtMs, reference]
  const { results } = await companyDb
    .prepare(query)
    .bind(...values)
    .run<{ id: string }>()
  expect(results).toHaveLength(1)
  model.storeConsent(state, sent, results[0]?.id as string, nowMs)
}

const consents: Act<'consents'> = async (run, action, db) => {
  const { first, phones, state, nowMs } = run
  const phone = phones[action.phone] as string
  const known = action.again === null ? undefined : pick(state.sent, action.again)
  const sent = [
    ...action.given.map((each) => consentSent(phone, each, nowMs)),
    ...(known === undefined ? [] : [known]),
  ]
  const got = await storeConsentsAlone(db, first.asWriter(nowMs), sent, hashesIn(first.companyId))
  if (got.kind !== 'stored') throw new Error(got.kind)
  sent.forEach((each, index) => {
    const id = got.results[index]?.consentId as string
    model.storeConsent(state, each, id, nowMs)
    expect(model.findConsent(state, each)?.id).toBe(id)
  })
}

const withdraw: Act<'withdraw'> = async (run, action, db) => {
  const { first, phones, state, nowMs } = run
  const phoneNumber = phones[action.phone] as string
  const purpose = action.purpose === null ? null : (purposes[action.purpose] as string)
  const atMs = action.atInMs === null ? null : nowMs + action.atInMs
  const said = { phoneNumber, purpose, withdrawnAtMs: atMs, reason: null }
  const got = await withdrawConsents(db, first.asWriter(nowMs), said)
  const expected = model.withdraw(state, phoneNumber, { purpose, atMs }, nowMs)
  expect(got).toEqual({ kind: 'withdrawn', ...expected })
}

/** Of a number that was never called nor suppressed: what else an erasure keeps is in erasure.test.ts. */
const erase: Act<'erase'> = async (run, action, db) => {
  const { first, phones, state, nowMs } = run
  const phoneNumber = phones[action.phone] as string
  const isPlain =
    state.calls.every((call) => !model.isSamePhone(call.lead.phone, phoneNumber)) &&
    [...state.suppressed].every((key) => !model.isSamePhone(key.split('@')[0] as string, phoneNumber))
  if (!isPlain || state.sent.length === 0) return
  const access = { ...first.asManager(nowMs), campaignId: null }
  const got = await erasePerson(db, access, { phoneNumber, suppress: false }, hashesIn(first.companyId))
  const leadsErased = state.leads.filter(({ phone }) => model.isSamePhone(phone, phoneNumber)).length
  expect(got).toMatchObject({ kind: 'erased', leadsErased, suppressed: false })
  model.erase(state, phoneNumber, nowMs)
}

export const consentActs = { consents, withdraw, erase }
