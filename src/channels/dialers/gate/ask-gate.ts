// One question to a gate: the request, and what its answer says.

import { type Send, sendRequest } from '../provider-request.ts'
import { type DialledLead, valuesOfCall } from '../template/placeholders.ts'
import { describeProblem } from '../template/read-details.ts'
import { renderRequest } from '../template/render.ts'
import type { Texts } from '../template/template.ts'
import type { Seen } from '../trace.ts'
import { type GateAnswer, type Questions, readGateAnswer } from './gate.ts'

const askMs = 5_000

/** `secrets` null: they cannot be read, and nothing is asked. Never throws. */
export async function askGate(
  questions: Questions,
  secrets: Texts | null,
  lead: DialledLead,
  timeZone: string | null,
  send: Send,
): Promise<GateAnswer & { readonly seen: Seen }> {
  const sentMs = Date.now()
  const of = valuesOfCall(lead, { callId: '', endUrl: undefined }, timeZone, sentMs)
  const values = { lead: of.lead, call: {}, provider: {}, variables: {}, secrets: secrets ?? {} }
  const made = renderRequest(questions.ask, null, values, null)
  const answer =
    made.isRendered && secrets !== null ? await sendRequest(send, made.request, askMs, secrets) : null
  const read = readGateAnswer(questions, answer)
  const said = made.isRendered
    ? answer && describeProblem(answer, Object.values(secrets ?? {})).message
    : made.problem
  const message = secrets === null ? 'the secrets cannot be read' : read.answer === null ? said : null
  return {
    ...read,
    seen: { httpStatus: answer?.status ?? null, milliseconds: Date.now() - sentMs, message },
  }
}
