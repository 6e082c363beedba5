// They ring back: who is it, and an agent takes the call. What a person may hear of a lead is the agent's to decide:
// the number of a caller is easily forged.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { type Answer, successOf } from '../../base/http/envelope.ts'
import { parseBody, readSmallBody } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { originOfClaim } from '../leads/idempotency.ts'
import { leadIdOf } from '../leads/lead.ts'
import { callIdOf, directionOf } from './call.ts'
import { readInbound } from './input.ts'
import { pastCallText } from './lead-calls.ts'
import { callJson } from './routes.ts'
import { answerCaller, type StopStart } from './store/inbound/answer-caller.ts'
import type { Candidate, LiveCall } from './store/inbound/inbound-steps.ts'

export const answerInbound =
  (stopStartOf: (x: KeyedExchange) => StopStart) =>
  async (x: KeyedExchange): Promise<Answer> => {
    const body = await readSmallBody(x)
    const request = { ...parseBody(body, readInbound), token: originOfClaim(x, body).token }
    const answering = answerCaller(x.db, keyAccessOf(x), request, hashesOf(x), stopStartOf(x))
    const caller = await granted(x, answering)
    const { first, candidates, openCall, isSuppressed, call } = caller
    Object.assign(x.record, { campaignId: first?.campaignId ?? null, callsClaimed: call === null ? 0 : 1 })
    const campaign = first && { id: first.campaignId, name: first.campaignName }
    const others = {
      campaign,
      openCall: openCall && openCallJson(openCall),
      suppressed: isSuppressed,
      candidates: candidates.map(candidateJson),
      ...(request.take !== null && { taken: call !== null }),
    }
    const lastCall = first?.lastCall ? pastCallText({ json: first.lastCall, details: first.details }) : 'null'
    const taken = call === null ? 'null' : callJson(call, '"direction":"inbound",')
    const more = request.take === null ? '' : `,"call":${taken}`
    const members = JSON.stringify(others).slice(1, -1)
    return successOf(`{"lead":${first?.json ?? 'null'},"lastCall":${lastCall},${members}${more}}`)
  }

function openCallJson(open: LiveCall): object {
  const { seq, createdAtMs, leadToken, campaignId, agent, dialledAtMs, leaseExpiresAtMs } = open
  const isShown = seq !== null && open.isShown === 1
  return {
    callId: isShown ? callIdOf({ ...open, seq }) : null,
    leadId: isShown ? leadIdOf({ seq, createdAtMs, token: leadToken }) : null,
    campaignId: isShown ? campaignId : null,
    direction: directionOf(open),
    agent: isShown ? agent : null,
    dialledAt: isShown ? formatTimestamp(dialledAtMs) : null,
    leaseExpiresAt: formatTimestamp(leaseExpiresAtMs),
  }
}

const candidateJson = ({
  campaignId,
  campaignName,
  externalId,
  status,
  lastCallAtMs,
  ...key
}: Candidate) => ({
  leadId: leadIdOf(key),
  externalId,
  status,
  campaign: { id: campaignId, name: campaignName },
  lastCallAt: formatTimestamp(lastCallAtMs),
})
