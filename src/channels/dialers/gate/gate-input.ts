// What a client sends of a gate: text goes in, its settings or a message come out. Secrets belong to what is asked:
// another request drops them.
import * as z from 'zod/mini'
import { judge, mapReading, type Reading } from '../../../base/http/reading.ts'
import { integer, isObject, members, oneOf } from '../../../base/http/schemas.ts'
import { limits } from '../../../base/limits.ts'
import { phoneNumber } from '../../../queue/leads/fields.ts'
import type { Server } from '../../webhooks/webhook-url.ts'
import { merge, secretTexts } from '../dialer-input.ts'
import {
  exactlyOne,
  list,
  plainPointer,
  plainText,
  says,
  scalar,
  strict,
  wrong,
} from '../template/parts-input.ts'
import { secretsIn } from '../template/placeholders.ts'
import type { Texts } from '../template/template.ts'
import { requestOn } from '../template/template-input.ts'
import {
  type GateSettings,
  gateDefaults,
  type Questions,
  suppressChoices,
  whenSilentChoices,
} from './gate.ts'

export type GateInput = GateSettings & { readonly secrets: Texts }

const check = strict({
  pointer: plainPointer,
  in: z.optional(list(scalar)),
  equals: z.optional(scalar),
  notNull: z.optional(z.literal(true, says('must be true'))),
  contains: z.optional(plainText),
  above: z.optional(z.number(says('must be a number'))),
}).check(exactlyOne(['in', 'equals', 'notNull', 'contains', 'above']))

/** Which of the forms it is shows in its members, so that the message is about that form. */
const checks = z.unknown().check(
  wrong((value) => {
    const form = isObject(value) ? ['any', 'all'].find((name) => name in value) : undefined
    const read = judge(form === undefined ? check : strict({ [form]: list(check) }), value)
    return read.isValid ? null : read.message.replace(/^template(?=[. ])/, '')
  }),
)

/** What may stand at hosts depends on the server: see findUrlProblem. */
const questionsOn = (server: Server) =>
  strict({
    ask: requestOn(server, ['lead'], 'secrets'),
    no: z.nullish(checks),
    later: z.nullish(checks),
    yes: checks,
  })

const settings = {
  keepHours: z.nullish(integer('keepHours', { min: 1, max: limits.gateKeepHoursMax })),
  laterMinutes: z.nullish(integer('laterMinutes', { min: 1, max: limits.gateLaterMinutesMax })),
  whenSilent: z.nullish(oneOf('whenSilent', whenSilentChoices)),
  suppress: z.nullish(oneOf('suppress', suppressChoices)),
  secrets: z.nullish(secretTexts),
}
const unread = z.optional(z.unknown())
export const gateBody = members({ ask: unread, no: unread, later: unread, yes: unread, ...settings })

export const triedBody = members({ phoneNumber })

export const readTried = (json: string): Reading<string> =>
  mapReading(judge(triedBody, JSON.parse(json)), (read) => read.phoneNumber)

/** A whole gate: what is absent has its default. */
export const readGate = (json: string, server: Server) => judgeGate(JSON.parse(json), null, server)

/** Whether a change could be one, whatever the gate is. */
export function judgeGateChange(json: string): Reading<unknown> {
  const change: unknown = JSON.parse(json)
  return judge(gateBody, isObject(change) ? { ...change, secrets: merge({}, change.secrets) } : change)
}

/** Merges the members, and `secrets`; null removes one. */
export function readGateChange(json: string, before: GateInput, server: Server): Reading<GateInput> {
  const change: unknown = JSON.parse(json)
  if (!isObject(change)) return judgeGate(change, before, server)
  const { secrets: _, ...kept } = before
  return judgeGate({ ...kept, ...change }, before, server)
}

const refuse = (message: string) => ({ isValid: false, message }) as const

/** `before`: whose secrets stay while it asks the same. Null: none. */
function judgeGate(value: unknown, before: GateInput | null, server: Server): Reading<GateInput> {
  const given = isObject(value) ? value.secrets : undefined
  const outer = judge(gateBody, isObject(value) ? { ...value, secrets: merge({}, given) } : value)
  if (!outer.isValid) return outer
  const { ask, no = null, later = null, yes, secrets: _, ...own } = outer.value
  const sent = { ask, no, later, yes }
  if (Buffer.byteLength(JSON.stringify(sent)) > limits.dialerTemplateMaxBytes)
    return refuse(`ask, no, later and yes must be at most ${limits.dialerTemplateMaxBytes} bytes together`)
  const read = judge(questionsOn(server), sent)
  if (!read.isValid) return refuse(read.message.replace(/^template\./, '').replace(/^(\w+) (?=[ .])/, '$1'))
  const questions = sent as Questions
  const named = new Set(Object.values(questions.ask.headers ?? {}).flatMap(secretsIn))
  const isSame = before !== null && JSON.stringify(before.ask) === JSON.stringify(ask)
  const secrets = merge(isSame ? before.secrets : {}, given) as Texts
  const unknown = Object.keys(secrets).find((name) => !named.has(name))
  if (unknown !== undefined) return refuse(`secrets.${shown(unknown)} is not named by a header of ask`)
  const missing = [...named].find((name) => !Object.hasOwn(secrets, name))
  if (missing !== undefined) return refuse(`secrets.${missing} is required`)
  if (Object.keys(questions.ask.headers ?? {}).length > limits.dialerHeadersMax)
    return refuse(`ask must have at most ${limits.dialerHeadersMax} headers`)
  const gate = {
    ...questions,
    keepHours: own.keepHours ?? gateDefaults.keepHours,
    laterMinutes: own.laterMinutes ?? gateDefaults.laterMinutes,
    whenSilent: own.whenSilent ?? gateDefaults.whenSilent,
    suppress: own.suppress ?? gateDefaults.suppress,
    secrets,
  }
  return { isValid: true, value: gate }
}

const shown = (name: string) => (/^\w{1,64}$/.test(name) ? name : '…')
