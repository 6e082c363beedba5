// The endpoints of a campaign's gate. Its object asks; these set what it asks, and try it once.
import { accessTo, granted, type KeyedExchange } from '../../../base/access/granted.ts'
import { type Answer, success } from '../../../base/http/envelope.ts'
import { ApiError } from '../../../base/http/errors.ts'
import type { Reading } from '../../../base/http/reading.ts'
import { parseBody, readSmallBody } from '../../../base/http/validate.ts'
import { formatTimestamp } from '../../../base/timestamp.ts'
import { rootOf } from '../../webhooks/routes.ts'
import { serverOf } from '../../webhooks/webhook-url.ts'
import { campaignIdOf, campaignOf, exchangesAnswer, hintsOf } from '../dialer-answer.ts'
import { answered, inTurn } from '../routes.ts'
import {
  type FoundGate,
  findGate,
  letGateGoOn,
  removeGate,
  type StoredGate,
  writeGate,
} from '../store/set-gate.ts'
import { gateOf } from '../wake-dialers.ts'
import { askGate } from './ask-gate.ts'
import { keepsAnswers, questionsOf } from './gate.ts'
import { type GateInput, judgeGateChange, readGate, readGateChange, readTried } from './gate-input.ts'
import { openGateSecrets, sealGateSecrets } from './gate-secrets.ts'

const accessOf = (x: KeyedExchange) => accessTo(x, campaignIdOf(x))
const ownerOf = (x: KeyedExchange) => ({ companyId: x.apiKey.companyId, campaignId: campaignIdOf(x) })
const secretsOf = (x: KeyedExchange, gate: StoredGate) => openGateSecrets(rootOf(x), ownerOf(x), gate)

export async function getGate(x: KeyedExchange): Promise<Answer> {
  return success(gateJson(x, await present(x)))
}

export async function putGate(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const gate = parseBody(body, (json) => readGate(json, serverOf(x.c.req.url)))
  return write(x, () => gate)
}

export async function patchGate(x: KeyedExchange): Promise<Answer> {
  const body = await readSmallBody(x)
  const server = serverOf(x.c.req.url)
  parseBody(body, judgeGateChange)
  return write(x, ({ gate }) => {
    if (gate === null) throw new ApiError({ kind: 'gate_not_found' })
    const { keepHours, laterMinutes, whenSilent, suppress } = gate
    const secrets = secretsOf(x, gate) ?? {}
    const before = { ...questionsOf(gate), keepHours, laterMinutes, whenSilent, suppress, secrets }
    return parseBody(body, (json): Reading<GateInput> => readGateChange(json, before, server))
  })
}

/** Answers as GET. */
async function write(x: KeyedExchange, change: (before: FoundGate) => GateInput): Promise<Answer> {
  const access = accessOf(x)
  const written = await inTurn(async () => {
    const before = await granted(x, findGate(x.db, access))
    const { secrets, ...gate } = change(before)
    const isSame = before.gate !== null && keepsAnswers(before.gate, gate)
    const tried = await granted(
      x,
      writeGate(x.db, access, {
        ...gate,
        sealedSecrets: sealGateSecrets(rootOf(x), ownerOf(x), gate, secrets),
        newVersion: isSame ? before.lastVersion : before.lastVersion + 1,
        revision: (before.gate?.revision ?? 0) + 1,
      }),
    )
    return tried.kind === 'changed' ? null : tried
  })
  await wake(x, written.number)
  return success(gateJson(x, { ...written, gate: written.gate as StoredGate }))
}

export async function deleteGate(x: KeyedExchange): Promise<Answer> {
  const { number } = await granted(x, removeGate(x.db, accessOf(x)))
  await wake(x, number)
  return success({ deleted: true })
}

/** After most answers were a no: it asks again. Answers as GET. */
export async function postGateGoOn(x: KeyedExchange): Promise<Answer> {
  const found = await present(x, letGateGoOn(x.db, accessOf(x)))
  await wake(x, found.number)
  return success(gateJson(x, found))
}

/** Asks once about a number that somebody enters. Stores nothing and suppresses nobody. */
export async function postGateTry(x: KeyedExchange): Promise<Answer> {
  const phoneNumber = parseBody(await readSmallBody(x), readTried)
  const { gate } = await present(x)
  const lead = { leadId: 'try', phoneNumber, externalId: null, attempt: 1, metadata: null }
  const send = (url: string, init: RequestInit) => fetch(url, init)
  const { answer, pointer, seen } = await askGate(gate, secretsOf(x, gate), lead, null, send)
  return success({ answer, pointer, httpStatus: seen.httpStatus, message: seen.message })
}

/** What the object keeps of the last requests. */
export async function getGateTrace(x: KeyedExchange): Promise<Answer> {
  const { number } = await present(x)
  const traced = await answered(gateOf(x.env, campaignOf(x, number)).readGateTrace())
  return exchangesAnswer(x, number, traced, true)
}

type Present = FoundGate & { readonly gate: StoredGate }

async function present(x: KeyedExchange, finding = findGate(x.db, accessOf(x))): Promise<Present> {
  const { gate, ...found } = await granted(x, finding)
  x.record.campaignId = campaignIdOf(x)
  if (gate === null) throw new ApiError({ kind: 'gate_not_found' })
  return { ...found, gate }
}

/** A lost wake-up costs a minute. */
async function wake(x: KeyedExchange, number: number): Promise<void> {
  const campaign = campaignOf(x, number)
  x.record.campaignId = campaignIdOf(x)
  await answered(gateOf(x.env, campaign).wakeGate(campaign, x.env.storeName ?? null)).catch(() => {})
}

function gateJson(x: KeyedExchange, { gate, counts }: Present): object {
  const { keepHours, laterMinutes, whenSilent, suppress, version } = gate
  return {
    ...questionsOf(gate),
    ...{ keepHours, laterMinutes, whenSilent, suppress },
    secrets: hintsOf(secretsOf(x, gate)),
    version,
    state: { ...stateOf(gate), ...counts },
  }
}

function stateOf({ refusingSinceMs, silentSinceMs, changedAtMs }: StoredGate) {
  if (refusingSinceMs !== null) return { status: 'refusing', since: formatTimestamp(refusingSinceMs) }
  if (silentSinceMs !== null) return { status: 'silent', since: formatTimestamp(silentSinceMs) }
  return { status: 'asking', since: formatTimestamp(changedAtMs) }
}
